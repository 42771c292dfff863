#!/usr/bin/env node
// A real program, recorded: what the readers see of its exports is what SQL says of its profile.
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { check, equal, exported, finish, run } from '../js/check.mjs';
import { open_speedscope } from '../js/browser.mjs';
import { duckdb } from '../js/tables.mjs';
import { open_trace } from '../js/trace_processor.mjs';

const program = `
  Echo = spawn(fun F() -> receive {P, X} -> P ! lists:reverse(X), F() end end),
  Run = fun(N) -> [begin Echo ! {self(), lists:seq(1, N)},
                         receive R -> lists:sum(lists:map(fun(X) -> X * X end, R)) end end
                   || _ <- lists:seq(1, 20)] end,
  [receive {'DOWN', M, _, _, _} -> ok end
   || {_, M} <- [spawn_monitor(fun() -> Run(N * 50) end) || N <- lists:seq(1, 8)]],
  init:stop().`;
const recorded = run(
  'record',
  '-o',
  'real.sbt',
  '--trace',
  'all,calls',
  '--module',
  'lists',
  '--',
  'erl',
  '-noshell',
  '-eval',
  program,
);
if (recorded.status !== 0) throw new Error(recorded.stderr);
const sql = (text) => {
  const r = run('query', 'real.sbt', text, '--format', 'json');
  if (r.status !== 0) throw new Error(r.stderr);
  return Number(Object.values(JSON.parse(r.stdout)[0])[0] ?? 0);
};
const stays = sql('select count(*) from slice where scheduler is not null');
const stay_ns = sql('select sum(dur) from slice where scheduler is not null');
const own_ns = sql("select sum(own_ns) from call_node where mfa <> 'suspend'");
check('something was recorded', stays > 20 && own_ns > 0, `${stays} stays, ${own_ns} ns`);

const lane = `from slice s join thread_track t on s.track_id = t.id join thread using (utid)
   where thread.name like '%scheduler%' and s.name != 'gc'`;
for (const [format, file] of [
  ['perfetto', 'real.pftrace'],
  ['chrome', 'real.json'],
]) {
  const t = await open_trace(exported('real.sbt', format, file));
  const [seen] = await t.query(`select count(*) n, sum(s.dur) d ${lane}`);
  equal(`${format}: stays on schedulers`, seen.n, stays);
  equal(`${format}: their time`, seen.d, stay_ns);
  equal(
    `${format}: no complaint`,
    (await t.query("select name from stats where value > 0 and severity in ('error', 'data_loss')")).length,
    0,
  );
  t.close();
}

const speedscope = await open_speedscope();
for (const [format, file] of [
  ['collapsed', 'r.collapsed'],
  ['pprof', 'r.pb.gz'],
  ['speedscope', 'r.speedscope.json'],
])
  equal(
    `${format}: own time`,
    Math.round((await speedscope.read(exported('real.sbt', format, file))).totals[0]),
    own_ns,
  );
await speedscope.close();

const annotated = execFileSync(
  'callgrind_annotate',
  ['--auto=no', '--show-percs=no', exported('real.sbt', 'callgrind', 'r.callgrind')],
  { encoding: 'utf8' },
);
equal('callgrind: own time', annotated.match(/([\d,]+)[^\n]*PROGRAM TOTALS/)[1].replaceAll(',', ''), own_ns);

const db = await duckdb();
const parquet = exported('real.sbt', 'parquet', 'r.parquet');
for (const [table, column] of [
  ['slice', 'dur'],
  ['gc', 'dur'],
  ['process', 'run_ns'],
  ['message', 'words'],
  ['call_node', 'calls'],
])
  equal(
    `parquet: ${table}.${column}`,
    await db.one(`select coalesce(sum(${column}), 0) from '${join(parquet, table)}.parquet'`),
    sql(`select sum(${column}) from ${table}`),
  );
for (const what of ['flame', 'overview', 'schedulers'])
  check(
    `svg: ${what} has a shape`,
    statSync(exported('real.sbt', 'svg', `${what}.svg`, '--what', what)).size > 1500,
    '',
  );
for (const what of ['processes', 'messages', 'calls'])
  execFileSync('dot', ['-Tplain', exported('real.sbt', 'dot', `${what}.dot`, '--what', what)]);
finish();
