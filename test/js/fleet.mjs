// A fleet of small runs whose traces are written by hand, and the questions of examples/fleet answered the slow way:
// from the tables of one profile after the other, as CSV.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, folder, root, run } from './check.mjs';

const questions = join(root, 'examples/fleet');
export const names = readdirSync(questions)
  .filter((f) => /^\d\d_/.test(f))
  .sort();
export const question = (name) => readFileSync(join(questions, name), 'utf8');
export const views = question('duckdb.sql');

const services = ['shop', 'cart'];
const releases = ['1.9', '1.10', '2.0'];
const days = ['2026-11-27', '2026-11-28'];
const machines = ['a', 'b'];

// a number that looks random and is the same each time
let seed = 7;
const random = (below) => {
  seed = (seed * 48271) % 2147483647;
  return (seed >> 8) % below;
};

// Main asks `prices`, which waits, collects garbage and calls; a worker fails sometimes. Times are in us.
function lines({ release, machine }) {
  const slow = release === '2.0' ? 3 : 1;
  const out = [
    '0 - - waits mfa=gen_server:loop/7 kind=1',
    `0 - - thread name="1_scheduler" tid=11 cpu=0 queue=0 voluntary=0 involuntary=0`,
    `0 - - thread name="async_1" tid=12 cpu=0 queue=0 voluntary=0 involuntary=0`,
    '0 <0.80.0> s1 in mfa=shop:main/0',
    '100 <0.80.0> s1 spawn child=<0.81.0> mfa=prices:init/0',
    '110 <0.81.0> s1 register name=prices',
    '120 <0.80.0> s1 spawn child=<0.82.0> mfa=worker:init/0',
    '130 <0.81.0> s2 in mfa=prices:init/0',
    '900 <0.81.0> s2 out mfa=gen_server:loop/7',
  ];
  let at = 1000;
  for (let i = 0; i < 3 + random(4); i++) {
    const words = 1 + random(50);
    const work = 200 + random(900);
    at += slow * (300 + random(2000));
    out.push(`${at} <0.80.0> s1 send to=<0.81.0> words=${words} hash=${(i + 1).toString(16)}`);
    at += 5 + random(200);
    out.push(`${at} <0.81.0> s2 in mfa=gen_server:loop/7`);
    out.push(`${at + 10} <0.81.0> s2 receive words=${words} hash=${(i + 1).toString(16)}`);
    out.push(`${at + 20} <0.81.0> s2 call mfa=prices:find/1`);
    out.push(`${at + 30} <0.81.0> s2 gc_minor_start heap=500`);
    out.push(`${at + 30 + random(100)} <0.81.0> s2 gc_minor_end heap=${100 + random(300)}`);
    out.push(`${at + work * slow} <0.81.0> s2 return_to mfa=prices:handle/1`);
    at += work * slow + 50;
    out.push(`${at} <0.81.0> s2 out mfa=gen_server:loop/7`);
  }
  out.push(`${at} <0.82.0> s2 in mfa=worker:init/0`);
  if (random(2)) out.push(`${at + 5} <0.82.0> s2 exit reason="${['normal', 'badarg', '{noproc,x}'][random(3)]}"`);
  out.push(`${at + 5} <0.82.0> s2 out mfa=worker:init/0`);
  out.push(`${at + 10} <0.80.0> s1 out mfa=shop:main/0`);
  const cpu = Math.floor(at / 2) + random(at >> 5);
  const queue = Math.floor(at * (machine === 'b' ? 0.4 : 0.01)) + random(40);
  out.push(
    `${at + 20} - - thread name="1_scheduler" tid=11 cpu=${cpu}us queue=${queue}us
    voluntary=3 involuntary=${random(20)}`.replace(/\s+/g, ' '),
  );
  out.push(`${at + 20} - - thread name="async_1" tid=12 cpu=77 queue=99 voluntary=1 involuntary=1`);
  return out;
}

function makeRun(n, of) {
  const t0 = BigInt(Date.parse(`${of.day}T12:00:00Z`)) * 1000000n + BigInt(n);
  const lost = random(3) ? '' : ` lost.messages=${1 + random(90)}`;
  const text = lines(of).map((l) => l.replace(/^\d+/, (us) => String(t0 + 1000n * BigInt(us))));
  writeFileSync(
    join(folder, `${n}.txt`),
    `@meta node=${of.service}@${of.machine} wall schedulers=2${lost}\n${text.join('\n')}\n`,
  );
}

// rows as objects; an empty field is NULL, and a whole number is one
function csv(text) {
  const [head, ...rows] = text
    .trimEnd()
    .split('\r\n')
    .map((line) =>
      [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)]
        .slice(0, line.endsWith(',') ? undefined : -1)
        .map((m) => m[1]),
    );
  const value = (f) =>
    f === '' ? null : /^-?\d+$/.test(f) ? Number(f) : f.replace(/^"(.*)"$/, '$1').replaceAll('""', '"');
  return rows.map((r) => Object.fromEntries(head.map((name, i) => [name, value(r[i])])));
}

// Appends 24 profiles to the dataset `fleet` and returns their rows, table by table, with the columns of the dataset.
export function makeFleet() {
  const tables = { process: [], wait: [], thread: [], loss: [], message_edge: [], function: [] };
  const all = services.flatMap((service) =>
    releases.flatMap((release) =>
      days.flatMap((day) => machines.map((machine) => ({ service, release, day, machine }))),
    ),
  );
  for (const [n, of] of all.entries()) makeRun(n, of);
  for (const service of services)
    for (const release of releases) {
      const mine = all.flatMap((of, n) => (of.service === service && of.release === release ? [`${n}.txt`] : []));
      const r = run(
        'export',
        ...mine,
        '--to',
        'parquet',
        '--dataset',
        'fleet',
        '--label',
        `service=${service}`,
        '--label',
        `release=${release}`,
      );
      check(
        `${mine.length} profiles of ${service} ${release}`,
        r.status === 0 && r.stdout.trim().split('\n').length === mine.length,
        r.stderr,
      );
    }
  for (const [n, of] of all.entries()) {
    run('export', `${n}.sbp`, '--to', 'csv', '-o', `${n}.csv`);
    const known = { ...of, date: of.day, node: `${of.service}@${of.machine}`, run: n };
    for (const [table, rows] of Object.entries(tables))
      for (const row of csv(readFileSync(join(folder, `${n}.csv`, `${table}.csv`), 'utf8')))
        rows.push({ ...row, ...known });
  }
  return tables;
}

// ---- the slow way
const total = (rows, column) => rows.reduce((sum, r) => sum + (r[column] ?? 0), 0);
const most = (rows, column) => Math.max(...rows.map((r) => r[column]));
const ratio = (a, b) => (b === 0 ? null : a / b);
const runs = (rows) => new Set(rows.map((r) => r.run)).size;
function groups(rows, ...keys) {
  const by = new Map();
  for (const r of rows) {
    const key = keys.map((k) => r[k]);
    const text = JSON.stringify(key);
    by.set(text, { key, rows: [...(by.get(text)?.rows ?? []), r] });
  }
  return [...by.values()];
}
const answer = (rows, keys, values) => groups(rows, ...keys).map(({ key, rows: of }) => [...key, ...values(of)]);
const process = (t, r, id) => t.process.find((p) => p.run === r.run && p.id === id);
const who = (p) => p.name ?? p.entry;

export const truth = {
  '01_waits.sql': (t) =>
    answer(
      t.wait.filter((w) => process(t, w, w.process).name === 'prices'),
      ['release'],
      (w) => [total(w, 'count'), total(w, 'total_ns') / total(w, 'count') / 1e6, most(w, 'max_ns') / 1e6],
    ),
  '02_lost_cores.sql': (t) =>
    answer(
      t.thread.filter((r) => r.kind === 'normal'),
      ['node'],
      (r) => [
        total(r, 'cpu_ns') / 1e9,
        total(r, 'queue_ns') / 1e9,
        100 * ratio(total(r, 'queue_ns'), total(r, 'queue_ns') + total(r, 'cpu_ns')),
        total(r, 'involuntary'),
      ],
    ),
  '03_late.sql': (t) =>
    answer(t.process, ['service', 'release'], (p) => [
      runs(p),
      100 * ratio(total(p, 'runnable_ns'), total(p, 'runnable_ns') + total(p, 'run_ns')),
    ]),
  '04_garbage.sql': (t) =>
    answer(t.process, ['service', 'date'], (p) => [
      total(p, 'gc_count'),
      total(p, 'gc_ns') / 1e6,
      100 * ratio(total(p, 'gc_ns'), total(p, 'run_ns')),
    ]),
  '05_losses.sql': (t) =>
    answer(
      t.loss.filter((l) => l.events > 0),
      ['node', 'class'],
      (l) => [runs(l), total(l, 'events')],
    ),
  '06_mailboxes.sql': (t) =>
    answer(
      t.process.filter((p) => p.max_queue > 0).map((p) => ({ ...p, who: who(p) })),
      ['service', 'who'],
      (p) => [most(p, 'max_queue'), runs(p)],
    ),
  '07_exits.sql': (t) =>
    answer(
      t.process
        .filter((p) => p.exit_reason && !['normal', 'shutdown'].includes(p.exit_reason))
        .map((p) => ({ ...p, who: who(p) })),
      ['service', 'release', 'who', 'exit_reason'],
      (p) => [p.length, runs(p)],
    ),
  '08_traffic.sql': (t) =>
    answer(
      t.message_edge.map((e) => ({ ...e, from: who(process(t, e, e.sender)), to: who(process(t, e, e.receiver)) })),
      ['from', 'to'],
      (e) => [total(e, 'count'), total(e, 'total_words')],
    ),
  '09_mailbox_time.sql': (t) =>
    answer(
      t.message_edge.filter((e) => e.matched > 0).map((e) => ({ ...e, who: who(process(t, e, e.receiver)) })),
      ['who', 'release'],
      (e) => [total(e, 'matched'), total(e, 'latency_ns') / total(e, 'matched') / 1e3, most(e, 'max_latency_ns') / 1e3],
    ),
  '10_functions.sql': (t) =>
    answer(
      t.function.filter((f) => f.calls > 0 && !['suspend', 'garbage_collect'].includes(f.mfa)),
      ['mfa', 'release'],
      (f) => [total(f, 'calls'), total(f, 'own_ns') / total(f, 'calls') / 1e3],
    ),
};

// ---- comparison; the statements round to three digits
const cell = (v) =>
  v === null || v === undefined ? 'NULL' : typeof v === 'string' && !/^-?[\d.]+$/.test(v) ? v : Number(v);
const near = (x, y) => x === y || (typeof x === 'number' && typeof y === 'number' && Math.abs(x - y) <= 0.0011);
const sorted = (rows) =>
  rows
    .map((r) => [r, JSON.stringify(r)])
    .sort((x, y) => (x[1] < y[1] ? -1 : 1))
    .map((r) => r[0]);

// Compares the answer of a database, rows of cells, with the truth; keys are texts and come first.
export function compare(label, name, got, wanted) {
  const keyed = (rows) => sorted(rows.map((r) => r.map(cell)));
  const g = keyed(got),
    w = keyed(wanted);
  const same =
    g.length === w.length && g.every((row, i) => row.length === w[i].length && row.every((v, k) => near(v, w[i][k])));
  check(
    `${label}: ${name.replace('.sql', '')}, ${w.length} rows`,
    same && w.length > 0 && w.length <= 20,
    `\n${JSON.stringify(g)}\n${JSON.stringify(w)}`,
  );
}
