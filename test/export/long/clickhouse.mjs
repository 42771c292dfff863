#!/usr/bin/env node
// The questions of examples/fleet in ClickHouse, as they are, and the slow way. Debian's ClickHouse of 2018 reads no
// Parquet, so DuckDB hands it the rows as text.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { check, finish, folder, root } from '../../js/check.mjs';
import { compare, makeFleet, names, question, truth, views } from '../../js/fleet.mjs';
import { duckdb } from '../../js/tables.mjs';

const program = (path) => join(root, 'build/deps', path);
const server = program('clickhouse-server/usr/sbin/clickhouse-server');
if (!existsSync(server)) {
  console.log('ok ClickHouse # SKIP this release of Debian has none');
  process.exit(0);
}
const port = await new Promise((done) => {
  const s = createServer().listen(0, '127.0.0.1', () => {
    const { port } = s.address();
    s.close(() => done(port));
  });
});
const data = join(folder, 'clickhouse');
mkdirSync(data);
writeFileSync(
  join(data, 'config.xml'),
  `<yandex><logger><level>warning</level><console>1</console></logger>
   <listen_host>127.0.0.1</listen_host><tcp_port>${port}</tcp_port><path>${data}/</path>
   <tmp_path>${data}/tmp/</tmp_path>
   <mark_cache_size>5000000</mark_cache_size><users_config>users.xml</users_config>
   <default_profile>default</default_profile><default_database>default</default_database></yandex>`,
);
writeFileSync(
  join(data, 'users.xml'),
  `<yandex><profiles><default/></profiles><quotas><default/></quotas><users><default><password/>
   <networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default></users></yandex>`,
);
const log = openSync(join(data, 'log'), 'w');
const running = spawn(server, [`--config-file=${join(data, 'config.xml')}`], { stdio: ['ignore', log, log] });
let ended = false;
running.on('exit', () => (ended = true));
process.on('exit', () => running.kill('SIGKILL'));

function ask(statement, rows) {
  const args = ['--host', '127.0.0.1', '--port', String(port), '--query', statement];
  return execFileSync(program('clickhouse-client/usr/bin/clickhouse-client'), args, {
    encoding: 'utf8',
    stdio: [rows ? openSync(rows, 'r') : 'ignore', 'pipe', 'pipe'],
  });
}
async function version() {
  for (;;) {
    try {
      return ask('select version()').trim();
    } catch (error) {
      if (ended) throw error;
      await new Promise((r) => setTimeout(r, 100));
    }
  }
}
check(`ClickHouse ${await version()} runs`, true);

const tables = makeFleet();
process.chdir(join(folder, 'fleet'));
const db = await duckdb();
await db.rows(views);
const types = { BIGINT: 'Int64', VARCHAR: 'String', DATE: 'Date' };
for (const table of Object.keys(tables)) {
  const columns = (await db.rows(`describe ${table}`)).map(
    (c) => `"${c.column_name}" Nullable(${types[c.column_type]})`,
  );
  const file = join(folder, `${table}.tsv`);
  await db.rows(`copy ${table} to '${file}' (format csv, header false, delimiter '\t', nullstr '\\N', quote '')`);
  ask(`create table "${table}" (${columns.join(', ')}) engine = Memory`);
  ask(`insert into "${table}" format TabSeparated`, file);
}
for (const name of names) {
  const got = ask(question(name))
    .trim()
    .split('\n')
    .map((line) => line.split('\t'));
  compare(
    'ClickHouse',
    name,
    got.map((row) => row.map((v) => (v === '\\N' ? null : v))),
    truth[name](tables),
  );
}
finish();
