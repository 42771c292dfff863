// Takes the measurements of bench/page.sh: node bench/page/measure.mjs PROFILE RUNS. Prints one row per figure, like
// bench/run. Wall-clock times depend on other load; the CPU time of a frame on the page's main thread does not.
import { readFileSync } from 'node:fs';
import { browser, query, serve, settled } from '../../test/web/lib.mjs';

const [profile, times = '5'] = process.argv.slice(2);
const runs = Number(times);
const size = { viewport: { width: 1440, height: 900 } };
const sorted = (a) => [...a].sort((x, y) => x - y);
const median = (a) => sorted(a)[a.length >> 1];
function row(name, ours, unit, goal, met, note = '') {
  console.log(`${name} | ${ours} ${unit} | | | ${goal} | ${goal === '' ? '' : met ? 'ok' : 'MISSED'} | ${note}`);
}
const spread = (a) => `n=${a.length}, ${Math.round(sorted(a)[0])} to ${Math.round(sorted(a).at(-1))}`;
/** Memory of a process that is its own, without pages of files. */
const own = (pid) => Number(/Private_Dirty:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))[1]) / 1024;

const server = await serve(profile);
const chromium = await browser();

async function firstPicture() {
  const context = await chromium.newContext(size);
  const page = await context.newPage();
  await page.goto(server.url, { waitUntil: 'commit' });
  await settled(page);
  const seen = await page.evaluate(() => {
    const all = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
    return {
      ms: Number(document.documentElement.dataset.drawn),
      bytes: all.filter((e) => !e.name.includes('/api/')).reduce((n, e) => n + e.transferSize, 0),
    };
  });
  await context.close();
  return seen;
}
const firsts = [];
for (let i = 0; i < runs; i++) firsts.push(await firstPicture());
const first = firsts.map((f) => f.ms);
row(
  'first picture after the page is asked for',
  Math.round(median(first)),
  'ms',
  '200 ms',
  median(first) <= 200,
  spread(first),
);
row('first load, compressed', (firsts[0].bytes / 1000).toFixed(0), 'kB', '150 kB', firsts[0].bytes <= 150e3);

const context = await chromium.newContext(size);
const page = await context.newPage();
await page.goto(server.url);
await settled(page);
const cdp = await context.newCDPSession(page);
await cdp.send('Performance.setTimeDomain', { timeDomain: 'threadTicks' });
await cdp.send('Performance.enable');
const cpu = async () =>
  (await cdp.send('Performance.getMetrics')).metrics.find((m) => m.name === 'TaskDuration').value * 1000;

const FRAMES = 180;
/** Pans a little at every frame; frames a second, the slow ones, and the main thread's CPU for one. */
async function pan() {
  const before = await cpu();
  const gaps = await page.evaluate(async (n) => {
    const at = [];
    for (let i = 0; i < n; i++) {
      at.push(await new Promise((r) => requestAnimationFrame(r)));
      dispatchEvent(new KeyboardEvent('keydown', { key: 'daad'[i % 4] }));
    }
    return at.slice(1).map((t, i) => t - at[i]);
  }, FRAMES);
  const ms = gaps.reduce((s, v) => s + v, 0);
  return {
    fps: (1000 * gaps.length) / ms,
    slow: sorted(gaps)[Math.floor(gaps.length * 0.99)],
    cpu: ((await cpu()) - before) / FRAMES,
  };
}
/** The time from a key to the new picture on the screen, including requests and drawing: the page reports when it has
    caught up (web/src/state/settled.ts). Keys that change nothing are not counted. */
async function zoom() {
  const ms = [];
  for (const key of ['w', 'w', 's', 'w', 'd', 's', 'a', 's']) {
    const pressed = await page.evaluate((k) => {
      const now = performance.now();
      dispatchEvent(new KeyboardEvent('keydown', { key: k }));
      return now;
    }, key);
    await settled(page);
    const drawn = Number(await page.evaluate(() => document.documentElement.dataset.drawn));
    if (drawn > pressed) ms.push(drawn - pressed);
  }
  return ms;
}
async function view(name, hash) {
  await page.evaluate((h) => {
    location.hash = h;
  }, hash);
  await settled(page);
  for (let i = 0; i < 3; i++) await page.keyboard.press('w');
  await settled(page);
  const p = await pan();
  await settled(page);
  const z = await zoom();
  row(
    `${name}: frames a second while panning`,
    p.fps.toFixed(0),
    '',
    '60',
    p.fps >= 59,
    `99 % within ${p.slow.toFixed(0)} ms; ${p.cpu.toFixed(1)} ms CPU a frame`,
  );
  if (z.length)
    row(`${name}: zoom to the new picture`, Math.round(median(z)), 'ms', '100 ms', median(z) <= 100, spread(z));
}
const most = query(profile, 'SELECT id FROM process ORDER BY run_ns DESC LIMIT 1000').map((p) => p.id);
await view('64 scheduler lanes', '#/schedulers');
await view(`${most.length} process lanes`, `#/compare?p=${most.join()}`);
await view('overview', '#/overview');

row(
  'server, memory of its own at rest',
  own(server.child.pid).toFixed(0),
  'MiB',
  '64 MiB',
  own(server.child.pid) <= 64,
);
let [highest, over] = [0, false];
const watch = (async () => {
  while (!over) {
    highest = Math.max(highest, own(server.child.pid));
    await new Promise((r) => setTimeout(r, 20));
  }
})();
const t = performance.now();
const pages = await Promise.all(
  Array.from({ length: 10 }, async () => {
    const c = await chromium.newContext(size);
    const p = await c.newPage();
    await p.goto(`${server.url}#/schedulers`);
    await settled(p);
    return c;
  }),
);
const ten = performance.now() - t;
over = true;
await watch;
row('ten clients at once, all lanes drawn', Math.round(ten), 'ms', '', true, 'in one browser on this machine');
row(
  'server while ten clients ask at once',
  highest.toFixed(0),
  'MiB',
  '64 MiB',
  highest <= 64,
  `${own(server.child.pid).toFixed(0)} MiB after`,
);
for (const c of pages) await c.close();
await chromium.close();
server.stop();
process.exit(0);
