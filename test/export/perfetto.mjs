#!/usr/bin/env node
// What Perfetto's own trace processor says of the perfetto and chrome exports: spans, states, flows, counters are ours.
import { check, equal, exported, finish, synth } from '../js/check.mjs';
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
finish();
