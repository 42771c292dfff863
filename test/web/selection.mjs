#!/usr/bin/env node
// One selection on all views: the time range, a process, the address and the way back; keys, the palette, and errors.
import {
  browser,
  cells,
  equal,
  finish,
  first,
  go,
  ok,
  open,
  query,
  record,
  serve,
  settled,
  unfold,
  until,
} from './lib.mjs';

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
const shown = async () =>
  (await page.evaluate(() => location.hash))
    .match(/t=(\d+)-(\d+)/)
    .slice(1)
    .map(Number);
const [from, to] = await shown();
const moved = async (key) => {
  await page.keyboard.press(key);
  await settled(page);
  return Math.round((((await shown())[0] - from) / (to - from)) * 100);
};
ok('Shift and an arrow are a small step', (await moved('Shift+ArrowRight')) === 2);
ok('back, too', (await moved('Shift+ArrowLeft')) === 0);
ok('Ctrl and an arrow are a large one', (await moved('Control+ArrowLeft')) < -20, `${await shown()} of ${from}-${to}`);
while ((await moved('ArrowRight')) < 0);
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
  `SELECT count(*) AS n FROM message WHERE sender = ${busiest.id} AND sent >= ${within[0]} AND sent < ${within[1]}
   GROUP BY receiver ORDER BY n DESC LIMIT 1`,
)[0].n;
equal('process: so are its receivers', await first(page, 'Sent to', 'count'), sent);
const waited = query(
  profile,
  `SELECT total_ns FROM wait_by(${within.join()}) WHERE process = ${busiest.id} ORDER BY total_ns DESC LIMIT 1`,
);
equal('process: so are its waits', (await first(page, 'Where it waited', 'total_ns')) ?? '', waited[0]?.total_ns ?? '');
ok(
  'process: tables of the whole run say so',
  (await page.locator('.panel', { hasText: 'Functions' }).locator('header').innerText()).includes('in the whole run'),
);
await go(page, `#/process/${busiest.id}`);
ok(
  'process: without a range nothing is of one',
  !(await page.locator('main').innerText()).includes('in the time range'),
);
await go(page, `#/overview?t=${within.join('-')}`);
const { n: sends } = query(
  profile,
  `SELECT (SELECT count(*) FROM message WHERE sender > 0 AND sent >= ${within[0]} AND sent < ${within[1]}) +
   (SELECT count(*) FROM event WHERE kind LIKE 'send%' AND process > 0 AND at >= ${within[0]}
    AND at < ${within[1]}) AS n`,
)[0];
ok(
  'overview: what was sent in the range',
  (await page.locator('dl.run').innerText())
    .replace(/\s/g, ' ')
    .includes(`messages ${sends.toLocaleString('en')} sent`),
  await page.locator('dl.run').innerText(),
);
const { ns: collected } = query(profile, `SELECT sum(gc_ns) AS ns FROM state_by(${within.join()})`)[0];
const tile = await page.locator('dl.figures div', { hasText: 'Garbage collection' }).innerText();
ok(
  'overview: what was collected in the range',
  Math.abs(inNs(tile.replace(/\s/g, ' ')) - collected) < 0.01 * collected + 1,
  tile,
);
await go(page, `#/schedulers?t=${within.join('-')}`);
await unfold(page, 'The cells in view');
const starts = await cells(page, 'The cells in view', 'start');
const ends = await cells(page, 'The cells in view', 'end');
ok(
  'schedulers: the cells in view are',
  starts.length > 0 && starts.every((at, i) => Number(at) < Number(within[1]) && Number(ends[i]) > Number(within[0])),
  starts.join(),
);
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
for (let i = 0; i < 6; i++) {
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

await go(page, `#/compare?p=${busiest.id},999999`);
ok(
  'compare: so does an unknown process',
  await until(async () => (await page.locator('.notice').allInnerTexts()).some((t) => t.includes('no process 999999'))),
);
const [{ span }] = query(profile, "SELECT value + 0 AS span FROM meta WHERE key = 'span_ns'");
await go(page, `#/gc?t=${span + 5}-${span + 500}`);
ok(
  'a range outside the run says so',
  (await page.locator('.notice').allInnerTexts()).some((t) => t.includes('outside the run')),
);
const api = async (path, token) =>
  (await fetch(`${server.origin}/api/${path}`, { headers: token ? { 'X-Strobe-Token': token } : {} })).json();
ok(
  'the server says so too',
  (await api(`ran?t0=${span + 5}&format=json`, server.token)).error.includes('outside the run'),
);
equal(
  'a wrong token is not missing',
  (await api('info', '0'.repeat(32))).error,
  'the token is wrong, or of another run of strobe serve',
);
equal('a missing token is', (await api('info')).error, 'the token is missing');

await chromium.close();
server.stop();
finish();
