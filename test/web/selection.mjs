#!/usr/bin/env node
// One selection on all views: the time range, a process, the address and the way back; keys, the palette, and errors.
import { browser, cells, equal, finish, first, go, ok, open, query, record, serve, settled, until } from './lib.mjs';

const profile = record('shop', [
  '--trace',
  'all,calls',
  '--module',
  'prices',
  '--module',
  'bottleneck',
  '--limit-events',
  '300000',
]);
const server = await serve(profile);
const chromium = await browser();
const [busiest] = query(profile, 'SELECT * FROM process ORDER BY run_ns DESC LIMIT 1');
const UNIT = { s: 1e9, ms: 1e6, µs: 1e3, ns: 1 };
/** "running 59.7 ms 60 %" in nanoseconds. */
const inNs = (text) => {
  const m = /([\d.]+) (s|ms|µs|ns)\b/.exec(text);
  return Number(m[1]) * UNIT[m[2]];
};

const context = await chromium.newContext({ viewport: { width: 1400, height: 900 } });
const page = await open(context, server.url);
await settled(page);
ok('the token leaves the address', !page.url().includes('token'));
await page.keyboard.press('w');
await settled(page);
const zoomed = await page.evaluate(() => location.hash);
ok('w zooms, and the address says so', /t=\d+-\d+/.test(zoomed), zoomed);
await page.keyboard.press('g');
await page.keyboard.press('p');
await settled(page);
ok('the time range remains in another view', (await page.evaluate(() => location.hash)).startsWith('#/processes?t='));
const within = zoomed.match(/t=(\d+)-(\d+)/).slice(1);
const ran = query(
  profile,
  `SELECT running_ns + gc_ns AS ran FROM state_by(${within.join()}) ORDER BY ran DESC, process LIMIT 8`,
).map((r) => r.ran);
equal('processes: sorted by their run time in the range', (await cells(page, 'Processes', 'run_ns')).slice(0, 8), ran);
ok(
  'processes: columns of the whole run say so',
  (await page.locator('th', { hasText: 'sent' }).innerText()).includes('whole run'),
);
await go(page, `#/process/${busiest.id}?t=${within.join('-')}`);
const spent = query(
  profile,
  `SELECT running_ns FROM state_by WHERE t0 = ${within[0]} AND t1 = ${within[1]} AND process = ${busiest.id}`,
)[0].running_ns;
const bar = (
  await page.locator('.panel', { hasText: 'How its time was spent' }).locator('.legend span').first().innerText()
).replace(/\s/g, ' ');
ok(
  'process: its states are those of the range',
  Math.abs(inNs(bar) - spent) < 0.01 * spent + 1,
  `${bar}, not ${spent} ns`,
);
const sent = query(
  profile,
  `SELECT count(*) AS n FROM message WHERE sender = ${busiest.id} AND sent BETWEEN ${within.join(' AND ')}
   GROUP BY receiver ORDER BY n DESC LIMIT 1`,
)[0].n;
equal('process: so are its receivers', await first(page, 'Sent to', 'count'), sent);
ok(
  'process: tables of the whole run say so',
  (await page.locator('.panel', { hasText: 'Where it waited' }).locator('header').innerText()).includes(
    'in the whole run',
  ),
);
await go(page, `#/schedulers?t=${within.join('-')}`);
const busy = query(
  profile,
  `SELECT total_ns FROM slice_by('scheduler', ${within.join()})
   WHERE key = (SELECT min(id) FROM scheduler WHERE kind = 'normal')`,
)[0].total_ns;
equal('schedulers: time on each, in the range', (await cells(page, 'Schedulers', 'slice_ns'))[0], busy);
await go(page, `#/gc?t=${within.join('-')}`);
const [collector] = query(
  profile,
  `SELECT sum(min(start + dur, ${within[1]}) - max(start, ${within[0]})) AS ns FROM gc
   WHERE start < ${within[1]} AND start + dur > ${within[0]} GROUP BY process ORDER BY ns DESC LIMIT 1`,
);
if (collector)
  equal('gc: time of collections in the range', await first(page, 'Collections by process', 'gc_ns'), collector.ns);
for (let i = 0; i < 3; i++) {
  await page.goBack();
  await settled(page);
}
await page.goBack();
await settled(page);
equal('back goes back', await page.evaluate(() => location.hash), zoomed);
await page.keyboard.press('Escape');
await settled(page);
ok('Esc shows the whole run', !(await page.evaluate(() => location.hash)).includes('t='));
await page.keyboard.press('Control+k');
await page.locator('[role=combobox]').fill('10ms-20ms');
await page.keyboard.press('Enter');
await settled(page);
ok('the palette takes a range', (await page.evaluate(() => location.hash)).includes('t=10000000-20000000'));
await page.keyboard.press('Escape');
await settled(page);
await page.keyboard.press('Control+k');
await page.locator('[role=combobox]').fill('prices');
ok(
  'the palette finds processes',
  await until(async () => (await page.locator('[role=option]').allInnerTexts()).some((t) => t.includes(busiest.pid))),
);
await page.keyboard.press('Escape');
await page.keyboard.press('?');
ok('? lists the keys', (await page.getByRole('dialog').innerText()).includes('zoom in'));
await page.keyboard.press('Escape');
const box = await page.locator('canvas').nth(1).boundingBox();
await page.mouse.move(box.x + 300, box.y + 60);
await page.mouse.down();
await page.mouse.move(box.x + 500, box.y + 60, { steps: 4 });
await page.mouse.up();
await settled(page);
ok('a drag selects a range', /t=\d+-\d+/.test(await page.evaluate(() => location.hash)));
// errors of the page show in the page
await page.evaluate(() => {
  setTimeout(() => {
    throw new Error('a fault made for the test');
  });
});
ok(
  'an error shows as a message',
  await until(async () =>
    (await page.locator('.notice.bad').allInnerTexts()).some((t) => t.includes('a fault made for the test')),
  ),
);
await page.getByRole('button', { name: 'Dismiss' }).click();
await go(page, '#/nonsense');
ok('an unknown view says so', (await page.locator('.empty').innerText()).includes('no such view'));
await go(page, '#/process/999999999');
ok('an unknown process says so', (await page.locator('.empty').innerText()).includes('There is no process'));

await chromium.close();
server.stop();
finish();
