#!/usr/bin/env node
// Profiles without the data of a view: the view says what to record, with the command, and logs no error. A profile
// without times says so. Several profiles at once: the list or the address selects one.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { browser, equal, finish, folder, ok, open, record, serve, settled, STROBE } from './lib.mjs';

const VIEWS = [
  'overview',
  'schedulers',
  'compare',
  'processes',
  'process/1',
  'tree',
  'ports',
  'messages',
  'calls',
  'gc',
  'sql',
];
const NEEDS = {
  schedulers: 'running',
  compare: 'running',
  messages: 'messages',
  calls: 'calls',
  gc: 'gc',
  ports: 'ports',
  overview: 'all',
};

const little = record('little', ['--trace', 'procs']);
const text = join(folder, 'nobody.txt');
const nobody = join(folder, 'nobody.sbp');
writeFileSync(text, '# nothing\n');
execFileSync(STROBE, ['analyze', text, '-o', nobody], { stdio: 'ignore' });
const whole = record('whole', ['--limit-events', '60000']);
const order = join(folder, 'order.txt'); // no stamps, but all there is else
writeFileSync(
  order,
  `@meta node=a@h untimed
- <0.5.0> 1 spawned parent=<0.1.0> mfa=m:f/0
- <0.5.0> 1 in mfa=m:f/0
- <0.5.0> 1 call mfa=m:g/1
- <0.5.0> 1 call mfa=m:h/0
- <0.5.0> 1 return_to mfa=m:g/1
- <0.5.0> 1 gc_minor_start heap=10
- <0.5.0> 1 gc_minor_end heap=5
- <0.5.0> 1 send to=<0.6.0> words=4 ext=9 hash=7
- #Port<0.6> 1 open driver=udp owner=<0.5.0>
- <0.5.0> 1 out mfa=m:f/0
- <0.6.0> 2 in mfa=m:f/0
- <0.6.0> 2 receive words=4 ext=9 hash=7
- <0.6.0> 2 out mfa=m:f/0
- <0.5.0> 2 in mfa=m:f/0
- <0.5.0> 2 exit reason=normal
`,
);
execFileSync(STROBE, ['analyze', order, '-o', join(folder, 'order.sbp')], { stdio: 'ignore' });

const some = join(folder, 'some.txt'); // a recording of some processes
writeFileSync(
  some,
  `@meta node=a@h schedulers=2 recorded=procs,running,messages
0 <0.4.0> 1 exists name=driver entry=m:driver/0 status=6
0 <0.5.0> 1 exists entry=m:f/0 status=0
1000 <0.5.0> 1 in mfa=m:f/0
9000000 <0.5.0> 1 out mfa=m:f/0
20000000 <0.5.0> 1 in mfa=m:f/0
21000000 <0.5.0> 1 exit reason=normal
`,
);
execFileSync(STROBE, ['analyze', some, '-o', join(folder, 'some.sbp')], { stdio: 'ignore' });
const server = await serve(little, nobody, whole, join(folder, 'order.sbp'), join(folder, 'some.sbp'));
const chromium = await browser();
const context = await chromium.newContext({ viewport: { width: 1200, height: 800 } });
const page = await open(context, server.url);
await settled(page);
const go = async (hash) => {
  await page.evaluate((h) => {
    location.hash = h;
  }, hash);
  await settled(page);
};
for (const [n, name] of [
  [0, 'processes alone'],
  [1, 'nobody'],
])
  for (const view of VIEWS) {
    await go(`#/${view}?profile=${n}`);
    ok(`${name}, ${view}: complains of nothing`, page.complaints.length === 0, page.complaints.splice(0).join(' | '));
    const shown = (await page.locator('main').innerText()).length;
    ok(`${name}, ${view}: is not blank`, shown > 10, shown);
    if (n === 0 && NEEDS[view]) {
      const command = (await page.locator('.empty pre').allInnerTexts()).join(' ');
      ok(
        `${name}, ${view}: says what to record`,
        command.includes('strobe record') && command.includes(NEEDS[view]),
        command,
      );
    }
  }
equal(
  'the list has all profiles',
  (await page.locator('select[aria-label=Profile] option').allInnerTexts()).join(),
  'little.sbp,nobody.sbp,whole.sbp,order.sbp,some.sbp',
);
await page.locator('select[aria-label=Profile]').selectOption('2');
await settled(page);
await go(`#/overview?profile=2`);
ok('another profile is shown', /scheduler/.test(await page.locator('.headline').innerText()));
await page.goBack();
await settled(page);
await page.goBack();
await settled(page);
ok('back leads to the one before', (await page.evaluate(() => location.hash)).includes('profile=1'));
ok('and complains of nothing', page.complaints.length === 0, page.complaints.join(' | '));
for (const view of [
  ...VIEWS.filter((v) => v !== 'sql'),
  'processes?as=tree',
  'calls?f=m:g/1',
  'messages?level=group',
]) {
  await go(`#/${view}${view.includes('?') ? '&' : '?'}profile=3`);
  const shown = await page.locator('main').innerText();
  ok(
    `no times, ${view}: says so`,
    shown.includes('No times are known') && (await page.locator('.head').innerText()).includes('times unknown'),
  );
  ok(
    `no times, ${view}: and shows none`,
    !/NaN|Infinity|\d\s(ns|µs|ms|s|min)\b/.test(shown.replace(/–/g, '')) &&
      (await page.locator('main [role=img][aria-label*="time"]').count()) === 0,
    shown.slice(0, 400),
  );
  ok(`no times, ${view}: complains of nothing`, page.complaints.length === 0, page.complaints.splice(0).join(' | '));
}
await go('#/overview?profile=4');
const lead = await page.locator('main').innerText();
ok(
  'some processes: the overview speaks of those that were recorded',
  /recorded process(es)? at work/.test(lead) && /1 process existed and was not recorded/.test(lead),
  lead.slice(0, 400),
);
ok('some processes: and claims nothing about idle schedulers', !/than there are schedulers|was idle\./.test(lead));
await chromium.close();
server.stop();
finish();
