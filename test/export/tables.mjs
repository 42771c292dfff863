#!/usr/bin/env node
// Reads the parquet and csv exports with DuckDB and hyparquet: every row, text and NULL must be equal in both and in
// the profile.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { check, equal, exported, finish, run, synth } from '../js/check.mjs';
import { duckdb, hyparquet } from '../js/tables.mjs';

const known = synth('t.sbp', 300000);
synth('none.sbp', 0);
const db = await duckdb();
const sum = (rows, column) => rows.reduce((a, r) => a + Number(r[column]), 0);

const slices = exported('t.sbp', 'parquet', 'slice.parquet', '--table', 'slice');
equal('duckdb: slices', await db.one(`select count(*) from '${slices}'`), known.slices);
equal('duckdb: their time', await db.one(`select sum(dur) from '${slices}'`), known.slice_ns);
equal('duckdb: NULL stays NULL', await db.one(`select count(*) from '${slices}' where port is null`), known.slices);
equal('duckdb: functions', await db.one(`select count(distinct out_function) from '${slices}'`), 5);
equal(
  'duckdb: a text survives',
  await db.one(
    `select count(*) from '${slices}'
     where out_function = 'mod:''日本語 größe''/2' or out_function = '''Elixir.<T>&"q"'':run/0'`,
  ),
  120000,
);
equal(
  'duckdb: skips row groups by their bounds',
  await db.one(`select max(stats_max_value::bigint) from parquet_metadata('${slices}') where path_in_schema = 'start'`),
  await db.one(`select max(start) from '${slices}'`),
);
const small = synth('s.sbp', 2000);
const read = await hyparquet(exported('s.sbp', 'parquet', 's.parquet', '--table', 'slice'));
equal('hyparquet: slices', read.rows.length, small.slices);
equal('hyparquet: their time', sum(read.rows, 'dur'), small.slice_ns);
equal(
  'hyparquet: NULL stays NULL',
  read.rows.filter((r) => r.port === null || r.port === undefined).length,
  small.slices,
);
check(
  'hyparquet: a text survives',
  read.rows.some((r) => r.out_function === "'a;b':'c d'/1"),
  read.rows[0].out_function,
);

const parquet = exported('s.sbp', 'parquet', 'all.parquet'),
  csv = exported('s.sbp', 'csv', 'all.csv');
const tables = readdirSync(parquet);
check('a folder of every table', tables.length > 25 && readdirSync(csv).length === tables.length, tables.join(' '));
const differ = [];
for (const table of tables) {
  const columns = (await db.rows(`describe select * from '${join(parquet, table)}'`)).map(
    (r) => `'${r.column_name}': '${r.column_type}'`,
  );
  const text = `read_csv('${join(csv, table.replace('.parquet', '.csv'))}',
    header = true, quote = '"', escape = '"', columns = {${columns}})`;
  const more = await db.one(`select (select count(*) from (from '${join(parquet, table)}' except all from ${text}))
    + (select count(*) from (from ${text} except all from '${join(parquet, table)}'))`);
  const rows = (await hyparquet(join(parquet, table))).rows.length;
  if (more !== 0n || BigInt(rows) !== (await db.one(`select count(*) from '${join(parquet, table)}'`)))
    differ.push(table);
}
equal('parquet and csv hold the same rows, and hyparquet sees as many', differ.join(' '), '');

const part = ['--since', '100us', '--until', '400us', '--process', '<0.83.0>', '--table', 'slice'];
const want = await db.one(
  `select count(*) from '${join(parquet, 'slice.parquet')}'
   where process = 3 and start < 400000 and start + dur > 100000`,
);
equal(
  'parquet: a window and a process',
  await db.one(`select count(*) from '${exported('s.sbp', 'parquet', 'p.parquet', ...part)}'`),
  want,
);
check('a window and a process hold something', want > 0n && want < BigInt(small.slices) / 7n, want);
const none = exported('none.sbp', 'parquet', 'none.parquet', '--table', 'slice');
equal('an empty profile is valid', await db.one(`select count(*) from '${none}'`), 0);
equal('an empty profile is valid for hyparquet', (await hyparquet(none)).rows.length, 0);
equal(
  'an empty csv has its header',
  await db.one(`select count(*) from read_csv('${exported('none.sbp', 'csv', 'none.csv', '--table', 'slice')}')`),
  0,
);
const refused = run('export', 's.sbp', '--to', 'parquet', '-o', '-');
check('a folder does not go to stdout', refused.status === 2 && refused.stderr.includes('--table'), refused.stderr);
check(
  'parquet is smaller than csv',
  statSync(join(parquet, 'slice.parquet')).size * 3 < statSync(join(csv, 'slice.csv')).size,
  '',
);
finish();
