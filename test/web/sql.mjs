#!/usr/bin/env node
// The SQL console: no column is dropped, numbers are exact, a statement can be cancelled, and an old result is marked.
import { readFileSync } from 'node:fs';
import { browser, equal, finish, ok, open, query, record, serve, settled, until } from './lib.mjs';

const profile = record('shop', ['--limit-events', '60000']);
const server = await serve(profile);
const chromium = await browser();
const context = await chromium.newContext({
  viewport: { width: 1400, height: 900 },
  permissions: ['clipboard-read', 'clipboard-write'],
});
const page = await open(context, server.url);
await settled(page);
const run = async (text) => {
  await page.locator('textarea').fill(text);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await settled(page);
};
const cell = (column) => page.locator(`[role=region][aria-label="Result"] td[data-column="${column}"]`).first();
await page.evaluate(() => {
  location.hash = '#/sql';
});
await settled(page);

await run(
  `SELECT 1 AS a, NULL AS n, 9007199254740993 AS big, 1e300 AS huge, -9223372036854775807 AS least,
          3810000000 AS run_ns`,
);
equal(
  'every column is there',
  (await page.locator('[aria-label="Result"] th').allInnerTexts()).join(),
  'a,n,big,huge,least,run_ns',
);
equal('a column of NULL', await cell('n').innerText(), 'NULL');
equal('a number beyond 2^53, in full', await cell('big').innerText(), '9,007,199,254,740,993');
equal('and as it is', await cell('big').getAttribute('data-value'), '9007199254740993');
equal('the least', await cell('least').innerText(), '-9,223,372,036,854,775,807');
equal('a very large one', await cell('huge').innerText(), '1e+300');
equal('a time, rounded for people', (await cell('run_ns').innerText()).replace(/\s/g, ' '), '3.81 s');
equal(
  'and in full in its tip',
  (await cell('run_ns').locator('span').getAttribute('title')).replace(/\s/g, ' '),
  '3,810,000,000 ns',
);
await page.getByRole('button', { name: 'Copy table: Result' }).click();
await page.getByText('Copied').waitFor();
equal(
  'a copy has every digit',
  await page.evaluate(() => navigator.clipboard.readText()),
  'a\tn\tbig\thuge\tleast\trun_ns\n1\t\t9007199254740993\t1e+300\t-9223372036854775807\t3810000000\n',
);
const saving = page.waitForEvent('download');
await page.getByRole('button', { name: 'Save as CSV: Result' }).click();
equal(
  'so has a saved file',
  readFileSync(await (await saving).path(), 'utf8'),
  'a,n,big,huge,least,run_ns\r\n1,,9007199254740993,1e+300,-9223372036854775807,3810000000\r\n',
);

const [busiest] = query(profile, 'SELECT * FROM process ORDER BY run_ns DESC LIMIT 1');
await run(`SELECT receiver FROM message_edge WHERE receiver = ${busiest.id} LIMIT 1`);
ok(
  'an id has the name it stands for',
  await until(async () => (await cell('receiver').innerText()).includes(busiest.pid)),
);
equal('and leads there', await cell('receiver').locator('a').getAttribute('href'), `#/process/${busiest.id}`);

await page.locator('textarea').fill('SELECT 2 AS other');
ok(
  'an old result under a new text is marked',
  (await page.locator('.panel h2').allInnerTexts()).includes('Result of the previous statement'),
);
await page.getByRole('button', { name: 'Largest messages' }).click();
await settled(page);
equal(
  'an example runs at once',
  (await page.locator('[aria-label="Result"] th').allInnerTexts()).join(),
  'sender,receiver,sent,words',
);

for (const [text, wanted] of [
  ['SELECT nothing FROM process', 'listed below'],
  ['PRAGMA journal_mode=WAL', 'only SELECT is allowed'],
  ['DELETE FROM process', 'may not be modified'],
  ['SELEC 1', 'listed below'],
]) {
  await run(text);
  const notice = await page.locator('.notice.bad').innerText();
  ok(
    `${text}: says what is wrong, and where the tables are`,
    notice.includes(wanted) && !/FORMAT\.md|--timeout/.test(notice),
    notice,
  );
}
page.complaints.splice(0); // the browser's own word for an answer of 400

const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';
await page.locator('textarea').fill(endless);
await page.getByRole('button', { name: 'Run', exact: true }).click();
await page.getByRole('button', { name: 'Cancel' }).click();
await settled(page);
ok(
  'a statement is cancelled',
  (await page.locator('.notice.bad').innerText()).includes('cancelled'),
  await page.locator('.notice.bad').innerText(),
);
const post = (path, body) =>
  fetch(`${server.origin}/api/${path}`, { method: 'POST', headers: { 'X-Strobe-Token': server.token }, body });
const slow = post('query?id=77', endless);
ok('and on the server', await until(async () => (await (await post('cancel?id=77')).json()).cancelled));
const ended = await slow;
equal('which says so', `${ended.status} ${(await ended.json()).error}`, '400 SQL: cancelled');
equal('there is nothing to cancel then', (await (await post('cancel?id=77')).json()).cancelled, false);
page.complaints.splice(0);
await run("SELECT printf('%.*c', 200000, 'x') AS long");
ok('a long text is cut, and says how long it is', (await cell('long').innerText()).endsWith('200,000 characters'));
equal('complains of nothing', page.complaints.join(' | '), '');
await chromium.close();
server.stop();
finish();
