#!/usr/bin/env node
// Every view of a recorded run shows what `strobe query` says, logs no error, and passes axe.
import {
  axePath,
  browser,
  cells,
  equal,
  finish,
  first,
  go,
  ok,
  open,
  query,
  record,
  report,
  saved,
  savedBy,
  serve,
  settled,
  unfold,
  until,
} from './lib.mjs';
import { callViews } from './call_views.mjs';
import { momentViews } from './moment_views.mjs';
import { whyViews } from './why_views.mjs';

const profile = record('shop', [
  '--trace',
  'all,calls',
  '--module',
  'prices',
  '--module',
  'bottleneck',
  '--limit-events',
  '300000',
]);
const server = await serve(profile);
const chromium = await browser();

/** How many pixels of a picture are not its ground. */
const painted = (page, name) =>
  page.getByRole('img', { name, exact: true }).evaluate((c) => {
    const px = new Uint32Array(c.getContext('2d').getImageData(0, 0, c.width, c.height).data.buffer);
    return px.reduce((n, v) => n + (v !== px[0]), 0);
  });
/** Moves the pointer over a graph, row by row, until a wanted tip shows; the pointer stays there. */
async function tipOf(page, canvas, wanted) {
  await canvas.scrollIntoViewIfNeeded();
  const { x, y, width, height } = await canvas.boundingBox();
  for (let dy = 8; dy < height; dy += 8)
    for (let dx = 0; dx < width; dx += 60) {
      await page.mouse.move(x + dx, y + dy);
      const [tip] = await page.locator('.tip').allInnerTexts();
      if (tip && wanted(tip)) return tip;
    }
  return null;
}
const edgeTip = (page, canvas, rows) => tipOf(page, canvas, (tip) => / → /.test(tip) && rows.test(tip));

const [busiest] = query(profile, 'SELECT * FROM process ORDER BY run_ns DESC LIMIT 1');

const SHOWS = {
  overview: async (page) => {
    const [{ n }] = query(profile, 'SELECT count(*) AS n FROM process');
    ok('overview: has a headline', /scheduler/.test(await page.locator('.headline').innerText()));
    ok(
      'overview: counts the processes',
      (await page.locator('.figures').innerText()).includes(n.toLocaleString('en-US')),
    );
    const told = report(profile, 'summary').find((row) => row.item === 'program').text;
    ok(
      'overview: speaks of the program, as the summary does',
      told.includes(`: ${Number(await page.locator('.headline em').first().innerText()).toFixed(2)} processes at work`),
      `${await page.locator('.headline').innerText()}: ${told}`,
    );
    await page.getByRole('button', { name: 'Show the whole run' }).click();
    await settled(page);
    await unfold(page, 'How many were at work at once');
    const at = await cells(page, 'How many were at work at once', 'ns');
    const [{ sum }] = query(profile, 'SELECT sum(dur) AS sum FROM slice');
    const [levels, total] = [
      await cells(page, 'How many were at work at once', 'running'),
      at.reduce((s, v) => s + Number(v), 0),
    ];
    const work = levels.reduce((s, k, i) => s + Number(k) * Number(at[i]), 0);
    equal('overview: what ran at once adds up to all slices', work, sum);
    ok('overview: and its times to the run', total >= Number(busiest.run_ns));
  },
  'overview?graph=schedulers': async (page) => {
    const [{ ports }] = query(profile, 'SELECT count(*) AS ports FROM port');
    ok(
      'overview: schedulers have a picture of their own',
      (await page.getByRole('img', { name: 'Schedulers over time' }).boundingBox()).height > 100,
    );
    equal(
      'overview: what can be drawn over time',
      await page.getByRole('group', { name: 'What over time' }).locator('button').allInnerTexts(),
      `At work,Could run,Per scheduler,Schedulers${ports ? ',Ports,Processes and ports' : ''}`,
    );
  },
  'overview?graph=ratio': async (page) => {
    const picture = 'Per scheduler over time';
    const tip = await tipOf(page, page.getByRole('img', { name: picture }), (text) => text.includes('for each'));
    const [of, ...parts] = ['for each scheduler', 'running', 'collecting', 'runnable'].map((name) =>
      Number(new RegExp(`^${name}\\s+([0-9.]+)`, 'm').exec(tip)?.[1]),
    );
    const [{ n }] = query(profile, "SELECT count(*) AS n FROM scheduler WHERE kind = 'normal'");
    const could = parts.reduce((sum, v) => sum + v) / n;
    ok('overview: processes that could run, for each scheduler', Math.abs(of - could) <= 0.02 * could + 0.01, tip);
    const band = await page.getByRole('img', { name: picture }).evaluate((c) => {
      const at = (y) =>
        c
          .getContext('2d')
          .getImageData(c.width - 40, y, 1, 1)
          .data.join();
      return new Set(Array.from({ length: c.height }, (_, y) => at(y))).size;
    });
    ok('overview: with the band from one to two for each', band > 3, band);
  },
  ...whyViews(profile, painted),
  ...momentViews(profile),
  schedulers: async (page) => {
    const rows = query(profile, "SELECT id, slice_ns FROM scheduler WHERE slices > 0 OR kind = 'normal' ORDER BY id");
    equal(
      'schedulers: time on each',
      await cells(page, 'Schedulers', 'slice_ns'),
      rows.map((r) => r.slice_ns),
    );
    const cpu = new Map(report(profile, 'schedulers').map((r) => [r.id, r.on_cpu_ns]));
    equal(
      'schedulers: CPU time of their threads',
      await cells(page, 'Schedulers', 'on_cpu_ns'),
      rows.map((r) => cpu.get(r.id)),
    );
    const [idle, other] = await page
      .getByRole('img', { name: 'What ran on each scheduler over time' })
      .evaluate((c) => {
        const px = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
        const style = getComputedStyle(document.documentElement);
        return ['--unknown', '--handover'].map((name) => {
          const want = Number.parseInt(style.getPropertyValue(name).trim().slice(1), 16);
          let n = 0;
          for (let i = 0; i < px.length; i += 4) n += ((px[i] << 16) | (px[i + 1] << 8) | px[i + 2]) === want;
          return n;
        });
      });
    ok(
      'schedulers: what is idle looks so, and not like a state of processes',
      idle > 1000 && other === 0,
      `${idle} ${other}`,
    );
    await unfold(page, 'The cells in view');
    ok('schedulers: the picture has a table', (await cells(page, 'The cells in view', 'start')).length > 10);
    await page.getByText('Slices in order').click();
    await page.locator('[role=region][aria-label="Slices in order"]').waitFor();
    await settled(page);
    const at = (await cells(page, 'Slices in order', 'start')).map(Number);
    const lasted = (await cells(page, 'Slices in order', 'dur')).map(Number);
    const held = (t) =>
      `(SELECT count(*) FROM slice WHERE process IS NOT NULL AND start <= ${t} AND start + dur > ${t})
       + (SELECT count(*) FROM gap WHERE start + coalesce(wait_ns, 0) <= ${t}
          AND start + coalesce(wait_ns, 0) + coalesce(runnable_ns, 0) > ${t})`;
    const counted = query(profile, at.map((t, i) => `SELECT ${i} AS i, ${held(t)} AS n`).join(' UNION ALL '));
    equal(
      'schedulers: how many could run at each stay',
      (await cells(page, 'Slices in order', 'could_run')).join(),
      counted.map((r) => r.n).join(),
    );
    const ended = query(profile, at.map((t, i) => `SELECT ${i} AS i, ${held(t + lasted[i])} AS n`).join(' UNION ALL '));
    equal(
      'schedulers: and when it had ended',
      (await cells(page, 'Slices in order', 'could_run_after')).join(),
      ended.map((r) => r.n).join(),
    );
  },
  processes: async (page) => {
    const rows = query(profile, 'SELECT pid, run_ns, sends FROM process ORDER BY run_ns DESC, id LIMIT 8');
    equal(
      'processes: who ran most',
      (await cells(page, 'Processes', 'run_ns')).slice(0, 8),
      rows.map((r) => r.run_ns),
    );
    equal(
      'processes: what they sent',
      (await cells(page, 'Processes', 'sends')).slice(0, 8),
      rows.map((r) => r.sends),
    );
    const list = page.locator('[role=region][aria-label=Processes]');
    const shown = async () =>
      (await cells(page, 'Processes', 'name')).length &&
      (await list.locator('tr[aria-rowindex]').first().getAttribute('aria-rowindex'));
    await list.focus();
    await page.keyboard.press('End');
    ok('processes: End scrolls to the last row', await until(async () => Number(await shown()) > 20));
    await page.keyboard.press('Home');
    ok('processes: Home to the first', await until(async () => (await shown()) === '2'));
    await page.locator('input[type=search]').fill('PRICES');
    await settled(page);
    equal('processes: search finds by name', await first(page, 'Processes', 'name'), busiest.pid);
    const found = await page.locator('[aria-label=Processes] table').getAttribute('aria-rowcount');
    await page.getByRole('button', { name: 'Select all' }).click();
    await settled(page);
    equal(
      'processes: all matches can be selected at once',
      (await page.evaluate(() => location.hash)).match(/p=([\d,]+)/)[1].split(',').length,
      Number(found) - 1,
    );
    await page.keyboard.press('Escape'); // out of the search
    await page.keyboard.press('Escape'); // the selection
    await settled(page);
  },
  'compare?group': async (page) => {
    const [{ id, processes }] = query(
      profile,
      'SELECT id, processes FROM process_group ORDER BY processes DESC LIMIT 1',
    );
    await go(page, `#/compare?g=${id}`);
    ok(
      'compare: of a group all of its processes',
      (await page.locator('.title .sub').innerText()).startsWith(`${processes} of ${processes} `),
      await page.locator('.title .sub').innerText(),
    );
    await unfold(page, 'The states in view');
    const drawn = new Set(await cells(page, 'The states in view', 'lane'));
    const [{ n }] = query(
      profile,
      `SELECT count(*) AS n FROM process WHERE group_id = ${id} AND id IN (${[...drawn].join()})`,
    );
    ok('compare: and no others', drawn.size > 0 && n === drawn.size, `${n} of ${drawn.size}`);
  },
  'processes?sort=mean_receive_words&cols=mean_receive_words.mean_send_words': async (page) => {
    const rows = query(
      profile,
      `SELECT receive_words / receives AS mean, send_words / nullif(sends, 0) AS sent FROM process
       WHERE receives > 0 ORDER BY 1.0 * receive_words / receives DESC, id LIMIT 8`,
    );
    equal(
      'processes: who received the largest messages',
      (await cells(page, 'Processes', 'mean_receive_words')).slice(0, 8),
      rows.map((r) => r.mean),
    );
    equal(
      'processes: and how large those are that they sent',
      (await cells(page, 'Processes', 'mean_send_words')).slice(0, 8),
      rows.map((r) => r.sent ?? 'null'),
    );
    const called = new Set(query(profile, 'SELECT DISTINCT process FROM call_node').map((r) => r.process));
    const ids = await page
      .locator('[aria-label=Processes] tr[aria-rowindex]')
      .evaluateAll((all) =>
        all.map((tr) => [
          tr.querySelector('input').getAttribute('aria-label').replace(/\D+/, ''),
          tr.querySelector('[data-column=calls] a') !== null,
        ]),
      );
    ok(
      'processes: those with calls are marked, and no others',
      ids.length > 8 && ids.every(([id, marked]) => called.has(Number(id)) === marked),
    );
  },
  'processes?as=tree': async (page) => {
    const cut = await page
      .locator('.grid .indented .who > span:first-child')
      .evaluateAll((all) => all.filter((s) => s.offsetWidth < Math.min(100, s.scrollWidth)).map((s) => s.textContent));
    equal('processes: names in the tree are readable at every depth', cut, '');
    const [{ run_ns }] = query(
      profile,
      'SELECT run_ns FROM process_group WHERE processes > 1 ORDER BY run_ns DESC LIMIT 1',
    );
    ok(
      'processes: siblings fold, their time is summed',
      (await cells(page, 'Groups of processes', 'run_ns')).includes(String(run_ns)),
    );
    const [{ entry }] = query(profile, 'SELECT entry FROM process_group ORDER BY processes DESC LIMIT 1');
    await page.getByLabel('Search processes').fill(entry);
    await settled(page);
    const hits = page.locator('[role=region][aria-label="Groups of processes"] tbody tr input');
    const above = query(
      profile,
      `WITH RECURSIVE up(id) AS (SELECT id FROM process_group WHERE entry = '${entry.replaceAll("'", "''")}' UNION
       SELECT parent_group FROM process_group JOIN up USING (id) WHERE parent_group > 0)
       SELECT representative AS id FROM process_group JOIN up USING (id)`,
    ).map((r) => `Select process ${r.id}`);
    equal(
      'processes: a search in the tree keeps what is above its hits',
      (await hits.evaluateAll((all) => all.map((i) => i.getAttribute('aria-label')))).sort(),
      above.sort(),
    );
    await hits.last().check();
    await page.getByRole('button', { name: 'Compare 1' }).waitFor();
    await page.getByLabel('Search processes').fill('');
    await page.locator('th button', { hasText: 'sent' }).click();
    await settled(page);
    const [most] = query(
      profile,
      `SELECT max(sends) AS sends FROM process_group
       WHERE coalesce(parent_group, 0) NOT IN (SELECT id FROM process_group)`,
    );
    equal('processes: the tree sorts', await first(page, 'Groups of processes', 'sends'), most.sends);
  },
  [`process/${busiest.id}`]: async (page) => {
    equal('process: its name', await page.locator('h1').innerText(), busiest.name);
    const [wait] = query(
      profile,
      `SELECT function, total_ns FROM wait WHERE process = ${busiest.id} ORDER BY total_ns DESC LIMIT 1`,
    );
    equal('process: where it waited', await first(page, 'Where it waited', 'total_ns'), wait.total_ns);
    const [peer] = query(
      profile,
      `SELECT count FROM message_edge WHERE receiver = ${busiest.id} ORDER BY count DESC LIMIT 1`,
    );
    equal('process: who sent to it', await first(page, 'Received from', 'count'), peer.count);
    await unfold(page, 'Stacks in view');
    const box = (r) => [r.function, r.start, r.dur, r.count, Math.round(r.share)].join(' ');
    const calls = query(
      profile,
      `SELECT mfa AS function, start, dur, count, iif(busy_ns < dur, 1e6 * busy_ns / dur, 1e6) AS share
       FROM activation WHERE process = ${busiest.id}`,
    );
    equal(
      'process: its calls over time',
      (await saved(page, 'Stacks in view')).map(box).sort().join('\n'),
      calls.map(box).sort().join('\n'),
    );
    ok(
      'process: of which some are known as sums',
      calls.some((r) => r.share < 1e6) && calls.some((r) => r.share === 1e6),
    );
  },
  compare: async (page) => {
    await unfold(page, 'The states in view');
    ok('compare: has states of several processes', new Set(await cells(page, 'The states in view', 'lane')).size >= 1);
  },
  'compare?by=mean_send_words&open=the-states-in-view': async (page) => {
    equal('compare: orders', await page.locator('select[aria-label=Order] option').count(), 8);
    const [top] = query(
      profile,
      'SELECT id FROM process WHERE sends > 0 ORDER BY 1.0 * send_words / sends DESC, id LIMIT 1',
    );
    ok(
      'compare: the sender of the largest messages is shown',
      (await cells(page, 'The states in view', 'lane')).includes(String(top.id)),
    );
  },
  'messages?level=process': async (page) => {
    const [edge] = query(
      profile,
      'SELECT count, total_words FROM message_edge ORDER BY count DESC, sender, receiver LIMIT 1',
    );
    equal('messages: the strongest edge', await first(page, 'Message edges', 'count'), edge.count);
    equal('messages: and its words', await first(page, 'Message edges', 'words'), edge.total_words);
  },
  'messages?level=group': async (page) => {
    const [edge] = query(
      profile,
      `SELECT sum(e.count) AS n FROM message_edge e JOIN process a ON a.id = e.sender
       JOIN process b ON b.id = e.receiver GROUP BY a.group_id, b.group_id ORDER BY n DESC LIMIT 1`,
    );
    equal('messages: between groups', await first(page, 'Message edges', 'count'), edge.n);
  },
  'messages?level=process&pair': async (page) => {
    const [{ sender, receiver, count }] = query(
      profile,
      'SELECT sender, receiver, count FROM message_edge ORDER BY count DESC, sender, receiver LIMIT 1',
    );
    await page.getByRole('button', { name: 'Show messages' }).first().click();
    await settled(page);
    ok(
      'messages: a pair is in the address',
      (await page.evaluate(() => location.hash)).includes(`pair=${sender}-${receiver}`),
    );
    await unfold(page, 'The messages');
    const [{ n, most, latency }] = query(
      profile,
      `SELECT count(*) AS n, max(words) AS most, max(received - sent) AS latency FROM message
       WHERE sender = ${sender} AND receiver = ${receiver}`,
    );
    equal(
      'messages: of it all are there',
      await page.locator('[aria-label="The messages"] table').getAttribute('aria-rowcount'),
      Math.min(4000, n) + 1,
    );
    ok(
      'messages: with their sizes',
      Number((await cells(page, 'The messages', 'words'))[0]) <= most && n <= count && latency > 0,
    );
  },
  'messages?level=group&as=graph': async (page) => {
    const canvas = page.getByRole('img', { name: 'Who sends to whom', exact: true });
    ok('messages: a line between two groups has a tip', await edgeTip(page, canvas, /messages/));
    const box = (tip) => !/ → /.test(tip) && /sent/.test(tip);
    const one = await tipOf(page, canvas, (tip) => box(tip) && !/×/.test(tip));
    ok('messages: there is a group of one process', one);
    await page.mouse.down();
    await page.mouse.up();
    await settled(page);
    const hash = await page.evaluate(() => location.hash);
    ok('messages: a click on it opens the process', hash.startsWith('#/process/'), `${one}: ${hash}`);
  },
  'messages?level=group&as=matrix': async (page) => {
    ok(
      'messages: the matrix is drawn',
      (await page.getByRole('img', { name: 'Who sends to whom' }).boundingBox()).height > 100,
    );
  },
  'messages?level=process&as=graph&edges=all': async (page) => {
    ok('messages: so are two hundred boxes', (await painted(page, 'Who sends to whom')) > 2000);
    await page.getByRole('button', { name: 'Fit' }).click();
    await settled(page);
    ok('messages: and fit into the picture', (await painted(page, 'Who sends to whom')) > 2000);
  },
  'messages?level=process&min_count=100': async (page) => {
    const counts = await cells(page, 'Message edges', 'count');
    ok(
      'messages: a threshold holds',
      counts.every((n) => Number(n) >= 100),
    );
  },
  ...callViews(profile, { painted, edgeTip }),
  gc: async (page) => {
    const [{ gc_ns }] = query(profile, 'SELECT gc_ns FROM process ORDER BY gc_ns DESC LIMIT 1');
    equal('gc: who collects most', await first(page, 'Collections by process', 'gc_ns'), gc_ns);
    const named = query(
      profile,
      `SELECT DISTINCT name || ' ' || pid AS who FROM sample s JOIN process p ON p.pid = s.key AND p.node = s.node
       WHERE item = 'mailbox' AND name IS NOT NULL AND value > 0`,
    );
    // a legend names two lines or more, up to eleven; how many mailboxes were busy differs from run to run
    const legend = page.locator('.panel', { hasText: 'Mailboxes of busy receivers' }).locator('.legend');
    if ((await legend.count()) > 0) {
      const said = await legend.innerText();
      ok('gc: mailboxes are named', named.length > 0 && named.every(({ who }) => said.includes(who)), said);
    }
    equal('gc: no column of nodes', await page.locator('th', { hasText: /^node$/ }).count(), 0);
  },
  ports: async () => {},
  tree: async (page) => {
    await unfold(page, 'The groups');
    const [{ run_ns }] = query(profile, 'SELECT run_ns FROM process_group ORDER BY run_ns DESC LIMIT 1');
    equal('tree: the group that ran most', await first(page, 'The groups', 'run_ns'), run_ns);
  },
  sql: async (page) => {
    await page.locator('textarea').fill('SELECT count(*) AS n FROM slice');
    await page.keyboard.press('Control+Enter');
    await settled(page);
    equal(
      'sql: answers as the command does',
      await first(page, 'Result', 'n'),
      query(profile, 'SELECT count(*) AS n FROM slice')[0].n,
    );
  },
};

async function axe(page, name) {
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
  ok(`axe: ${name}`, violations.length === 0, violations.map((v) => `${v.id} (${v.nodes[0].target})`).join(', '));
}

/** Compares the SVG of each picture with what is on its canvas: the shares of blocks of six pixels that differ. */
async function svgs(page, view) {
  const labels = await page.locator('.stage .take button:last-child').evaluateAll((all) => all.map((b) => b.ariaLabel));
  for (const label of labels) {
    const file = await savedBy(page, label);
    const name = label.slice('Save as SVG: '.length);
    const differ = await page.getByRole('img', { name, exact: true }).evaluate(async (canvas, base64) => {
      const image = new Image();
      image.src = `data:image/svg+xml;base64,${base64}`;
      await image.decode();
      const blocks = (source) => {
        const c = document.createElement('canvas');
        [c.width, c.height] = [Math.ceil(canvas.width / 6), Math.ceil(canvas.height / 6)];
        const g = c.getContext('2d');
        g.imageSmoothingQuality = 'high';
        g.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--panel');
        g.fillRect(0, 0, c.width, c.height);
        g.drawImage(source, 0, 0, c.width, c.height);
        return g.getImageData(0, 0, c.width, c.height).data;
      };
      const [a, b] = [blocks(canvas), blocks(image)];
      let n = 0;
      for (let i = 0; i < a.length; i += 4) n += [0, 1, 2].some((k) => Math.abs(a[i + k] - b[i + k]) > 40);
      return n / (a.length / 4);
    }, file.toString('base64'));
    ok(`${view}: ${name} as SVG is as on the canvas`, differ < 0.08, differ);
  }
}

for (const scheme of ['light', 'dark']) {
  const context = await chromium.newContext({
    viewport: { width: 1400, height: 900 },
    colorScheme: scheme,
    deviceScaleFactor: scheme === 'light' ? 1 : 2, // as of images in an SVG
  });
  await context.addInitScript({ path: axePath() });
  const page = await open(context, server.url);
  await settled(page);
  for (const [hash, shows] of Object.entries(SHOWS)) {
    await go(page, `#/${hash}`);
    if (scheme === 'light') await shows(page);
    else await svgs(page, hash);
    await axe(page, `${hash} ${scheme}`);
    ok(`${hash} ${scheme}: complains of nothing`, page.complaints.length === 0, page.complaints.splice(0).join(' | '));
  }
  await context.close();
}

await chromium.close();
server.stop();
finish();
