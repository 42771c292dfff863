#!/usr/bin/env node
// What Perfetto's own trace processor says of the perfetto and chrome exports: spans, states, flows, counters are ours.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, equal, exported, finish, folder, root, synth } from '../js/check.mjs';
import { open_trace } from '../js/trace_processor.mjs';

const known = synth('t.sbp', 2000);
synth('none.sbp', 0);
const one = async (t, sql) => Object.values((await t.query(sql))[0])[0];

for (const [format, file] of [
  ['perfetto', 't.pftrace'],
  ['chrome', 't.json'],
]) {
  const t = await open_trace(exported('t.sbp', format, file));
  const lane = `from slice s join thread_track t on s.track_id = t.id join thread using (utid)
     where thread.name like 'scheduler%'`;
  equal(
    `${format}: no complaint`,
    JSON.stringify(
      await t.query("select name, value from stats where value > 0 and severity in ('error', 'data_loss')"),
    ),
    '[]',
  );
  equal(`${format}: stays on schedulers`, await one(t, `select count(*) ${lane} and s.name != 'gc'`), known.slices);
  equal(`${format}: their time`, await one(t, `select sum(s.dur) ${lane} and s.name != 'gc'`), known.slice_ns);
  equal(`${format}: collections`, await one(t, `select sum(s.dur) ${lane} and s.name = 'gc'`), known.gc_ns);
  equal(`${format}: collections lie inside stays`, await one(t, `select min(s.depth) ${lane} and s.name = 'gc'`), 1);
  equal(`${format}: stays are never inside stays`, await one(t, `select max(s.depth) ${lane} and s.name != 'gc'`), 0);
  const state = (s) => one(t, `select sum(dur) from slice where name = '${s}'`);
  equal(`${format}: running of processes`, await state('running'), known.slice_ns);
  equal(`${format}: waiting`, await state('waiting'), known.wait_ns);
  equal(`${format}: runnable`, await state('runnable'), known.runnable_ns);
  equal(`${format}: messages are flows`, await one(t, 'select count(*) from flow'), known.messages);
  equal(
    `${format}: values over time`,
    await one(
      t,
      `select cast(sum(value) as int) from counter c join track t on c.track_id = t.id
       where t.name like 'run_queue%' or t.name like 'memory%'`,
    ),
    4500,
  );
  const area = await one(
    t,
    `select cast(sum(value * width) as int) from (select value, lead(ts) over (order by ts) - ts as width
    from counter c join track t on c.track_id = t.id where t.name like 'processes running')`,
  );
  check(
    `${format}: processes running over time`,
    Math.abs(area - known.slice_ns) <= known.slice_ns / 1e3,
    `${area}, wanted ${known.slice_ns}`,
  );
  const names = (await t.query(`select distinct s.name ${lane}`)).map((r) => r.name);
  for (const name of ['<T>&"q".run/0', "'a;b':'c d'/1", "mod:'日本語 größe'/2"])
    check(`${format}: ${name}`, names.includes(name), names.join(' '));
  check(
    `${format}: a name of 255 characters`,
    names.some((n) => n.length > 220),
    names.join(' '),
  );
  t.close();
  const file2 = exported(
    't.sbp',
    format,
    `part-${file}`,
    '--since',
    '200us',
    '--until',
    '700us',
    '--process',
    '<0.83.0>',
  );
  const part = await open_trace(file2);
  equal(
    `${format}: a window and a process`,
    await one(
      part,
      `select count(distinct ${
        format === 'perfetto'
          ? "extract_arg(s.arg_set_id, 'debug.process')"
          : "extract_arg(s.arg_set_id, 'args.process')"
      }) ${lane}`,
    ),
    1,
  );
  equal(
    `${format}: nothing is outside of the window`,
    await one(part, 'select count(*) from slice where ts < 200000 or ts + dur > 700000'),
    0,
  );
  part.close();
  const none = await open_trace(exported('none.sbp', format, `none-${file}`));
  equal(`${format}: an empty profile is valid`, await one(none, 'select count(*) from slice'), 0);
  none.close();
}

// samples of the CPU, of the golden test's trace: one without a stack is left out
const golden = readFileSync(join(root, 'test/golden/engine/cpu.t'), 'utf8');
writeFileSync(join(folder, 'cpu.txt'), golden.split('--- trace\n')[1].split('--- run')[0]);
const t = await open_trace(exported('cpu.txt', 'perfetto', 'cpu.pftrace'));
const sampled = await t.query(`with recursive up(id, at, thread, path, parent) as (
    select p.id, p.ts, thread.name, f.name, c.parent_id from perf_sample p join thread using (utid)
    join stack_profile_callsite c on c.id = p.callsite_id join stack_profile_frame f on f.id = c.frame_id
    union all select up.id, at, thread, f.name || ';' || path, c.parent_id from up
    join stack_profile_callsite c on c.id = up.parent join stack_profile_frame f on f.id = c.frame_id)
  select at || ' ' || thread || ' ' || path as text from up where parent is null order by at`);
equal(
  'perfetto: samples of the CPU',
  sampled.map((r) => r.text).join('\n'),
  `100 scheduler 1 m:start/0;m:f/1
200 scheduler 1 m:start/0;m:f/1;m:g/0;m:f/1
350 scheduler 1 beam.smp:garbage_collect
1000 scheduler 1 beam.smp:garbage_collect
1150 dirty_cpu scheduler 1 m:start/0;m:f/1
1450 scheduler 1 m:start/0;m:h/0`,
);
equal(
  'perfetto: no complaint about samples',
  JSON.stringify(await t.query("select name from stats where value > 0 and severity in ('error', 'data_loss')")),
  '[]',
);
t.close();
finish();
