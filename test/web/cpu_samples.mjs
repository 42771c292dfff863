#!/usr/bin/env node
// The view of samples of the CPU: its numbers equal those of slow SQL, for the whole run, a range and a process.
// Recorded calls stand apart from it, and a profile without samples has nothing of it.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  browser,
  cells,
  equal,
  finish,
  folder,
  go,
  ok,
  open,
  query,
  report,
  saved,
  serve,
  settled,
  STROBE,
  unfold,
} from './lib.mjs';

const CALLS = `100 <0.9.0> s1 call mfa=m:work/1
900 <0.9.0> s1 return_to mfa=m:start/0
`;
const FRAMES = [
  ['m:start/0', 0, 0],
  ['m:work/1', 1, 0],
  ['m:inner/2', 2, 0],
  ['m:work/1', 3, 0], // a recursion
  ['beam.smp:copy_struct', 2, 1],
  ['beam.smp:erts_schedule', 0, 1],
  ['m:other/0', 0, 0],
];
const frames = FRAMES.map(
  ([name, caller, kind], i) => `10 - - cpu_frame name="${name}" number=${i + 1} caller=${caller} kind=${kind}\n`,
);
// each stack again and again, in two processes, outside of processes, and without a known stack
const samples = Array.from(
  { length: 400 },
  (_, i) => `${20 + 10 * i} - - cpu_sample tid=${41 + (i % 3)} stack=${(5 * i + Math.floor(i / 7)) % 8}\n`,
);
const BODY = (lines) => `@meta node=n@h schedulers=2 recorded=procs,running,calls,cpu
0 <0.9.0> s1 spawned parent=<0.1.0> mfa=m:start/0
0 - - thread name="1_scheduler" tid=41 cpu=0 queue=0 voluntary=0 involuntary=0
0 - - thread name="2_scheduler" tid=42 cpu=0 queue=0 voluntary=0 involuntary=0
0 - - thread name="async_1" tid=43 cpu=0 queue=0 voluntary=0 involuntary=0
5 <0.9.0> s1 in mfa=m:start/0
5 <0.8.0> s2 in mfa=m:other/0
${lines.sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10)).join('')}4500 <0.8.0> s2 out mfa=m:other/0
5000 <0.9.0> s1 exit reason=normal
`;
function profileOf(name, ...lines) {
  const trace = join(folder, `${name}.txt`);
  const profile = join(folder, `${name}.sbp`);
  writeFileSync(trace, BODY(lines));
  execFileSync(STROBE, ['analyze', trace, '-o', profile], { stdio: 'ignore' });
  return profile;
}
const calls = CALLS.trim()
  .split('\n')
  .map((line) => `${line}\n`);
const both = profileOf('both', ...calls, ...frames, ...samples);

/** The stacks of the samples in a range, one row a frame: the innermost has depth 0. */
const STACKS = (t0, t1, of) => `WITH RECURSIVE chosen AS MATERIALIZED
  (SELECT row_number() OVER () AS n, stack, process FROM cpu_sample WHERE at >= ${t0} AND at < ${t1} ${of}),
  on_stack(n, depth, id, function, caller, process) AS
  (SELECT n, 0, s.id, s.function, s.caller, process FROM chosen JOIN cpu_stack s ON s.id = chosen.stack
   UNION ALL SELECT n, depth + 1, s.id, s.function, s.caller, process
   FROM on_stack JOIN cpu_stack s ON s.id = on_stack.caller)`;

const server = await serve(both);
const chromium = await browser();
const context = await chromium.newContext({ viewport: { width: 1400, height: 1000 } });
const page = await open(context, server.url);
const source = () => page.getByRole('group', { name: 'Source' });

await go(page, '#/findings');
const ofCpu = report(both, 'why').filter((r) => /^cpu_/.test(r.part));
equal(
  'the account: the CPU time by samples as the report has it',
  (await page.getByRole('list', { name: 'CPU time by samples' }).locator('span').allInnerTexts()).join(),
  ofCpu.map((r) => r.what).join(),
);
ok('the account: of several kinds', ofCpu.length > 1, JSON.stringify(ofCpu));
await go(page, '#/calls');
equal('recorded calls come first', await source().locator('[aria-pressed=true]').innerText(), 'Recorded calls');
equal('with nothing of the samples', await page.getByRole('region', { name: 'Functions by CPU samples' }).count(), 0);
await source().getByRole('button', { name: 'CPU samples' }).click();
await settled(page);
ok('a click shows the samples instead', /source=cpu/.test(page.url()), page.url());
equal('without the recorded calls', await page.getByRole('region', { name: 'Functions', exact: true }).count(), 0);

const [{ id }] = query(both, "SELECT id FROM process WHERE pid = '<0.9.0>'");
for (const [name, t0, t1, of, address] of [
  ['the whole run', 0, 5001, '', 'source=cpu'],
  ['a range', 700, 2100, '', 'source=cpu&t=700-2100'],
  ['a process', 0, 5001, `AND process = ${id}`, `source=cpu&p=${id}`],
  ['a process in a range', 700, 2100, `AND process = ${id}`, `source=cpu&p=${id}&t=700-2100`],
]) {
  const stacks = STACKS(t0, t1, of);
  const [{ n }] = query(both, `${stacks} SELECT count(*) AS n FROM chosen`);
  const functions = query(
    both,
    `${stacks} SELECT function, count(*) FILTER (WHERE depth = 0) AS self, count(DISTINCT n) AS total,
     count(DISTINCT process) AS processes FROM on_stack GROUP BY function ORDER BY self DESC, total DESC, function`,
  );
  await go(page, `#/calls?${address}`);
  ok(`${name}: says how many samples`, (await page.locator('.title .sub').innerText()).startsWith(`${n} samples`));
  const shown = (r) => [r.function, r.self, r.total, r.processes].join(' ');
  const by = {};
  for (const c of ['function', 'self', 'total', 'processes']) by[c] = await cells(page, 'Functions by CPU samples', c);
  equal(
    `${name}: functions`,
    by.function
      .map((f, i) => [f, by.self[i], by.total[i], by.processes[i]].join(' '))
      .sort()
      .join(),
    functions.map(shown).sort().join(),
  );
  const shares = await page.locator('[aria-label="Functions by CPU samples"] td[data-column=share]').allInnerTexts();
  equal(
    `${name}: the share of the hottest`,
    Number.parseFloat(shares[0]),
    (functions[0].self / n) * 100 < 9.95
      ? ((functions[0].self / n) * 100).toFixed(1)
      : Math.round((functions[0].self / n) * 100),
  );
  await unfold(page, 'The call tree');
  const tree = { parent: await cells(page, 'The call tree', 'parent'), acc: await cells(page, 'The call tree', 'acc') };
  const own = (await cells(page, 'The call tree', 'own')).reduce((s, v) => s + Number(v), 0);
  equal(
    `${name}: the roots of the tree hold all samples`,
    tree.acc.reduce((s, v, i) => s + (tree.parent[i] === '0' ? Number(v) : 0), 0),
    n,
  );
  equal(`${name}: and so do own samples`, own, n);

  // a sandwich counts a sample once: at the outermost frame of the function
  await go(page, `#/calls?${address}&f=m:work/1`);
  const outermost = `outermost AS (SELECT n, max(depth) AS depth FROM on_stack WHERE function = 'm:work/1' GROUP BY n)`;
  for (const [label, step] of [
    ['Callers', 1],
    ['Callees', -1],
  ]) {
    const near = query(
      both,
      `${stacks}, ${outermost} SELECT function, count(*) AS n FROM outermost o JOIN on_stack s ON s.n = o.n
       AND s.depth = o.depth + ${step} GROUP BY function`,
    );
    const [names, numbers] = [await cells(page, label, 'mfa'), await cells(page, label, 'acc')];
    equal(
      `${name}: ${label.toLowerCase()}`,
      names
        .map((f, i) => `${f} ${numbers[i]}`)
        .sort()
        .join(),
      near
        .map((r) => `${r.function} ${r.n}`)
        .sort()
        .join(),
    );
    ok(`${name}: there are ${label.toLowerCase()}`, near.length > 0);
  }
}

// inverted: each function with its own samples, and below it those who called it
await go(page, '#/calls?source=cpu&inverted=yes');
await unfold(page, 'The call tree');
const inverted = await saved(page, 'The call tree');
const selves = query(
  both,
  `${STACKS(0, 5001, '')} SELECT function AS f, count(*) AS n FROM on_stack WHERE depth = 0 GROUP BY f`,
);
equal(
  'inverted: the roots are the functions with their own samples',
  inverted
    .filter((r) => r.parent === '0' && r.mfa.includes(':'))
    .map((r) => `${r.mfa} ${r.acc}`)
    .sort()
    .join(),
  selves
    .map((r) => `${r.f} ${r.n}`)
    .sort()
    .join(),
);

/** The boxes of a chart, from one row a sample: at, process, and its frames from the outermost. */
function boxesOf(samples, near) {
  const boxes = [];
  const deepest = Math.max(...samples.map((s) => s.path.length));
  for (let d = 0; d < deepest; d++) {
    let box = null;
    samples.forEach((s, i) => {
      const before = samples[i - 1];
      const prefix = (x) => x.path.slice(0, d + 1).join();
      const goes = box && s.at - before.at <= near && s.process === before.process && prefix(s) === prefix(before);
      if (s.path.length <= d) box = null;
      else if (goes) Object.assign(box, { dur: s.at - box.start, count: box.count + 1 });
      else {
        box = { function: s.path[d], start: s.at, dur: 0, depth: d, count: 1 };
        boxes.push(box);
      }
    });
  }
  return boxes;
}
const tagged = (b) => [b.function, b.start, b.dur, b.depth, b.count].join(' ');
const PERIOD = 30; // of a thread: the samples go round three of them
for (const [of, of_id, address] of [
  ['process', id, `process/${id}?source=cpu`],
  ['scheduler', 2, 'schedulers?on=2'],
]) {
  const paths = query(
    both,
    `${STACKS(0, 5001, `AND ${of} = ${of_id}`)} SELECT n, at, process, group_concat(function, ' ') AS path
     FROM (SELECT o.n, s.at, s.process, o.function, o.depth FROM on_stack o
       JOIN (SELECT row_number() OVER () AS n, at, process FROM cpu_sample
             WHERE at >= 0 AND at < 5001 AND ${of} = ${of_id}) s ON s.n = o.n ORDER BY o.n, o.depth DESC) GROUP BY n`,
  );
  const bare = query(both, `SELECT at, process FROM cpu_sample WHERE ${of} = ${of_id} AND stack IS NULL`);
  const samples = [...paths, ...bare.map((s) => ({ ...s, path: '' }))].sort((a, b) => a.at - b.at);
  const wanted = boxesOf(
    samples.map((s) => ({ ...s, path: s.path.split(' ') })),
    2 * PERIOD,
  );
  await go(page, `#/${address}`);
  await unfold(page, 'Stacks in view');
  const shown = await saved(page, 'Stacks in view');
  equal(`stacks of a ${of}: its samples`, shown.map(tagged).sort().join('\n'), wanted.map(tagged).sort().join('\n'));
  ok(`stacks of a ${of}: some are joined`, wanted.length > 20 && wanted.some((b) => b.count > 1), wanted.length);
}
await go(page, `#/process/${id}`);
await unfold(page, 'Stacks in view');
equal(
  'stacks of a process: its recorded calls',
  (await saved(page, 'Stacks in view')).map((r) => [r.function, r.start, r.dur, r.count, r.share].join(' ')).join(),
  query(
    both,
    `SELECT mfa, start, dur, count, 1e6 * busy_ns / dur AS share FROM activation WHERE process = ${id}
               ORDER BY start, dur DESC`,
  )
    .map((r) => [r.mfa, r.start, r.dur, r.count, r.share].join(' '))
    .join(),
);

// the frame in focus stays when the range changes
await go(page, '#/calls?source=cpu');
await page.getByRole('img', { name: 'Flame graph of the CPU samples' }).click({ position: { x: 60, y: 30 } });
await settled(page);
const focus = new URLSearchParams(new URL(page.url()).hash.split('?')[1]).get('focus');
ok('a click zooms to a frame', /^\d+\.m:/.test(focus), focus);
await go(page, `#/calls?source=cpu&t=700-2100&focus=${encodeURIComponent(focus)}`);
equal(
  'which another range leaves in focus',
  await page.getByRole('button', { name: 'Show the whole tree' }).count(),
  1,
);
await go(page, '#/calls?source=cpu&as=tree');
equal(
  'the tree begins with the heaviest',
  await page
    .locator('[aria-label="The calls, unfolded"] td[data-column=acc]')
    .first()
    .innerText()
    .then((t) => / samples$/.test(t)),
  true,
);
await go(page, '#/calls?source=cpu&as=graph');
ok(
  'the graph of functions is drawn',
  (await page.getByRole('img', { name: 'Who calls whom' }).boundingBox()).height > 40,
);
await go(page, '#/calls?source=cpu&t=4200-4800');
ok('a range without samples says so', /No samples/.test(await page.locator('.empty').innerText()));
equal('complains of nothing', page.complaints.join(' | '), '');
await page.close();
await server.stop();

// one kind alone: no choice
for (const [name, wanted, ...lines] of [
  ['samples alone', 'Functions by CPU samples', ...frames, ...samples],
  ['calls alone', 'Functions', ...calls],
]) {
  const alone = await serve(profileOf(name.replace(' ', '_'), ...lines));
  const other = await open(context, `${alone.url}#/calls?source=cpu`);
  await settled(other);
  equal(`${name}: no choice of a source`, await other.getByRole('group', { name: 'Source' }).count(), 0);
  equal(
    `${name}: are shown`,
    await other.getByRole('region', { name: /^Functions/ }).getAttribute('aria-label'),
    wanted,
  );
  await alone.stop();
}

// the one-file report
const file = join(folder, 'both.html');
writeFileSync(file, execFileSync(STROBE, ['report', both, '--format', 'html'], { maxBuffer: 64 << 20 }));
const kept = await open(context, `${pathToFileURL(file)}#/calls?source=cpu&f=m:work/1`);
await settled(kept);
const [{ total }] = query(
  both,
  `${STACKS(0, 5001, '')} SELECT count(DISTINCT n) AS total FROM on_stack WHERE function = 'm:work/1'`,
);
ok(
  'a saved report holds the samples of a function',
  (await kept.locator('.panel h2 + span').first().innerText()).startsWith(`${total} samples`),
);
equal(
  'and all functions',
  (await cells(kept, 'Functions by CPU samples', 'self')).length,
  new Set(FRAMES.map(([f]) => f)).size,
);
equal('and complains of nothing', kept.complaints.join(' | '), '');
await chromium.close();
finish();
