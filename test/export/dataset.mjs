#!/usr/bin/env node
// A dataset of profiles, read as one with DuckDB: the tables of each profile, under its labels, once; a partition is
// whole or not there.
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { check, equal, finish, folder, root, run, strobe, synth } from '../js/check.mjs';
import { duckdb, hyparquet } from '../js/tables.mjs';

const db = await duckdb();
const odd = "1/2 = 'é' .. %41 # {x}";
const D = join(folder, 'D');
const of = (table, where = D) => `read_parquet('${where}/**/${table}.parquet', hive_partitioning = true)`;
function append(profiles, ...labels) {
  const r = run('export', ...profiles, '--to', 'parquet', '--dataset', D, ...labels.flatMap((l) => ['--label', l]));
  if (r.status !== 0) throw new Error(r.stderr);
  return r.stdout.trim().split('\n');
}
function trace(name, node, day, lines) {
  const at = (ns) => `${BigInt(Date.parse(day)) * 1000000n + BigInt(ns)}`;
  writeFileSync(
    join(folder, name),
    `@meta node=${node} wall\n${lines.map(([ns, what]) => `${at(ns)} ${what}\n`).join('')}`,
  );
}
const stays = (n) =>
  [...Array(n)].flatMap((_, i) => [
    [i * 100, `<0.8${i}.0> s1 in mfa=shop:main/0`],
    [i * 100 + 50, `<0.8${i}.0> s1 out mfa=shop:main/0`],
  ]);

trace('a.txt', 'shop@a', '2026-11-28T23:59:59Z', stays(2));
trace('b.txt', 'shop@b', '2026-11-29T00:00:01Z', stays(3));
run('analyze', 'a.txt', 'b.txt', '-o', 'both.sbp');
const [a, b] = append(['a.txt', 'b.txt'], 'service=shop', `rel=${odd}`);
const [both] = append(['both.sbp'], 'service=shop', 'rel=2');
check(
  'a partition is named by labels, date, node and run',
  /^service=shop\/rel=[^/]+\/date=2026-11-28\/node=shop@a\/run=r[0-9a-f]{16}$/.test(a.slice(D.length + 1)),
  a,
);
check('the day is that of the recording', b.includes('/date=2026-11-29/node=shop@b/'), b);
check('a profile of two nodes is one partition', both.includes('/node=shop@a+1/'), both);
equal(
  'a label reads as it was given',
  await db.one(`select distinct rel from ${of('process')} where node = 'shop@a'`),
  odd,
);
equal(
  'partitions are columns',
  await db.one(`select count(distinct (service, rel, date, node, run)) from ${of('node')}`),
  3,
);

const tables = readdirSync(a).map((f) => f.replace('.parquet', ''));
const wrong = [];
const counts = tables.map((t) => `select '${t}' as t, count(*) as n from "${t}"`).join(' union all ');
for (const [path, profile] of [
  [a, 'a.sbp'],
  [b, 'b.sbp'],
  [both, 'both.sbp'],
])
  for (const { t, n } of JSON.parse(run('query', profile, counts, '--format', 'json').stdout)) {
    const has = await db.one(`select count(*) from '${path.replaceAll("'", "''")}/${t}.parquet'`);
    if (Number(has) !== n) wrong.push(`${profile} ${t} ${has}`);
  }
equal(`all rows of ${tables.length} tables are there`, wrong.join(', '), '');
equal(
  'a process finds its node',
  await db.one(`select string_agg(distinct n.name, ' ' order by n.name)
  from ${of('process')} p join ${of('node')} n on n.run = p.run and n.id = p.node_id where p.rel = '2'`),
  'shop@a shop@b',
);

// the schema of this version: a column may be added; one that goes, or has another type, needs a new version
const { meta } = await hyparquet(join(a, 'slice.parquet'));
const facts = Object.fromEntries(meta.key_value_metadata.map((f) => [f.key, f.value]));
const header = readFileSync(join(root, 'src/export/dataset.h'), 'utf8');
const version = /#define SB_DATASET_SCHEMA "(\d+)"/.exec(header)[1];
equal('files say their schema', facts['strobe.schema'], version);
const columns = new Set();
for (const t of tables)
  for (const c of await db.rows(`describe select * from '${a.replaceAll("'", "''")}/${t}.parquet'`))
    columns.add(`${t}.${c.column_name} ${c.column_type}`);
const known = readFileSync(join(root, 'test/export/dataset.columns'), 'utf8').trim().split('\n');
equal(
  'the version changes with the schema',
  `${known[0]} ${known.slice(1).filter((c) => !columns.has(c))}`,
  `schema ${version} `,
);

// once, however often
writeFileSync(join(a, 'stray.parquet'), '');
equal(
  'the same profile has the same place',
  append(['a.sbp', 'a.sbp'], 'service=shop', `rel=${odd}`).join(' '),
  `${a} ${a}`,
);
check('it is replaced', !existsSync(join(a, 'stray.parquet')), '');
equal('and not doubled', await db.one(`select count(*) from ${of('slice')}`), 2 + 3 + 5);
const elsewhere = join(folder, 'elsewhere');
renameSync(b, elsewhere);
symlinkSync(elsewhere, b);
append(['b.sbp'], 'service=shop', `rel=${odd}`);
check('a link is replaced, and what it led to stays', existsSync(join(elsewhere, 'slice.parquet')), '');
equal('files hold the whole profile again', readdirSync(b).length, tables.length);
mkdirSync(join(folder, 'empty'));
equal('an empty folder becomes a dataset', run('export', 'a.sbp', '--to', 'parquet', '--dataset', 'empty').status, 0);
equal(
  'nothing is left beside datasets',
  readdirSync(folder)
    .filter((f) => f.includes('unfinished'))
    .join(' '),
  '',
);

// killed in the middle
synth('large.sbp', 300000);
const K = join(folder, 'K');
const unfinished = () => readdirSync(folder).filter((f) => f.startsWith('K.unfinished-'));
const writes = () => unfinished().some((f) => existsSync(join(folder, f, 'new', 'process.parquet')));
async function killed() {
  let over = false;
  const child = spawn(strobe, ['export', 'large.sbp', '--to', 'parquet', '--dataset', K], { cwd: folder });
  const ended = new Promise((done) =>
    child.on('exit', (_, signal) => {
      over = true;
      done(signal);
    }),
  );
  while (!over && !writes()) await new Promise((r) => setTimeout(r, 1));
  child.kill('SIGKILL');
  if ((await ended) === 'SIGKILL') return true;
  rmSync(K, { recursive: true }); // it was faster
  return false;
}
let tries = 20;
while (!(await killed()) && --tries > 0);
check('it is killed while it writes', tries > 0, '20 were faster');
equal(
  'a killed export leaves no partition',
  readdirSync(K, { recursive: true })
    .filter((f) => f.endsWith('.parquet'))
    .join(' '),
  '',
);
const left = unfinished().length;
const cleaned = run('clean', 'K', '--format', 'csv').stdout;
equal('clean removes what it left', `${cleaned.split(',no,removed').length - 1} ${unfinished().length}`, `${left} 0`);
equal('the next one is whole', run('export', 'large.sbp', '--to', 'parquet', '--dataset', 'K').status, 0);
equal('with all slices', await db.one(`select count(*) from ${of('slice', K)}`), 300000);
finish();
