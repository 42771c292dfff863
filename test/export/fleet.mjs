#!/usr/bin/env node
// The questions of examples/fleet to a dataset of 24 profiles, by DuckDB and the slow way.
import { join } from 'node:path';
import { check, equal, finish, folder, run } from '../js/check.mjs';
import { compare, makeFleet, names, question, truth, views } from '../js/fleet.mjs';
import { duckdb } from '../js/tables.mjs';

const tables = makeFleet();
process.chdir(join(folder, 'fleet'));
const db = await duckdb();
await db.rows(views);
equal('ten questions', names.join(' '), Object.keys(truth).join(' '));
for (const name of names) compare('DuckDB', name, await db.cells(question(name)), truth[name](tables));
const slowest = (await db.cells(question('01_waits.sql')))[0][0];
equal('the release that was made to wait longer does', slowest, '2.0');
const busiest = await db.cells(question('02_lost_cores.sql'));
check(
  'the machines that were made to lose their cores do',
  busiest.slice(0, 2).every((r) => r[0].endsWith('@b')),
  busiest,
);
run('export', join(folder, '0.sbp'), '--to', 'parquet', '--dataset', 'plain');
process.chdir(join(folder, 'plain'));
const plain = await duckdb();
await plain.rows(views);
equal('a dataset without labels', await plain.one('select count(distinct run) from process'), 1);
finish();
