// Shared by the tests of the page: the program, a recorded profile, a server on it, and a browser.
import { execFileSync, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
export const STROBE = process.env.STROBE ?? join(ROOT, 'build/strobe');
/** The program that serves: a build with sanitizers if STROBE_SERVER names one. */
const SERVER = process.env.STROBE_SERVER ?? STROBE;
const require = createRequire(join(ROOT, 'web/package.json'));

let failed = 0;
export function ok(name, condition, why = '') {
  if (!condition) failed++;
  console.log(condition ? `ok ${name}` : `not ok ${name}${why === '' ? '' : `: ${why}`}`);
}
export const equal = (name, got, wanted) => ok(name, String(got) === String(wanted), `${got}, not ${wanted}`);
export const finish = () => process.exit(failed ? 1 : 0);

export const folder = mkdtempSync(join(tmpdir(), 'strobe-web-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** Records the shop of examples/ and returns its profile. */
export function record(name, trace) {
  const profile = join(folder, `${name}.sbp`);
  const sbt = join(folder, `${name}.sbt`);
  execFileSync(STROBE, ['record', '-o', sbt, ...trace, '--', join(ROOT, 'examples/bottleneck/run')], {
    stdio: 'ignore',
    timeout: 120000,
  });
  execFileSync(STROBE, ['analyze', sbt, '-o', profile], { stdio: 'ignore', timeout: 120000 });
  return profile;
}
export const query = (profile, sql) =>
  JSON.parse(execFileSync(STROBE, ['query', profile, sql, '--format', 'json'], { encoding: 'utf8' }));

export const report = (profile, section, ...how) =>
  JSON.parse(execFileSync(STROBE, ['report', profile, section, '--format', 'json', ...how], { encoding: 'utf8' }));

export const predict = (profile, ...change) =>
  JSON.parse(execFileSync(STROBE, ['predict', profile, ...change, '--format', 'json'], { encoding: 'utf8' }));

/** Starts `strobe serve` on files; returns its address and a function that stops it. */
export async function serve(...args) {
  const child = spawn(SERVER, ['serve', '--no-open', ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  process.on('exit', () => child.kill());
  const url = await new Promise((done, fail) => {
    child.stdout.once('data', (line) => done(String(line).trim()));
    child.once('exit', (code) => fail(new Error(`strobe serve ended with ${code}`)));
  });
  /** Stops the server; 0 if it exited in order and no sanitizer reported anything. */
  const stop = () =>
    new Promise((done) => {
      if (child.exitCode !== null || child.signalCode !== null) done(child.exitCode ?? child.signalCode);
      child.once('exit', (code, signal) => done(code ?? signal));
      child.kill();
    });
  return { url, origin: new URL(url).origin, token: new URL(url).searchParams.get('token'), child, stop };
}

export async function browser() {
  const { chromium } = require('playwright-core');
  const path = process.env.CHROMIUM ?? '/usr/bin/chromium';
  if (!existsSync(path)) throw new Error(`${path} is missing: tools/deps`);
  return chromium.launch({
    executablePath: path,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
}
export const axePath = () => require.resolve('axe-core/axe.min.js');

/** Opens a page that collects its errors. */
export async function open(context, url) {
  const page = await context.newPage();
  page.complaints = [];
  page.on('console', (m) => m.type() === 'error' && page.complaints.push(m.text()));
  page.on('pageerror', (e) => page.complaints.push(e.message));
  await page.goto(url);
  return page;
}
/** Polls until `so` returns a true value, and returns it; null after a minute or two. */
export async function until(so, seconds = 120) {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await new Promise((r) => setTimeout(r, 20))) {
    const got = await so();
    if (got) return got;
  }
  return null;
}
/** Waits until the page shows what its address says; the page reports it itself (web/src/state/settled.ts). */
export async function settled(page) {
  // polled from outside, because the page's policy forbids injected functions
  const there = () => page.evaluate(() => document.documentElement.dataset.settled === location.hash);
  if (!(await until(there))) throw new Error(`the view does not come to rest: ${page.url()}`);
}

/** Goes to a place of the page, and waits until it shows. */
export const go = async (page, hash) => {
  await page.evaluate((h) => {
    location.hash = h;
  }, hash);
  await settled(page);
};
export const cells = (page, label, column) =>
  page
    .locator(`[role=region][aria-label="${label}"] td[data-column="${column}"]`)
    .evaluateAll((all) => all.map((td) => td.dataset.value));
export const unfold = async (page, what) => {
  await page.locator(`summary[aria-label="Show as table: ${what}"]`).click();
  await page.locator(`[role=region][aria-label="${what}"]`).waitFor();
};
/** Clicks a button, and returns the file that it saves. */
export async function savedBy(page, name) {
  const saving = page.waitForEvent('download');
  const button = page.getByRole('button', { name, exact: true });
  await button.focus();
  await page.keyboard.press('Enter');
  return readFileSync(await (await saving).path());
}
/** All rows of a table, as the page saves them. */
export async function saved(page, what) {
  const [head, ...lines] = String(await savedBy(page, `Save as CSV: ${what}`))
    .trimEnd()
    .split(/\r?\n/);
  const names = head.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((v, i) => [names[i], v])));
}
export const first = async (page, label, column) => (await cells(page, label, column))[0];
