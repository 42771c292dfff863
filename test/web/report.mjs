#!/usr/bin/env node
// The page in one file: opens from disk without any network, shows the same, and stays under 4 MB.
import { execFileSync } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { browser, equal, finish, folder, go, ok, open, query, record, saved, settled, STROBE, unfold } from './lib.mjs';

const profile = record('shop', ['--trace', 'all,calls', '--module', 'prices', '--limit-events', '200000']);
const file = join(folder, 'shop.html');
writeFileSync(file, execFileSync(STROBE, ['report', profile, '--format', 'html'], { maxBuffer: 64 << 20 }));
ok('under 4 MB', statSync(file).size < 4e6, statSync(file).size);

const chromium = await browser();
const context = await chromium.newContext({ offline: true, viewport: { width: 1400, height: 900 } });
const asked = [];
context.on('request', (r) => asked.push(r.url()));
const page = await open(context, `file://${file}`);
await settled(page);
await page.keyboard.press('?');
await page.locator('.licences summary').click();
const notice = page.locator('.licences pre', { hasText: 'SIL OPEN FONT LICENSE' }); // it comes when it is asked for
const licences = await notice.innerText({ timeout: 5000 }).catch((e) => `${e}`);
ok('has the licences of what it contains', /SIL OPEN FONT LICENSE/.test(licences) && /Jason Miller/.test(licences));
await page.keyboard.press('Escape');
const [busiest] = query(profile, 'SELECT * FROM process ORDER BY run_ns DESC LIMIT 1');
ok('has a headline', /scheduler/.test(await page.locator('.headline').innerText()));
for (const view of [
  'findings',
  'critical',
  'schedulers',
  'processes',
  `process/${busiest.id}`,
  'compare',
  'messages',
  'calls',
  'gc',
  'ports',
  'tree',
  'sql',
]) {
  await page.evaluate((h) => {
    location.hash = h;
  }, `#/${view}`);
  await settled(page);
  ok(
    `${view}: opens`,
    (await page.locator('.notice.bad').count()) === 0 && (await page.locator('h1, .empty').count()) > 0,
  );
  if (view === 'messages')
    ok('messages: a graph in layers, without a server', (await page.locator('.graph canvas').count()) === 1);
  if (view === 'sql')
    equal(
      'sql: names the commands that answer',
      await page.locator('.empty pre').innerText(),
      `strobe serve ${profile}\nstrobe query ${profile} 'SELECT ...'`,
    );
  if (view === 'processes') {
    const runs = await page
      .locator('td[data-column=run_ns]')
      .evaluateAll((all) => all.slice(0, 5).map((td) => td.dataset.value));
    equal(
      'processes: the same numbers',
      runs,
      query(profile, 'SELECT run_ns FROM process ORDER BY run_ns DESC, id LIMIT 5').map((r) => r.run_ns),
    );
    await page.locator('input[type=search]').fill('prices');
    await settled(page);
    equal(
      'processes: search works without a server',
      await page.locator('td[data-column=name]').first().getAttribute('data-value'),
      busiest.pid,
    );
  }
}
// stacks over time, and round trips by length: of the profile, or a sentence that says what the file holds
const [called] = query(
  profile,
  'SELECT process AS id, count(*) AS n FROM activation GROUP BY 1 ORDER BY 2 DESC LIMIT 1',
);
await go(page, `#/process/${called.id}`);
await unfold(page, 'Stacks in view');
const calls = await saved(page, 'Stacks in view');
equal(
  'calls over time: the longest',
  calls.map((c) => c.dur_ns ?? c.dur).sort((a, b) => b - a),
  query(profile, `SELECT dur FROM activation WHERE process = ${called.id} ORDER BY dur DESC LIMIT 600`).map(
    (c) => c.dur,
  ),
);
equal(
  'calls over time: says how many are missing',
  await page.getByText(/shorter calls? (is|are) not drawn; a saved report holds the longest/).count(),
  called.n > 600 ? 1 : 0,
);
const [server] = query(
  profile,
  'SELECT server AS id, sum(count) AS n FROM round_trip GROUP BY 1 ORDER BY 2 DESC LIMIT 1',
);
await go(page, `#/findings?server=${server.id}`);
await unfold(page, 'Round trips by length');
equal(
  'round trips by length: of all requests',
  (await saved(page, 'Round trips by length')).reduce((sum, b) => sum + Number(b.count), 0),
  server.n,
);
await go(page, '#/process/999999');
ok('a process that it does not hold: says so', /does not hold/.test(await page.locator('.empty').innerText()));
for (const [view, what] of [
  ['schedulers', 'no single slices'],
  ['messages', 'no messages of a single connection'],
]) {
  await go(page, `#/${view}`);
  equal(`${view}: says what it leaves out`, await page.getByText(`A saved report holds ${what}`).count(), 1);
}
// a range: figures that the file cannot narrow say so, and the run time is that of the range
const [{ end }] = query(profile, 'SELECT max(start + dur) AS end FROM slice');
const [from, to] = [Math.round(end * 0.3), Math.round(end * 0.6)];
await page.evaluate((h) => {
  location.hash = h;
}, `#/overview?t=${from}-${to}`);
await settled(page);
ok(
  'a range: states the resolution of the file',
  /finest resolution is \d/.test((await page.locator('.notice').allInnerTexts()).join(' ')),
  (await page.locator('.notice').allInnerTexts()).join(' '),
);
const [{ ran }] = query(profile, `SELECT sum(running_ns + gc_ns) AS ran FROM state_by(${from}, ${to})`);
const text = /about ([\d.]+)\s?(ms|s)/.exec((await page.locator('.figures').innerText()).replace(/\u202f/g, ' '));
const about = Number(text[1]) * (text[2] === 's' ? 1e9 : 1e6);
ok('a range: its run time', Math.abs(about - ran) < 0.03 * ran, `${about}, not ${ran}`);
ok('complains of nothing', page.complaints.length === 0, page.complaints.join(' | '));
ok(
  'requests nothing',
  asked.every((u) => u.startsWith('file:') || u.startsWith('data:') || u.startsWith('blob:')),
  asked.find((u) => u.startsWith('http')),
);
await chromium.close();
finish();
