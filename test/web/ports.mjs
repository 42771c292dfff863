#!/usr/bin/env node
// A run of a port is selected as a slice of a process is: by a click on the lane, with steps to its owner and to the
// runs before and after.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { browser, cells, equal, finish, folder, go, ok, open, query, serve, settled, STROBE } from './lib.mjs';

const trace = join(folder, 'T.txt');
const profile = join(folder, 'T.sbp');
writeFileSync(
  trace,
  `@meta node=n@h schedulers=2 recorded=procs,running,ports
100 <0.9.0> s1 spawned parent=<0.1.0> mfa=m:start/0
100 <0.9.0> s1 in mfa=m:start/0
200 #Port<0.5> s1 open owner=<0.9.0> driver=tcp_inet
900 <0.9.0> s1 out mfa=m:start/0
1000 #Port<0.5> s2 in mfa=command
1300 #Port<0.5> s2 out mfa=command
1500 #Port<0.5> s1 in mfa=command
1900 #Port<0.5> s1 out mfa=command
2500 #Port<0.5> s2 in mfa=command
2600 #Port<0.5> s2 out mfa=command
3000 <0.9.0> s1 exit reason=normal
`,
);
execFileSync(STROBE, ['analyze', trace, '-o', profile], { stdio: 'ignore' });
const server = await serve(profile);
const chromium = await browser();
const page = await open(await chromium.newContext({ viewport: { width: 1400, height: 900 } }), server.url);
const at = async () => /[?&]at=([s0-9.-]+)/.exec(await page.evaluate(() => location.hash))?.[1];
const LEFT = 128;
/** Clicks a lane at a moment. */
async function click(lane, ns) {
  const canvas = page.getByRole('img', { name: 'What ran on each scheduler over time' });
  const { width } = await canvas.boundingBox();
  const [{ end }] = query(profile, "SELECT CAST(value AS INTEGER) AS end FROM meta WHERE key = 'span_ns'");
  await canvas.click({ position: { x: LEFT + ((width - LEFT - 8) * ns) / end, y: 22 + (lane + 0.4) * 44 } });
  await settled(page);
}

await go(page, '#/schedulers');
const [run] = query(profile, 'SELECT * FROM slice WHERE process IS NULL AND scheduler = 1');
await click(0, run.start + run.dur / 2);
equal('a click on a run of a port is in the address', await at(), `s1.${run.start}`);
const facts = await page.locator('dl.moment').innerText();
ok('the panel says which port', /port\s+#Port<0\.5>/.test(facts) && /driver\s+tcp_inet/.test(facts), facts);
for (const ns of [run.start, run.start + run.dur]) ok('and when it ran', facts.includes((ns / 1e9).toFixed(9)), facts);
const PANEL = 'What led to it, and what came of it';
equal('its owner, and its runs around', await cells(page, PANEL, 'relation'), 'owner,before,after');
const others = query(profile, 'SELECT start FROM slice WHERE process IS NULL AND scheduler = 2 ORDER BY start');
equal(
  'when they were',
  await cells(page, PANEL, 'at'),
  [run, ...others].map((r) => r.start),
);
await page.keyboard.press(',');
await settled(page);
equal('a key steps to the run before', await at(), `s2.${others[0].start}`);
await page.reload();
await settled(page);
equal('which a reload shows again', await cells(page, PANEL, 'relation'), 'owner,after');
await page.getByRole('link', { name: 'after' }).click();
await settled(page);
equal('a link leads to the run after', await at(), `s1.${run.start}`);
await page.getByRole('link', { name: 'owned by' }).click();
await settled(page);
const [{ id }] = query(profile, "SELECT id FROM process WHERE pid = '<0.9.0>'");
equal('the owner is a step away', await at(), `${id}.${run.start}`);
ok('as a process', /process\s+m:start\/0/.test(await page.locator('dl.moment').innerText()));
equal('complains of nothing', page.complaints.join(' | '), '');
await chromium.close();
await server.stop();
finish();
