#!/usr/bin/env node
// The view Difference of two profiles: it shows what `strobe diff` says, which adds up to the accounts in the profiles.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  axePath,
  browser,
  cells,
  equal,
  finish,
  folder,
  go,
  ok,
  open,
  query,
  record,
  ROOT,
  serve,
  settled,
  STROBE,
  until,
} from './lib.mjs';

const CALLS = ['--trace', 'all,calls', '--module', 'prices', '--module', 'bottleneck'];
const [a, b] = ['60000', '100000'].map((n, i) => record(`shop${i}`, [...CALLS, '--limit-events', n]));
const made = join(folder, 'made.sbt');
const size = ['--events', '5000', '--processes', '10', '--schedulers', '2'];
execFileSync(join(ROOT, 'build/strobe-gen'), [...size, '-o', made]);
const said = (...of) => JSON.parse(execFileSync(STROBE, ['diff', ...of, '--format', 'json'], { encoding: 'utf8' }));
const rows = said(a, b);
const server = await serve(a, b);
const get = (path, headers = {}) =>
  fetch(`${server.origin}/api/${path}`, { headers: { 'X-Strobe-Token': server.token, ...headers } });

// ---- the route
equal(
  'as strobe diff',
  JSON.stringify((await (await get('diff?with=1&format=json')).json()).diff),
  JSON.stringify(rows),
);
equal(
  'and the other way round',
  JSON.stringify((await (await get('diff?profile=1&with=0&format=json')).json()).diff),
  JSON.stringify(said(b, a)),
);
equal('without another profile', (await get('diff')).status, 400);
equal('one that is not served', (await get('diff?with=2')).status, 400);
const tag = (await get('diff?with=1')).headers.get('etag');
equal('an answer that is known is not sent again', (await get('diff?with=1', { 'If-None-Match': tag })).status, 304);
equal('that of another pair is', (await get('diff?with=0', { 'If-None-Match': tag })).status, 200);
for (const [side, profile] of Object.entries({ a, b })) {
  const account = query(profile, 'SELECT part, sum(ns) AS ns, sum(share) AS share FROM account GROUP BY part');
  const found = rows.filter((r) => r.kind === 'account');
  const differ = account.filter(({ part, ns, share }) => {
    const r = found.find((row) => row.subject === part);
    return r ? r[side] !== ns || Math.abs(100 * r[`${side}_share`] - share) > 1e-6 : share > 1e-3;
  });
  ok(`${side}: the account is that of the profile`, account.length > 3 && !differ.length, JSON.stringify(differ));
}
ok(
  'a difference is that of both sides',
  rows.every((r) => r.difference === (r.a === null || r.b === null ? null : r.b - r.a)),
);

// ---- the view
/** The tables: the kinds of rows in them. */
const TABLES = {
  'The run': ['length', 'work', 'lane', 'memory'],
  Groups: ['group'],
  Functions: ['function'],
  Servers: ['round_trip_p50', 'round_trip_p99', 'service_p50', 'service_p99'],
  Waits: ['wait'],
  Messages: ['messages'],
  'Sizes of messages': ['message_words'],
  'Garbage collection': ['gc'],
};
const chromium = await browser();
const COLUMNS = ['a', 'b', 'difference', 'change'];
const shown = (v) => (v === null ? 'null' : String(v));
async function tablesOf(page, name, wanted) {
  for (const [label, kinds] of Object.entries(TABLES)) {
    const of = wanted.filter((r) => kinds.includes(r.kind) && r.difference !== 0);
    if (!of.length) continue;
    const region = page.getByRole('region', { name: label, exact: true });
    equal(
      `${name}: ${label}: all that differ`,
      await region.locator('table').getAttribute('aria-rowcount'),
      of.length + 1,
    );
    for (const column of COLUMNS) {
      const got = await cells(page, label, column);
      const all = of.slice(0, got.length).map((r) => shown(r[column]));
      ok(`${name}: ${label}: ${column}`, got.length > 0 && got.join() === all.join(), `${got}, not ${all}`);
    }
  }
}
/** Both bars: the part of the axis that they take, against the sums of the accounts. */
async function barsOf(page) {
  const sum = (side) => rows.filter((r) => r.kind === 'account').reduce((n, r) => n + r[side], 0);
  const most = Math.max(sum('a'), sum('b'));
  const widths = await page.locator('.two-bars .account-bar').evaluateAll((all) =>
    all.map((bar) => {
      const ends = [...bar.children].map((i) => i.getBoundingClientRect().right);
      const { left, width } = bar.getBoundingClientRect();
      return (Math.max(...ends) - left) / width;
    }),
  );
  ok(
    'both accounts are on one axis',
    widths.length === 2 && ['a', 'b'].every((side, i) => Math.abs(widths[i] - sum(side) / most) < 0.005),
    widths,
  );
  const account = rows.filter((r) => r.kind === 'account');
  const label = 'The accounts of scheduler time';
  const size = (r) => Math.abs(r.difference);
  account.sort((x, y) => size(y) - size(x));
  for (const column of [...COLUMNS, 'a_share', 'b_share'])
    equal(
      `${label}: ${column}`,
      (await cells(page, label, column)).join(),
      account.map((r) => shown(r[column])).join(),
    );
}
async function axe(page, name) {
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
  ok(`axe: ${name}`, violations.length === 0, violations.map((v) => `${v.id} (${v.nodes[0].target})`).join(', '));
}

for (const [scheme, width] of [
  ['light', 1024],
  ['dark', 1920],
]) {
  const context = await chromium.newContext({ viewport: { width, height: 900 }, colorScheme: scheme });
  await context.addInitScript({ path: axePath() });
  const asked = [];
  context.on('request', (r) => asked.push(new URL(r.url()).pathname));
  const page = await open(context, server.url);
  await settled(page);
  const scripts = () => asked.filter((path) => path.endsWith('.js')).join(' ');
  equal(`${scheme}: the first view needs no other script`, scripts(), '');
  await page.keyboard.press('g');
  await page.keyboard.press('d');
  await settled(page);
  equal(`${scheme}: the view asks for one`, scripts(), '/diff.js');
  const note = await page.getByRole('note').innerText();
  ok(
    `${scheme}: says what one run cannot tell`,
    /One run on a side: a change cannot be told from noise/.test(note),
    note,
  );
  await tablesOf(page, scheme, rows);
  await barsOf(page);
  ok(
    `${scheme}: fits into ${width} pixels`,
    await page.evaluate(() => document.querySelector('main').scrollWidth <= document.querySelector('main').clientWidth),
  );
  await axe(page, `${scheme}`);
  await page.getByRole('button', { name: 'Swap A and B' }).focus();
  await page.keyboard.press('Enter');
  await settled(page);
  equal(`${scheme}: swapped: the address`, await page.evaluate(() => location.hash), '#/diff?profile=1&with=0');
  await tablesOf(page, `${scheme}, swapped`, said(b, a));
  equal(`${scheme}: complains of nothing`, page.complaints.join(' | '), '');
  await context.close();
}

// ---- others
const all = join(folder, 'all');
mkdirSync(all);
copyFileSync(a, join(all, 'a.sbp'));
copyFileSync(made, join(all, 'b.sbt'));
const lazy = await serve(all);
const page = await open(await chromium.newContext({ viewport: { width: 1400, height: 900 } }), lazy.url);
await settled(page);
await go(page, '#/diff');
ok('a trace of a folder is analysed first', await until(() => page.getByRole('region', { name: 'The run' }).count()));
ok('and compared', (await cells(page, 'The run', 'b')).includes(shown(said(a, made)[0].b)));
await page.getByRole('button', { name: 'Swap A and B' }).click();
await settled(page);
equal('the choice is in the address', await page.evaluate(() => location.hash), '#/diff?profile=1&with=0');
equal('ends in order', await lazy.stop(), 0);
const one = await serve(a);
const alone = await open(await chromium.newContext(), one.url);
await settled(alone);
equal('one profile: there is no entry', await alone.getByRole('link', { name: 'Difference' }).count(), 0);
await go(alone, '#/diff');
ok('and the view says what to do', /strobe serve .*OTHER/.test(await alone.locator('.empty').innerText()));
equal('ends in order', await one.stop(), 0);
await chromium.close();
equal('ends in order', await server.stop(), 0);
finish();
