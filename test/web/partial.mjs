#!/usr/bin/env node
// Profiles that lack what a view shows: it says what to record, with the command, and complains of nothing. And several
// profiles at once: one is chosen, by the list or by the address.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { browser, equal, finish, folder, ok, open, record, serve, settled, STROBE } from './lib.mjs';

const VIEWS = ['overview', 'schedulers', 'compare', 'processes', 'process/1', 'tree', 'ports', 'messages', 'calls', 'gc', 'sql'];
const NEEDS = { schedulers: 'running', compare: 'running', messages: 'messages', calls: 'calls', gc: 'gc', ports: 'ports', overview: 'all' };

const little = record('little', ['--trace', 'procs']);
const text = join(folder, 'nobody.txt');
const nobody = join(folder, 'nobody.sbp');
writeFileSync(text, '# nothing\n');
execFileSync(STROBE, ['analyze', text, '-o', nobody], { stdio: 'ignore' });
const whole = record('whole', ['--limit-events', '60000']);

const server = await serve(little, nobody, whole);
const chromium = await browser();
const context = await chromium.newContext({ viewport: { width: 1200, height: 800 } });
const page = await open(context, server.url);
await settled(page);
const go = async (hash) => {
  await page.evaluate((h) => { location.hash = h; }, hash);
  await settled(page);
};
for (const [n, name] of [[0, 'processes alone'], [1, 'nobody']])
  for (const view of VIEWS) {
    await go(`#/${view}?profile=${n}`);
    ok(`${name}, ${view}: complains of nothing`, page.complaints.length === 0, page.complaints.splice(0).join(' | '));
    const shown = (await page.locator('main').innerText()).length;
    ok(`${name}, ${view}: is not blank`, shown > 10, shown);
    if (n === 0 && NEEDS[view]) {
      const command = (await page.locator('.empty pre').allInnerTexts()).join(' ');
      ok(`${name}, ${view}: says what to record`, command.includes('strobe record') && command.includes(NEEDS[view]), command);
    }
  }
equal('the list has all profiles', (await page.locator('select[aria-label=Profile] option').allInnerTexts()).join(), 'little.sbp,nobody.sbp,whole.sbp');
await page.locator('select[aria-label=Profile]').selectOption('2');
await settled(page);
await go(`#/overview?profile=2`);
ok('another one is looked at', /scheduler/.test(await page.locator('.headline').innerText()));
await page.goBack();
await settled(page);
await page.goBack();
await settled(page);
ok('back leads to the one before', (await page.evaluate(() => location.hash)).includes('profile=1'));
ok('and complains of nothing', page.complaints.length === 0, page.complaints.join(' | '));
await chromium.close();
server.stop();
finish();
