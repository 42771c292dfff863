#!/usr/bin/env node
// The profiles of a folder: listed at once, opened when they are chosen, also those that come to it later.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { browser, equal, finish, folder, ok, open, record, ROOT, serve, settled, until } from './lib.mjs';

const shop = record('shop', ['--limit-events', '20000']);
const made = join(folder, 'made.sbt');
execFileSync(join(ROOT, 'build/strobe-gen'), [
  '--events',
  '5000',
  '--processes',
  '10',
  '--schedulers',
  '2',
  '-o',
  made,
]);
const all = join(folder, 'all');
mkdirSync(all);
copyFileSync(shop, join(all, 'a.sbp'));
copyFileSync(made, join(all, 'b.sbt'));
const server = await serve(all);
const served = async () => {
  const got = await fetch(`${server.origin}/api/info?format=json`, { headers: { 'X-Strobe-Token': server.token } });
  return (await got.json()).served.map((row) => `${row.path} ${row.state}`).join(', ');
};
const chromium = await browser();
const context = await chromium.newContext({ viewport: { width: 1400, height: 900 } });
const page = await open(context, server.url);
await settled(page);
const list = page.getByLabel('Profile', { exact: true });
const names = async () => (await list.locator('option').allInnerTexts()).join(' ');
await list.locator('option').nth(1).waitFor({ state: 'attached' });
equal('lists what is in it', await names(), 'a.sbp b.sbt');
equal('and opens what is shown alone', await served(), 'a.sbp ready, b.sbt closed');
await list.selectOption({ label: 'b.sbt' });
await until(async () => (await served()) === 'a.sbp ready, b.sbt ready');
await settled(page);
ok('analyses a trace that is chosen', /scheduler/.test(await page.locator('.headline').innerText()));
// a dropped file is looked for by its name; what is in it is not read
const drop = async (name) => {
  await page.evaluate((n) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['anything'], n));
    const over = new DragEvent('dragover', { dataTransfer, bubbles: true, cancelable: true });
    document.body.dispatchEvent(over);
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    document.body.dataset.taken = over.defaultPrevented;
  }, name);
  equal(`${name} may be dropped`, await page.evaluate(() => document.body.dataset.taken), 'true');
};
await drop('a.sbp');
await until(async () => !/profile=/.test(page.url()));
await settled(page);
equal('a dropped file of the folder is opened', await list.inputValue(), '0');
await drop('passwd');
await page.getByRole('alert').waitFor();
ok('another one is not', /passwd is none of the files/.test(await page.getByRole('alert').innerText()));
equal('and nothing changes', await list.inputValue(), '0');
await page.getByRole('button', { name: 'Dismiss' }).click();
copyFileSync(shop, join(all, 'd.sbp'));
await drop('d.sbp');
await until(async () => /profile=2/.test(page.url()));
await settled(page);
equal('one that came later is', await names(), 'a.sbp b.sbt d.sbp');
copyFileSync(shop, join(all, 'c.sbp'));
await page.reload();
await settled(page);
equal('lists what came later', await names(), 'a.sbp b.sbt d.sbp c.sbp');
await list.selectOption({ label: 'c.sbp' });
await until(async () => (await served()).endsWith('c.sbp ready'));
await settled(page);
ok('and opens it', /scheduler/.test(await page.locator('.headline').innerText()));
equal('complains of nothing', page.complaints.join(' | '), '');
await chromium.close();
equal('ends in order', await server.stop(), 0);
finish();
