// What views.mjs checks of the findings, the forecast and the critical path.
import { cells, equal, go, ok, predict, query, report, saved, settled, unfold } from './lib.mjs';

/** Compares the histogram of a server with its requests: each with the next message from it to the client. Of the last
    replies the trace may miss the receipt. */
async function roundTrips(page, profile, { id, requests, p50_ns, p99_ns }) {
  const trips = query(
    profile,
    `SELECT (SELECT min(r.received) FROM message r WHERE r.receiver = q.sender AND r.sender = ${id}
       AND r.sent >= q.sent) - q.sent AS ns FROM message q WHERE q.receiver = ${id} AND q.sender > 0`,
  ).flatMap((r) => r.ns ?? []);
  const [{ open }] = query(
    profile,
    `SELECT count(*) AS open FROM message WHERE sender = ${id} AND receiver > 0 AND received IS NULL`,
  );
  const asked = [];
  const note = (r) => r.url().includes('/ask/round_trips') && asked.push(r.url());
  page.on('request', note);
  await page.reload();
  await settled(page);
  equal('findings: round trips are counted for a chosen server alone', asked.length, 0);
  await page.getByLabel('Server', { exact: true }).selectOption(String(id));
  await settled(page);
  equal('findings: once', asked.length, 1);
  page.off('request', note);
  await unfold(page, 'Round trips by length');
  const bars = await saved(page, 'Round trips by length');
  const more = bars.map((b) => b.count - trips.filter((ns) => ns >= b.low_ns && ns < b.high_ns).length);
  const all = bars.reduce((n, b) => n + Number(b.count), 0);
  equal('findings: all round trips are in the histogram', all, requests);
  ok(
    'findings: as many of each length as requests have such a reply',
    trips.length > 100 && more.every((n) => n >= 0) && more.reduce((n, v) => n + v) <= open,
    `${more} of ${open}`,
  );
  const upTo = (ns) => bars.reduce((n, b) => n + (b.low_ns <= ns ? Number(b.count) : 0), 0) / all;
  ok('findings: half of them within the median', upTo(p50_ns) >= 0.5 && upTo(p50_ns) < 0.6, upTo(p50_ns));
  ok('findings: and 99 % within the other mark', upTo(p99_ns) >= 0.99, upTo(p99_ns));
}

const findings = (profile, painted) => ({
  findings: async (page) => {
    const tenths = await page.locator('.account li').evaluateAll((all) => all.map((li) => Number(li.dataset.tenths)));
    equal(
      'findings: the parts of the bar add up to 100.0 %',
      tenths.reduce((s, v) => s + v, 0),
      1000,
    );
    const [work] = query(profile, "SELECT sum(share) AS share FROM account WHERE part = 'work'");
    ok('findings: time at work as in table account', Math.abs(tenths[0] / 10 - work.share) < 0.11, `${tenths[0]}`);
    const rows = query(profile, 'SELECT rule, evidence, fix, gain_source FROM finding ORDER BY rank LIMIT 10');
    const rules = await page.locator('.findings code').allInnerTexts();
    equal('findings: by rank', rules.join(), rows.map((r) => r.rule).join());
    await unfold(page, 'The account of scheduler time');
    const ns = (await cells(page, 'The account of scheduler time', 'ns')).map(Number);
    const why = report(profile, 'why');
    equal('findings: the account as a table', ns.join(), why.map((r) => r.ns).join());
    const trips = report(profile, 'latency');
    const shown = [await cells(page, 'Round trips', 'p99_ns'), await cells(page, 'Round trips', 'mailbox_ns')];
    equal(
      'findings: round trips as in the report',
      shown.join(),
      [trips.map((r) => r.p99_ns), trips.map((r) => r.mailbox_ns)].join(),
    );
    await roundTrips(page, profile, trips[0]);
    if (!rows.length) return; // a machine too busy for any gain
    ok('findings: with the cure', (await page.locator('.findings').innerText()).includes(rows[0].fix));
    const replays = (await page.locator('.gain').allInnerTexts()).map((text) => text.includes('by a replay'));
    equal('findings: with the source of each gain', replays.join(), rows.map((r) => r.gain_source === 'replay').join());
    await page.getByRole('link', { name: 'Evidence 1', exact: true }).click();
    await settled(page);
    equal('findings: the evidence is a query', await page.locator('textarea').inputValue(), rows[0].evidence);
    const found = query(profile, rows[0].evidence);
    equal(
      'findings: and its answer',
      (await page.locator('[role=region][aria-label=Result] table').getAttribute('aria-rowcount')) - 1,
      found.length,
    );
    await go(page, '#/findings');
  },
  [`findings?server=${report(profile, 'latency')[0].id}`]: async (page) => {
    ok('findings: round trips are drawn', (await painted(page, 'How many round trips took how long')) > 1000);
  },
  'findings?open=the-forecast.the-forecast-with-the-change': async (page) => {
    const said = (rows) => rows.map((r) => r.high_ns ?? 'null').join();
    equal(
      'findings: the forecast of strobe predict',
      (await cells(page, 'The forecast', 'high_ns')).join(),
      said(predict(profile)),
    );
    const [pid] = (
      await page
        .getByLabel('Process', { exact: true })
        .locator('option')
        .evaluateAll((all) => all.map((o) => o.value))
    ).slice(1);
    await page.getByLabel('Process', { exact: true }).selectOption(pid);
    await page.getByLabel('were faster').fill('2');
    await settled(page);
    ok('findings: a change is in the address', /faster=2/.test(await page.evaluate(() => location.hash)));
    equal(
      'findings: and answered',
      (await cells(page, 'The forecast with the change', 'high_ns')).join(),
      said(predict(profile, '--faster', `${pid}=2`)),
    );
    equal(
      'findings: as the command that is shown',
      await page.locator('.curve code').innerText(),
      `strobe predict ${profile} --faster '${pid}=2'`,
    );
    ok('findings: both are drawn', (await painted(page, 'The predicted time by number of cores')) > 1000);
  },
});

const critical = (profile, painted) => ({
  critical: async (page) => {
    const link = (id) => query(profile, `SELECT * FROM critical_link WHERE id = ${id}`)[0];
    ok('critical: the chain is drawn', (await painted(page, 'The critical path over time')) > 2000);
    const chosen = () => page.evaluate(() => Number(/link=([0-9]+)/.exec(location.hash)?.[1]));
    await page.keyboard.press('n');
    await settled(page);
    equal('critical: n selects the first link', await chosen(), 1);
    await page.keyboard.press('n');
    await settled(page);
    await page.keyboard.press('n');
    await settled(page);
    await page.keyboard.press('p');
    await settled(page);
    const id = await chosen();
    const { process, peer, start, dur, steps } = link(id);
    ok('critical: n and p follow the chain', id > 1, id);
    equal(
      'critical: a link selects its processes',
      (await page.evaluate(() => /p=([0-9,]+)/.exec(location.hash)?.[1])) ?? '',
      [process, peer].filter((p) => p !== null).join(),
    );
    equal(
      'critical: its steps',
      (await cells(page, 'The steps of the link', 'dur')).reduce((s, v) => s + Number(v), 0),
      dur,
    );
    equal('critical: all of them', (await cells(page, 'The steps of the link', 'dur')).length, steps);
    await page.reload();
    await settled(page);
    equal('critical: the link is in the address', await chosen(), id);
    await page.keyboard.press('x');
    await settled(page);
    const [view, from, to] = await page.evaluate(() => {
      const [, v, a, b] = /#.(\w+).*t=([0-9]+)-([0-9]+)/.exec(location.hash);
      return [v, Number(a), Number(b)];
    });
    ok(
      'critical: x shows it in the lanes',
      view === 'compare' && from <= start && to >= start + dur && to - from < 2 * dur + 2001,
      `${view} ${from} ${to}`,
    );
    await go(page, '#/critical');
    const sum = (await cells(page, 'The chain by process and kind', 'ns')).map(Number);
    const [{ ns }] = query(profile, 'SELECT sum(dur) AS ns FROM critical');
    const notes = report(profile, 'critical').map((r) => r.note);
    equal(
      'critical: what set the length, in words',
      (await page.locator('.set-length').allInnerTexts()).join(),
      notes.filter((s) => s !== null).join(),
    );
    ok('critical: sums by process and kind', sum[0] > 0 && sum.reduce((s, v) => s + v, 0) <= ns);
    await page.keyboard.press('?');
    ok('critical: its keys are in the list', (await page.locator('.keys').innerText()).includes('next link'));
    await page.keyboard.press('Escape');
    await settled(page);
  },
});

/** Returns the checks by address; `painted` counts the pixels of a picture. */
export const whyViews = (profile, painted) => ({ ...findings(profile, painted), ...critical(profile, painted) });
