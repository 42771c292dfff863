#!/usr/bin/env node
// One range, one number: the report, SQL and the routes of the page say the same of a range, also where it cuts spans.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { equal, finish, folder, ok, query, serve, STROBE } from './lib.mjs';

const trace = join(folder, 'trace.txt');
const profile = join(folder, 'trace.sbp');
writeFileSync(
  trace,
  `@meta node=n@h schedulers=2 recorded=procs,running,messages,gc,ports,marks,calls
0 <0.9.0> s1 spawned parent=<0.1.0> mfa=m:start/0
0 <0.9.0> s1 in mfa=m:start/0
100 <0.9.0> s1 call mfa=m:work/1
1200 <0.9.0> s1 gc_minor_start heap=9 block=9 bin=0 old=0 mbuf=0 need=1
1900 <0.9.0> s1 gc_minor_end heap=5 block=9 bin=0 old=0 mbuf=0 need=1
2000 <0.9.0> s1 send to=<0.8.0> words=2 hash=1
2000 <0.8.0> s2 in mfa=m:loop/0
2400 <0.9.0> s1 return_to mfa=m:start/0
2500 <0.9.0> s1 out mfa=m:loop/0
2600 <0.8.0> s2 receive words=2 hash=1
2700 <0.8.0> s2 gc_major_start heap=9 block=9 bin=0 old=0 mbuf=0 need=1
2900 <0.8.0> s2 gc_major_end heap=9 block=9 bin=0 old=0 mbuf=0 need=1
3000 <0.8.0> s2 send to=<0.9.0> words=7 hash=2
3000 <0.8.0> s2 mark text=begins
3000 #Port<0.1> s1 open owner=<0.8.0> driver=efile
3100 #Port<0.1> s1 in mfa=command
3600 #Port<0.1> s1 out mfa=command
4000 <0.8.0> s2 out mfa=m:loop/0
4200 <0.9.0> s2 in mfa=m:loop/0
4300 <0.9.0> s2 receive words=7 hash=2
5000 <0.9.0> s2 mark text=ends
5000 <0.9.0> s2 exit reason=normal
`,
);
execFileSync(STROBE, ['analyze', trace, '-o', profile], { stdio: 'ignore' });
const server = await serve(profile);
const route = async (path) => {
  const r = await fetch(`${server.origin}/api/${path}${path.includes('?') ? '&' : '?'}format=json`, {
    headers: { 'X-Strobe-Token': server.token },
  });
  return r.json();
};
const report = (section, since, until) => {
  try {
    const range = ['--since', `${since}ns`, '--until', `${until}ns`];
    const text = execFileSync(
      STROBE,
      ['report', profile, ...section, ...range, '--limit', '1000', '--format', 'json'],
      {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    return JSON.parse(text);
  } catch (e) {
    return { refused: /^strobe: ([^:]+)/.exec(String(e.stderr))[1] };
  }
};
const help = execFileSync(STROBE, ['report', '--help'], { encoding: 'utf8' });
const sections = [...help.split('sections:')[1].matchAll(/^ {2}(\w+) /gm)].map((m) => m[1]);
ok('all answers are asked', sections.length > 20, sections.join());
const sum = (rows, column) => rows.reduce((n, r) => n + (r[column] ?? 0), 0);
const RANGES = [
  [0, 5000],
  [1500, 2750], // cuts two collections, a slice of each process, and the wait
  [3000, 4300], // begins and ends with moments
];
for (const [t0, t1] of RANGES) {
  const here = `${t0}..${t1}`;
  const all = {};
  for (const name of sections) {
    const about = ['callers', 'function'].includes(name) ? ['m:work/1'] : [];
    const said = report([name, ...about], t0, t1);
    const shown = await route(
      `answer/${name}?since=${t0}&until=${t1}&limit=1000${about.length ? '&subject=m:work/1' : ''}`,
    );
    all[name] = said;
    if (said.refused) ok(`${here} ${name}: both refuse`, shown.error?.startsWith(said.refused), JSON.stringify(shown));
    else
      equal(`${here} ${name}: the route says what the report says`, JSON.stringify(shown.answer), JSON.stringify(said));
  }
  const until = t1 === 5000 ? 5001 : t1; // the last moment of the run is in a range up to its end
  const one = (sql) => query(profile, sql)[0].n ?? 0;
  const inside = `start < ${t1} AND start + dur > ${t0}`;
  const part = `sum(min(start + dur, ${t1}) - max(start, ${t0}))`;
  const spans = (table, more = '1') => one(`SELECT ${part} AS n FROM ${table} WHERE ${inside} AND ${more}`);
  const moments = (table, at) => one(`SELECT count(*) AS n FROM ${table} WHERE ${at} >= ${t0} AND ${at} < ${until}`);
  const ask = (path) => route(`${path}${path.includes('?') ? '&' : '?'}t0=${t0}&t1=${t1}`);
  const ids = query(profile, 'SELECT id FROM process WHERE run_ns > 0').map((r) => r.id);
  const during = [];
  for (const id of ids) during.push(await ask(`ask/during?id=${id}`));
  const of = (table, column) => during.reduce((n, d) => n + sum(d[table], column), 0);
  const same = (what, wanted, got) => {
    for (const [voice, value] of Object.entries(got)) equal(`${here} ${what}: ${voice}`, value, wanted);
  };
  same('time of collections', spans('gc'), {
    'report gc': sum(all.gc, 'gc_ns'),
    'report processes': sum(all.processes, 'gc_ns'),
    'report schedulers': sum(all.schedulers, 'gc_ns'),
    state_by: one(`SELECT sum(gc_ns) AS n FROM state_by(${t0}, ${t1})`),
    'by kind': sum((await ask('ask/collections')).kind, 'total_ns'),
    'of each process': of('gc', 'total_ns'),
    'the list of processes': sum((await ask('processes')).processes, 'gc_ns'),
  });
  const collections = one(`SELECT count(*) AS n FROM gc WHERE ${inside}`);
  same('collections', collections, {
    'report gc': sum(all.gc, 'gc_count'),
    'the list': (await ask('ask/collections')).gc.length,
    'of each process': of('gc', 'count'),
  });
  same('time of slices', spans('slice', 'process IS NOT NULL'), {
    'report schedulers': sum(all.schedulers, 'slice_ns'),
    'of each process': of('scheduler', 'total_ns'),
    slice_by: one(`SELECT sum(total_ns) AS n FROM slice_by('process', ${t0}, ${t1}) WHERE key > 0`),
  });
  same('slices', one(`SELECT count(*) AS n FROM slice WHERE process > 0 AND ${inside}`), {
    'report schedulers': sum(all.schedulers, 'slices'),
    'in order': (await ask('ran')).slice.filter((r) => r.process).length,
  });
  same('time of ports', spans('slice', 'port IS NOT NULL'), {
    'report ports': sum(all.ports, 'run_ns'),
    'of each process': of('port', 'run_ns'),
  });
  same('waiting', one(`SELECT sum(waiting_ns) AS n FROM state_by(${t0}, ${t1})`), {
    'report processes': sum(all.processes, 'wait_ns'),
    'of each process': of('state', 'wait_ns'),
  });
  same('migrations', moments('migration', 'at'), {
    'report migrations': sum(all.migrations, 'migrations'),
    'of each process': of('migrations', 'migrations'),
    lists: during.reduce((n, d) => n + d.migration.length, 0),
    lanes: (await ask('lanes?of=scheduler')).migration.length,
  });
  same('marks', moments('mark', 'at'), {
    'report marks': all.marks.length,
    lanes: (await ask('lanes?of=scheduler')).mark.length,
  });
  same('messages sent', moments('message', 'sent'), {
    'report messages': sum(all.messages, 'count'),
    'by process': sum((await ask('messages?level=process')).edge, 'count'),
    'the largest': (await ask('ask/largest')).message.length,
  });
}
await server.stop();
finish();
