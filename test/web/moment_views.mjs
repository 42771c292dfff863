// What views.mjs checks of the selected slice or state: a click stays in the view, and the panel agrees with slow SQL.
import { cells, equal, go, ok, query, savedBy, settled, unfold } from './lib.mjs';

const PANEL = 'What led to it, and what came of it';
const END =
  'start + coalesce(wait_ns, 0) + coalesce(handover_ns, 0) + coalesce(runnable_ns, 0) + coalesce(unknown_ns, 0)';

/** Returns a slice that a message began, and in which its process woke another one. */
function wokenSlice(profile) {
  const [slice] = query(
    profile,
    `SELECT s.process, s.scheduler, s.start, s.dur, g.waker, g.woken
     FROM (SELECT process, waker, start + wait_ns AS woken, ${END} AS ran FROM gap
           WHERE cause = 'message' AND wait_ns > 0 LIMIT 2000) g
     CROSS JOIN slice s ON s.process = g.process AND s.start = g.ran
     WHERE s.kind = 'normal' AND s.dur > 2000 AND EXISTS (
       SELECT 1 FROM gap WHERE waker = s.process AND start + wait_ns BETWEEN s.start AND s.start + s.dur)
       AND NOT EXISTS (SELECT 1 FROM gc WHERE process = s.process AND start BETWEEN s.start AND s.start + s.dur)
     LIMIT 1`, // a click on a collection selects that
  );
  return slice;
}

/** Compares the panel with tables: what the slice received, sent and woke, and the states around it. */
async function compare(page, profile, name, { process, start, dur }) {
  const end = start + dur;
  const [relations, at, length] = [
    await cells(page, PANEL, 'relation'),
    await cells(page, PANEL, 'at'),
    await cells(page, PANEL, 'dur'),
  ];
  const same = (relation, sql) => {
    const wanted = query(profile, sql).map((r) => `${r.at} ${r.dur ?? 'null'}`);
    const got = relations.flatMap((r, i) => (r === relation ? [`${at[i]} ${length[i]}`] : []));
    // the panel holds only the rows in sight
    equal(`${name}: ${relation}`, got.join(), wanted.slice(0, got.length).join());
    ok(`${name}: ${relation} is complete`, got.length === wanted.length || relations.length > 12, `${wanted.length}`);
  };
  same(
    'before',
    `SELECT start AS at, dur FROM state WHERE process = ${process} AND start + dur = ${start} AND dur > 0`,
  );
  same('after', `SELECT start AS at, dur FROM state WHERE process = ${process} AND start = ${end} AND dur > 0`);
  same(
    'received',
    `SELECT received AS at, received - sent AS dur FROM message WHERE receiver = ${process}
     AND received BETWEEN ${start} AND ${end} ORDER BY received`,
  );
  same(
    'sent',
    `SELECT sent AS at, received - sent AS dur FROM message WHERE sender = ${process}
     AND sent BETWEEN ${start} AND ${end} ORDER BY sent`,
  );
  same(
    'woke',
    `SELECT start + wait_ns AS at, ${END} - start - wait_ns AS dur FROM gap WHERE waker = ${process}
     AND start + wait_ns BETWEEN ${start} AND ${end} ORDER BY at`,
  );
}

/** Clicks the middle of the picture, at a lane. */
async function click(page, name, left, lane, height) {
  const canvas = page.getByRole('img', { name, exact: true });
  await canvas.scrollIntoViewIfNeeded();
  const { width } = await canvas.boundingBox();
  await canvas.click({ position: { x: left + (width - left - 8) / 2, y: 22 + (lane + 0.4) * height } });
  await settled(page);
}
const hashOf = (page) => page.evaluate(() => location.hash);
const selectedOf = async (page) => /[?&]at=([0-9.-]+)/.exec(await hashOf(page))?.[1];

const rowsOf = async (page, label) =>
  Number(await page.locator(`[role=region][aria-label="${label}"] table`).getAttribute('aria-rowcount')) - 1;
const MESSAGES = 'The messages in view';
/** Compares the arrows with the messages of which a part is in the range. */
async function compareFlows(page, profile, name, [from, to], among = '') {
  await unfold(page, MESSAGES);
  const wanted = query(
    profile,
    `SELECT sent FROM message WHERE sender > 0 AND receiver > 0 AND sent < ${to} AND received >= 0
     AND (received > ${from} OR sent >= ${from}) ${among}`,
  ).map((r) => r.sent);
  equal(`${name}: messages in view`, await rowsOf(page, MESSAGES), wanted.length);
  const shown = await cells(page, MESSAGES, 'sent');
  ok(
    `${name}: which were sent then`,
    shown.length > 0 && shown.every((at) => wanted.includes(Number(at))),
    shown.join(),
  );
}

async function ofSchedulers(page, profile) {
  const slice = wokenSlice(profile);
  ok('moment: a slice was woken and woke', Boolean(slice));
  const lanes = query(profile, "SELECT id FROM scheduler WHERE slices > 0 OR kind = 'normal' ORDER BY id");
  const { process, start, dur } = slice;
  const around = `t=${start - dur}-${start + 2 * dur}`;
  await go(page, `#/schedulers?links=no&${around}`);
  const lane = lanes.findIndex((r) => r.id === slice.scheduler);
  await click(page, 'What ran on each scheduler over time', 128, lane, 44);
  ok('moment: a click stays in the view', (await hashOf(page)).startsWith('#/schedulers'), await hashOf(page));
  equal('moment: what was clicked is in the address', await selectedOf(page), `${process}.${start}`);
  const facts = await page.locator('dl.moment').innerText();
  for (const ns of [start, start + dur])
    ok(`moment: its times to the nanosecond`, facts.includes((ns / 1e9).toFixed(9)), facts);
  await compare(page, profile, 'moment', slice);
  const woken = (await cells(page, PANEL, 'relation')).indexOf('woken_by');
  equal('moment: when it was woken', (await cells(page, PANEL, 'at'))[woken], slice.woken);
  const picture = 'What ran on each scheduler over time';
  await compareFlows(page, profile, 'schedulers', [start - dur, start + 2 * dur]);
  const on = await cells(page, MESSAGES, 'to_scheduler');
  const [sent, to] = [await cells(page, MESSAGES, 'sent'), await cells(page, MESSAGES, 'to')];
  const ran = query(
    profile,
    `SELECT s.scheduler AS id FROM message m JOIN slice s ON s.process = m.receiver AND s.start <= m.received
     AND s.start + s.dur >= m.received WHERE m.sent = ${sent[0]} AND m.receiver = ${to[0]} LIMIT 1`,
  );
  equal('schedulers: an arrow leads to where the receiver ran', on[0], ran[0].id);
  const drawing = () => page.getByRole('img', { name: picture, exact: true }).evaluate((c) => c.toDataURL());
  const size = await page.getByRole('img', { name: picture, exact: true }).evaluate((c) => [c.width, c.height]);
  const png = await savedBy(page, `Save as PNG: ${picture}`);
  equal('schedulers: the picture as PNG', [png.readUInt32BE(16), png.readUInt32BE(20)], size);
  const lines = (await savedBy(page, `Save as CSV: ${PANEL}`)).toString().trim().split('\r\n');
  equal('moment: the table as CSV has all rows', lines.length, (await rowsOf(page, PANEL)) + 1);
  const withArrows = await drawing();
  await page.getByLabel('messages as arrows').uncheck();
  await settled(page);
  ok('schedulers: messages are drawn as arrows', (await drawing()) !== withArrows);
  await page.getByLabel('messages as arrows').check();
  await settled(page);
  await page.keyboard.press('u');
  await settled(page);
  equal('moment: u steps to the waker', await selectedOf(page), `${slice.waker}.${slice.woken}`);
  ok('moment: who woke the slice had it', (await cells(page, PANEL, 'relation')).includes('woke'));
  await page.goBack();
  await settled(page);
  equal('moment: back is the slice again', await selectedOf(page), `${process}.${start}`);
  await page.keyboard.press(',');
  await settled(page);
  const [before] = query(
    profile,
    `SELECT state, start FROM state WHERE process = ${process} AND start + dur = ${start}`,
  );
  equal('moment: , steps to the state before', await selectedOf(page), `${process}.${before.start}`);
  equal(
    'moment: which the panel names',
    await page.locator('.panel h2', { hasText: 'Selected' }).innerText(),
    `Selected: ${before.state}`,
  );
  await page.keyboard.press('.');
  await settled(page);
  equal('moment: . steps to the slice after it', await selectedOf(page), `${process}.${start}`);
  await page.reload();
  await settled(page);
  ok('moment: the address holds it', (await page.locator('dl.moment').innerText()).includes((start / 1e9).toFixed(9)));
  await page.keyboard.press('Escape');
  await settled(page);
  equal('moment: Esc clears it', await selectedOf(page), undefined);
  await go(page, `#/schedulers?links=no&${around}&at=${process}.${start}`); // for axe
}

async function ofCompare(page, profile) {
  const { process, start, dur, waker, woken } = wokenSlice(profile);
  await go(page, `#/compare?p=${process}&t=${start - dur}-${start + 2 * dur}`);
  ok(
    'compare: among one process there is no message',
    (await page.getByLabel('messages as arrows').count()) === 0 || waker === process,
  );
  await click(page, 'States of the processes over time', 216, 0, 34);
  equal('compare: a click selects what the process did', await selectedOf(page), `${process}.${start}`);
  await page.keyboard.press('u');
  await settled(page);
  equal('compare: the waker gets a lane', /p=([0-9,]+)/.exec(await hashOf(page))?.[1], `${process},${waker}`);
  equal('compare: and is selected', await selectedOf(page), `${waker}.${woken}`);
  const ids = `${process}, ${waker}`;
  const [, a, b] = /t=([0-9]+)-([0-9]+)/.exec(await hashOf(page));
  await compareFlows(
    page,
    profile,
    'compare',
    [Number(a), Number(b)],
    `AND sender IN (${ids}) AND receiver IN (${ids})`,
  );
  await go(page, '#/schedulers');
  const [{ n }] = query(
    profile,
    'SELECT count(*) AS n FROM message WHERE sender > 0 AND receiver > 0 AND received >= 0',
  );
  ok(
    'schedulers: how many messages are too many to draw',
    (await page.locator('.flows').innerText()).includes(
      n >= 100000 ? 'over 100,000 messages' : `${n.toLocaleString('en-US')} messages`,
    ),
  );
}

async function ofProcess(page, profile) {
  const { process, start, dur, waker } = wokenSlice(profile);
  await go(page, `#/process/${process}?t=${start - dur}-${start + 2 * dur}`);
  await click(page, 'States of this process over time', 14, 0, 56);
  ok('process: a click stays', (await hashOf(page)).startsWith(`#/process/${process}?`), await hashOf(page));
  await page.keyboard.press('u');
  await settled(page);
  ok('process: a step to another process goes there', (await hashOf(page)).startsWith(`#/process/${waker}?`));
}

/** Returns the checks by address. */
export const momentViews = (profile) => ({
  'schedulers?links=no': (page) => ofSchedulers(page, profile),
  'compare?moment': (page) => ofCompare(page, profile),
  'process/moment': (page) => ofProcess(page, profile),
});
