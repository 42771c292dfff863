#!/usr/bin/env node
// The view Difference of two profiles: it shows what `strobe diff` says, which adds up to the accounts in the profiles.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  axePath,
  browser,
  cells,
  equal,
  finish,
  folder,
  go,
  ok,
  open,
  query,
  record,
  ROOT,
  saved,
  serve,
  settled,
  STROBE,
  unfold,
  until,
} from './lib.mjs';

const CALLS = ['--trace', 'all,calls', '--module', 'prices', '--module', 'bottleneck'];
const [a, b] = ['60000', '100000'].map((n, i) => record(`shop${i}`, [...CALLS, '--limit-events', n]));
const made = join(folder, 'made.sbt');
const size = ['--events', '5000', '--processes', '10', '--schedulers', '2'];
execFileSync(join(ROOT, 'build/strobe-gen'), [...size, '-o', made]);
const said = (...of) => JSON.parse(execFileSync(STROBE, ['diff', ...of, '--format', 'json'], { encoding: 'utf8' }));
const rows = said(a, b);
const server = await serve(a, b);
const get = (path, headers = {}) =>
  fetch(`${server.origin}/api/${path}`, { headers: { 'X-Strobe-Token': server.token, ...headers } });

// ---- the route
equal(
  'as strobe diff',
  JSON.stringify((await (await get('diff?with=1&format=json')).json()).diff),
  JSON.stringify(rows),
);
equal(
  'and the other way round',
  JSON.stringify((await (await get('diff?profile=1&with=0&format=json')).json()).diff),
  JSON.stringify(said(b, a)),
);
equal('without another profile', (await get('diff')).status, 400);
equal('one that is not served', (await get('diff?with=2')).status, 400);
const tag = (await get('diff?with=1')).headers.get('etag');
equal('an answer that is known is not sent again', (await get('diff?with=1', { 'If-None-Match': tag })).status, 304);
equal('that of another pair is', (await get('diff?with=0', { 'If-None-Match': tag })).status, 200);
for (const [side, profile] of Object.entries({ a, b })) {
  const account = query(profile, 'SELECT part, sum(ns) AS ns, sum(share) AS share FROM account GROUP BY part');
  const found = rows.filter((r) => r.kind === 'account');
  const differ = account.filter(({ part, ns, share }) => {
    const r = found.find((row) => row.subject === part);
    return r ? r[side] !== ns || Math.abs(100 * r[`${side}_share`] - share) > 1e-6 : share > 1e-3;
  });
  ok(`${side}: the account is that of the profile`, account.length > 3 && !differ.length, JSON.stringify(differ));
}
ok(
  'a difference is that of both sides',
  rows.every((r) => r.difference === (r.a === null || r.b === null ? null : r.b - r.a)),
);

// ---- the view
/** The tables: the kinds of rows in them. */
const TABLES = {
  'The run': ['length', 'work', 'lane', 'memory'],
  Groups: ['group'],
  Functions: ['function'],
  'Calls of functions': ['calls'],
  Servers: ['round_trip_p50', 'round_trip_p99', 'service_p50', 'service_p99', 'request_work', 'request_share'],
  Waits: ['wait'],
  Messages: ['messages'],
  'Sizes of messages': ['message_words'],
  'Garbage collection': ['gc'],
};
const chromium = await browser();
const COLUMNS = ['a', 'b', 'difference', 'change'];
const shown = (v) => (v === null ? 'null' : String(v));
async function tablesOf(page, name, wanted) {
  for (const [label, kinds] of Object.entries(TABLES)) {
    const of = wanted.filter((r) => kinds.includes(r.kind) && r.difference !== 0);
    if (!of.length) continue;
    const region = page.getByRole('region', { name: label, exact: true });
    equal(
      `${name}: ${label}: all that differ`,
      await region.locator('table').getAttribute('aria-rowcount'),
      of.length + 1,
    );
    for (const column of COLUMNS) {
      const got = await cells(page, label, column);
      const all = of.slice(0, got.length).map((r) => shown(r[column]));
      ok(`${name}: ${label}: ${column}`, got.length > 0 && got.join() === all.join(), `${got}, not ${all}`);
    }
  }
}
/** Both bars: the part of the axis that they take, against the sums of the accounts. */
async function barsOf(page) {
  const sum = (side) => rows.filter((r) => r.kind === 'account').reduce((n, r) => n + r[side], 0);
  const most = Math.max(sum('a'), sum('b'));
  const widths = await page.locator('.two-bars .account-bar').evaluateAll((all) =>
    all.map((bar) => {
      const ends = [...bar.children].map((i) => i.getBoundingClientRect().right);
      const { left, width } = bar.getBoundingClientRect();
      return (Math.max(...ends) - left) / width;
    }),
  );
  ok(
    'both accounts are on one axis',
    widths.length === 2 && ['a', 'b'].every((side, i) => Math.abs(widths[i] - sum(side) / most) < 0.005),
    widths,
  );
  const account = rows.filter((r) => r.kind === 'account');
  const label = 'The accounts of scheduler time';
  const size = (r) => Math.abs(r.difference);
  account.sort((x, y) => size(y) - size(x));
  for (const column of [...COLUMNS, 'a_share', 'b_share'])
    equal(
      `${label}: ${column}`,
      (await cells(page, label, column)).join(),
      account.map((r) => shown(r[column])).join(),
    );
}
// ---- the calls of both
/** The frames of a run by path: function, and share of the time without waiting. */
async function framesOf(profile) {
  const { meta, call } = await (await get(`calls?n=2800&profile=${profile}&format=json`)).json();
  const byId = new Map(call.map((row) => [row.id, row]));
  const path = (row) => (row ? `${path(byId.get(row.parent))} ${row.mfa}` : '');
  return new Map(call.filter((r) => !r.more).map((r) => [path(r), { mfa: r.mfa, share: r.run / meta.total_run }]));
}
const [inA, inB] = [await framesOf(0), await framesOf(1)];
async function callsOf(page, name) {
  const canvas = page.getByRole('img', { name: 'Calls by the difference of their shares' });
  await canvas.scrollIntoViewIfNeeded();
  await settled(page);
  const colours = await canvas.evaluate((c) => {
    const { data } = c.getContext('2d').getImageData(0, 0, c.width, c.height);
    let [red, blue] = [0, 0];
    for (let i = 0; i < data.length; i += 4) {
      red += data[i] > data[i + 2] + 25;
      blue += data[i + 2] > data[i] + 45;
    }
    return { red, blue };
  });
  ok(`${name}: calls: red and blue`, colours.red > 500 && colours.blue > 500, JSON.stringify(colours));
  await unfold(page, 'The frames of both');
  const frames = await saved(page, 'The frames of both');
  equal(`${name}: calls: all frames of B`, frames.length, inB.size);
  const digits = (share) => share.toFixed(9);
  const shown = new Set(frames.map((f) => `${f.function} ${digits(f.share_of_a / 1e6)} ${digits(f.share_of_b / 1e6)}`));
  const both = [...inB].filter(([path]) => inA.has(path));
  const missing = both.filter(
    ([path, { mfa, share }]) => !shown.has(`${mfa} ${digits(inA.get(path).share)} ${digits(share)}`),
  );
  ok(
    `${name}: calls: shares of both runs`,
    both.length > 20 && !missing.length,
    `${missing.length} of ${both.length}: ${missing[0]}`,
  );
}
async function axe(page, name) {
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
  ok(`axe: ${name}`, violations.length === 0, violations.map((v) => `${v.id} (${v.nodes[0].target})`).join(', '));
}

for (const [scheme, width] of [
  ['light', 1024],
  ['dark', 1920],
]) {
  const context = await chromium.newContext({ viewport: { width, height: 900 }, colorScheme: scheme });
  await context.addInitScript({ path: axePath() });
  const asked = [];
  context.on('request', (r) => asked.push(new URL(r.url()).pathname));
  const page = await open(context, server.url);
  await settled(page);
  const scripts = () => asked.filter((path) => path.endsWith('.js')).join(' ');
  equal(`${scheme}: the first view needs no other script`, scripts(), '');
  await page.keyboard.press('g');
  await page.keyboard.press('d');
  await settled(page);
  equal(`${scheme}: the view asks for one`, scripts(), '/diff.js');
  const note = await page.getByRole('note').innerText();
  ok(
    `${scheme}: says what one run cannot tell`,
    /One run on a side: a change cannot be told from noise/.test(note),
    note,
  );
  await tablesOf(page, scheme, rows);
  await barsOf(page);
  await callsOf(page, scheme);
  ok(
    `${scheme}: fits into ${width} pixels`,
    await page.evaluate(() => document.querySelector('main').scrollWidth <= document.querySelector('main').clientWidth),
  );
  await axe(page, `${scheme}`);
  await page.getByRole('button', { name: 'Swap A and B' }).focus();
  await page.keyboard.press('Enter');
  await settled(page);
  equal(`${scheme}: swapped: the address`, await page.evaluate(() => location.hash), '#/diff?profile=1&with=0');
  await tablesOf(page, `${scheme}, swapped`, said(b, a));
  equal(`${scheme}: complains of nothing`, page.complaints.join(' | '), '');
  await context.close();
}

// ---- others
const all = join(folder, 'all');
mkdirSync(all);
copyFileSync(a, join(all, 'a.sbp'));
copyFileSync(made, join(all, 'b.sbt'));
const lazy = await serve(all);
const page = await open(await chromium.newContext({ viewport: { width: 1400, height: 900 } }), lazy.url);
await settled(page);
await go(page, '#/diff');
ok('a trace of a folder is analysed first', await until(() => page.getByRole('region', { name: 'The run' }).count()));
ok('and compared', (await cells(page, 'The run', 'b')).includes(shown(said(a, made)[0].b)));
await page.getByRole('button', { name: 'Swap A and B' }).click();
await settled(page);
equal('the choice is in the address', await page.evaluate(() => location.hash), '#/diff?profile=1&with=0');
equal('ends in order', await lazy.stop(), 0);

/** A run with ten samples of the CPU: `n` of them in m:f/0, the others in m:g/0, under m:start/0. */
function sampled(name, n) {
  const trace = join(folder, `${name}.txt`);
  const profile = join(folder, `${name}.sbp`);
  const frames = ['m:start/0', 'm:f/0', 'm:g/0'].map(
    (mfa, i) => `10 - - cpu_frame name="${mfa}" number=${i + 1} caller=${i ? 1 : 0} kind=0\n`,
  );
  const samples = Array.from({ length: 10 }, (_, i) => `${20 + i} - - cpu_sample tid=41 stack=${i < n ? 2 : 3}\n`);
  writeFileSync(
    trace,
    `@meta node=n@h schedulers=1 recorded=procs,running,cpu
0 <0.9.0> s1 spawned parent=<0.1.0> mfa=m:start/0
0 - - thread name="1_scheduler" tid=41 cpu=0 queue=0 voluntary=0 involuntary=0
5 <0.9.0> s1 in mfa=m:start/0
${frames.join('')}${samples.join('')}100 <0.9.0> s1 exit reason=normal
`,
  );
  execFileSync(STROBE, ['analyze', trace, '-o', profile], { stdio: 'ignore' });
  return profile;
}
const cpu = await serve(sampled('c', 7), sampled('d', 10));
const flame = await open(await chromium.newContext({ acceptDownloads: true }), cpu.url);
await settled(flame);
for (const [widths, wanted] of [
  ['', 'm:f/0 700000 1000000 300000, m:start/0 1000000 1000000 0'],
  ['&widths=a', 'm:f/0 700000 1000000 300000, m:g/0 300000 0 -300000, m:start/0 1000000 1000000 0'],
]) {
  await go(flame, `#/diff?open=the-frames-of-both${widths}`);
  const got = (await saved(flame, 'The frames of both')).map(
    (f) => `${f.function} ${[f.share_of_a, f.share_of_b, f.difference].map(Math.round).join(' ')}`,
  );
  equal(`samples of the CPU${widths}`, got.sort().join(', '), wanted);
}
equal('ends in order', await cpu.stop(), 0);
// ---- in one file, without a server
const file = join(folder, 'two.html');
execFileSync(STROBE, ['report', a, '--with', b, '--format', 'html', '-o', file]);
const offline = await open(await chromium.newContext({ offline: true }), `file://${file}#/diff`);
await settled(offline);
await tablesOf(offline, 'in one file', rows);
equal('in one file: no other profile to choose', await offline.getByRole('combobox').count(), 0);
await unfold(offline, 'The frames of both');
const kept = (await saved(offline, 'The frames of both')).filter(
  (f) => f.caller === '' && f.share_of_a && f.share_of_b,
);
const share = (of, fn) => (of.get(` ${fn}`)?.share ?? NaN).toFixed(6);
ok(
  'in one file: the calls of both',
  kept.length > 0 &&
    kept.every((f) =>
      [
        [inA, f.share_of_a],
        [inB, f.share_of_b],
      ].every(([of, ppm]) => share(of, f.function) === (ppm / 1e6).toFixed(6)),
    ),
  JSON.stringify(kept.slice(0, 2)),
);
equal('in one file: complains of nothing', offline.complaints.join(' | '), '');
execFileSync(STROBE, ['report', a, '--format', 'html', '-o', file]);
const of1 = await open(await chromium.newContext({ offline: true }), `file://${file}#/diff`);
await settled(of1);
ok('one profile in one file: says what to do', /--with OTHER/.test(await of1.locator('.empty').innerText()));
const one = await serve(a);
const alone = await open(await chromium.newContext(), one.url);
await settled(alone);
equal('one profile: there is no entry', await alone.getByRole('link', { name: 'Difference' }).count(), 0);
await go(alone, '#/diff');
ok('and the view says what to do', /strobe serve .*OTHER/.test(await alone.locator('.empty').innerText()));
equal('ends in order', await one.stop(), 0);
await chromium.close();
equal('ends in order', await server.stop(), 0);
finish();
