// What the view of calls shows, compared with SQL; a part of views.mjs.
import { cells, equal, first, ok, query, settled, unfold } from './lib.mjs';

export const callViews = (profile, { painted, edgeTip }) => ({
  calls: async (page) => {
    await unfold(page, 'The call tree');
    await page.getByRole('img', { name: 'Flame graph of the calls' }).click({ position: { x: 40, y: 30 } });
    await settled(page);
    const focus = await page.evaluate(() => location.hash);
    ok('calls: the frame in focus is in the address', /focus=\d+\./.test(focus), focus);
    await page.reload();
    await settled(page);
    await page.getByRole('button', { name: 'Show the whole tree' }).click();
    await settled(page);
    ok('calls: and leaves it again', !(await page.evaluate(() => location.hash)).includes('focus'));
  },
  'calls?as=tree': async (page) => {
    const shown = (await cells(page, 'The calls, unfolded', 'acc')).map(Number);
    ok(
      'calls: the tree is unfolded, the heaviest first',
      shown.length > 1 && shown[0] === Math.max(...shown),
      shown.join(),
    );
  },
  'calls?as=tree&waits=yes': async (page) => {
    const [{ acc }] = query(
      profile,
      `SELECT sum(acc_ns) AS acc FROM call_node WHERE parent = 0
       AND mfa = (SELECT mfa FROM call_node WHERE parent = 0 GROUP BY mfa ORDER BY sum(acc_ns) DESC LIMIT 1)`,
    );
    equal('calls: roots are joined over processes', await first(page, 'The calls, unfolded', 'acc'), String(acc));
  },
  'calls?as=tree&inverted=yes': async (page) => {
    const [top] = query(
      profile,
      "SELECT mfa, sum(own_ns) AS own FROM call_node WHERE mfa <> 'suspend' GROUP BY mfa ORDER BY own DESC LIMIT 1",
    );
    equal(
      'calls: inverted, the function with most time in itself',
      await first(page, 'The calls, unfolded', 'own'),
      top.own,
    );
    await page.getByPlaceholder('Highlight').fill('nowhere');
    await page.getByRole('button', { name: 'Flame' }).click();
    await settled(page);
    const told = () => page.getByRole('status').filter({ hasText: 'match' }).innerText();
    equal('calls: says that nothing matches', await told(), 'No frame of the picture matches');
    await page.getByPlaceholder('Highlight').fill(top.mfa);
    await settled(page);
    ok(
      'calls: and how much does',
      /^\d+ frames? of the picture match(es)?: .* [1-9][0-9.]* % of the time/.test((await told()).replace(/\s/g, ' ')),
      await told(),
    );
    await page.getByRole('button', { name: 'Zoom to the heaviest' }).click();
    await settled(page);
    const focus = new URLSearchParams((await page.evaluate(() => location.hash)).split('?')[1]).get('focus');
    equal('calls: a step zooms to it', focus.replace(/^\d+\./, ''), top.mfa);
    ok(
      'calls: and goes on to the next',
      /^Next \(1 of \d/.test(await page.getByRole('button', { name: 'Next' }).innerText()),
    );
  },
  'calls?as=graph': async (page) => {
    const canvas = page.getByRole('img', { name: 'Who calls whom' });
    ok(
      'calls: the graph of functions is drawn',
      (await canvas.boundingBox()).height > 40 && (await painted(page, 'Who calls whom')) > 2000,
    );
    ok('calls: a line between two functions has a tip', await edgeTip(page, canvas, /calls/));
  },
  'calls?f=prices:total_of/1': async (page) => {
    const [{ n }] = query(profile, "SELECT sum(calls) AS n FROM call_node WHERE mfa = 'prices:total_of/1'");
    for (const [near, far, label] of [
      ['caller', 'callee', 'Callees'],
      ['callee', 'caller', 'Callers'],
    ]) {
      const edges = query(
        profile,
        `SELECT ${far} AS mfa, sum(calls) AS n FROM call_edge
         WHERE ${near} = 'prices:total_of/1' AND ${far} IS NOT NULL GROUP BY ${far} ORDER BY sum(acc_ns) DESC, mfa`,
      );
      equal(
        `calls: ${label.toLowerCase()} and how often`,
        (await cells(page, label, 'calls')).join(),
        edges.map((r) => r.n).join(),
      );
    }
    await unfold(page, 'The callers');
    equal('calls: callers of one function', await first(page, 'The callers', 'calls'), n);
  },
});
