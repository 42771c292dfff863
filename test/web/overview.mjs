#!/usr/bin/env node
// Every button of the overview leads to a view that works: for complete, short and incomplete recordings.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import {
  browser,
  cells,
  equal,
  finish,
  first,
  folder,
  ok,
  open,
  query,
  record,
  report,
  ROOT,
  serve,
  settled,
  STROBE,
} from './lib.mjs';

const generated = (name, ...how) => {
  execFileSync(
    join(ROOT, 'build/strobe-gen'),
    ['--events', '60000', '--processes', '100', '--schedulers', '4', ...how, '-o', join(folder, `${name}.sbt`)],
    { stdio: 'ignore' },
  );
  execFileSync(STROBE, ['analyze', join(folder, `${name}.sbt`), '-o', join(folder, `${name}.sbp`)], {
    stdio: 'ignore',
  });
  return join(folder, `${name}.sbp`);
};
const PROFILES = {
  whole: record('whole', ['--limit-events', '200000']),
  calls: record('calls', ['--trace', 'all,calls', '--module', 'prices', '--limit-events', '100000']),
  gc: record('gc', ['--trace', 'gc', '--limit-events', '20000']),
  generated: generated('generated'),
  lossy: generated('lossy', '--lose', '5'),
};
const server = await serve(...Object.values(PROFILES));
const chromium = await browser();
const context = await chromium.newContext({ viewport: { width: 1400, height: 900 } });
const page = await open(context, server.url);
await settled(page);
const go = async (hash) => {
  await page.evaluate((h) => {
    location.hash = h;
  }, hash);
  await settled(page);
};
const wrong = async () =>
  [...(await page.locator('.notice.bad').allInnerTexts()), ...(await page.locator('.empty h1').allInnerTexts())].join(
    ' | ',
  );
for (const [n, name] of Object.keys(PROFILES).entries()) {
  const home = `#/overview?profile=${n}`;
  await go(home);
  const links = await page
    .locator('main a.button')
    .evaluateAll((all) => all.map((a) => [a.getAttribute('aria-label'), a.getAttribute('href')]));
  for (const [label, href] of links) {
    await go(home);
    await page
      .locator(`main a.button[href="${href.replace(/(["\\])/g, '\\$1')}"]`)
      .first()
      .click();
    await settled(page);
    ok(
      `${name}: ${label.slice(0, 70)}: shows something`,
      !(await wrong()) && (await page.evaluate(() => location.hash)) !== home,
      `${href}: ${await wrong()}`,
    );
  }
  await go(home);
  for (const tab of await page.getByRole('group', { name: 'What over time' }).locator('button').all())
    await tab.click();
  await settled(page);
  const text = await page.locator('main').evaluate((main) => main.textContent.replace(/\u202f/g, ' '));
  ok(
    `${name}: nothing is impossible`,
    !/NaN|Infinity|undefined|\b\d{4,} ?%/.test(text),
    /.*(NaN|Infinity|undefined|\d{4,} ?%).*/.exec(text)?.[0],
  );
  const lost = query(PROFILES[name], 'SELECT sum(events) AS n FROM loss')[0].n;
  if (lost)
    ok(
      `${name}: says how much was lost`,
      (await page.locator('.notice').allInnerTexts()).join().includes(`Lost: any ${lost.toLocaleString('en-US')}.`),
      (await page.locator('.notice').allInnerTexts()).join(),
    );
  ok(`${name}: says of which node it is`, name === 'gc' || /OTP/.test(await page.locator('dl.run').innerText()));
  equal(`${name}: complains of nothing`, page.complaints.splice(0).join(' | '), '');
}
await go('#/schedulers?profile=0');
await page.getByText('Slices in order').click();
await page.getByRole('button', { name: 'Next' }).click();
await settled(page);
const [{ start }] = query(PROFILES.whole, 'SELECT start FROM slice ORDER BY start, process LIMIT 1 OFFSET 2000');
equal('the slices after the first 2,000', await first(page, 'Slices in order', 'start'), start);
// the program alone, in all views
await go('#/overview?profile=1');
const headline = () => page.locator('.headline').innerText();
const ofProgram = await headline();
const told = (item) => report(PROFILES.calls, 'summary').find((row) => row.item === item)?.value;
const [program, run] = [told('program') ?? told('length'), told('length')];
await go('#/schedulers?profile=1');
const leave = page.getByRole('button', { name: 'Leave out start-up and shutdown' });
// beside a busy neighbour the program is nearly all of the run, and there is nothing to leave out
if (program < run - run / 20) {
  await leave.click();
  await settled(page);
  const [from, to] = /t=(\d+)-(\d+)/.exec(page.url()).slice(1).map(Number);
  equal('start-up and shutdown can be left out of the other views', to - from, program);
  const used = report(PROFILES.calls, 'schedulers', '--since', `${from}ns`, '--until', `${to}ns`);
  const ran = new Set(report(PROFILES.calls, 'schedulers').flatMap((r) => (r.slices > 0 ? r.id : []))); // in all of it
  equal(
    'whose figures are then those of the program',
    (await cells(page, 'Schedulers', 'slice_ns')).join(),
    used
      .filter((r) => ran.has(r.id) || r.id <= 2)
      .map((r) => r.slice_ns)
      .join(),
  );
  await go(page.url().split('#')[1].replace(/^/, '#').replace('schedulers', 'overview'));
  equal('and the overview says the same of it', await headline(), ofProgram);
}
equal('there is nothing more to leave out', await page.getByRole('button', { name: /Leave / }).count(), 0);
await go('#/overview?profile=1');
const share = (text) => /([\d.<]+)\s?%/.exec(text)?.[1];
const gains = (await page.locator('.share').allInnerTexts()).map(share);
await go('#/findings?profile=1');
const said = (await page.locator('p.gain, .gain p').allInnerTexts()).map((text) => share(text.split(',')[1] ?? ''));
ok('there is something to gain', gains.length > 0);
const both = Math.min(gains.length, said.filter(Boolean).length); // the overview may end with who did most of the work
equal(
  'it is the same share of the program on both',
  gains.slice(0, both).join(),
  said.filter(Boolean).slice(0, both).join(),
);
await go('#/overview?profile=4');
equal('the tab is named after the view and the profile', await page.title(), 'Overview · lossy.sbp · strobe');
await chromium.close();
server.stop();
finish();
