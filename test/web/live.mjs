#!/usr/bin/env node
// The page of a trace that is still being written: it follows the recording in every view, keeps selection and range,
// can be frozen, and says how the recording ended.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { browser, equal, finish, folder, go, ok, open, query, serve, settled, STROBE, until } from './lib.mjs';

writeFileSync(
  join(folder, 'busy.erl'),
  `-module(busy).
-export([start/0]).
start() ->
    Server = spawn(fun server/0),
    register(answerer, Server),
    [spawn(fun() -> client(Server) end) || _ <- lists:seq(1, 4)],
    receive stop -> ok end.
server() -> receive {From, X} -> From ! lists:sum(lists:seq(1, X)), server() end.
client(Server) ->
    Server ! {self(), 1000},
    receive _ -> ok end,
    timer:sleep(3),
    client(Server).
`,
);
const running = [];
process.on('exit', () => {
  for (const r of running) r.kill('SIGKILL');
});

/** Records a program that ends when it is told to; returns the recorder once its trace is being written. */
async function recording(name) {
  const code = `compile:file("busy"), busy:start()`;
  const args = ['record', '--trace', 'all,calls', '--module', 'busy', '-o', `${name}.sbt`, '--', 'erl', '-noshell'];
  const child = spawn(STROBE, [...args, '-eval', code], { cwd: folder, stdio: 'ignore' });
  running.push(child);
  const written = (f) => f.startsWith(`${name}.`) && /^[a-z]+\.\d+\.sbt$/.test(f);
  const trace = await until(() => readdirSync(folder).find(written));
  return { child, trace: join(folder, trace), named: join(folder, `${name}.sbt`) };
}
const editionOf = (page) => page.evaluate(() => Number(document.documentElement.dataset.edition ?? 0));
/** Waits for `n` editions more, and until the page shows the last of them. */
async function editions(page, n = 1) {
  const wanted = (await editionOf(page)) + n;
  if (!(await until(async () => (await editionOf(page)) >= wanted))) throw new Error(`edition ${wanted} never came`);
  await settled(page);
}
const sign = (page) => page.locator('.live .sign');
const stateOf = (page) => sign(page).getAttribute('data-state', { timeout: 120000 });
const ended = (page) => until(async () => (await stateOf(page)) === 'ended');
const hashOf = (page) => page.evaluate(() => location.hash);

const first = await recording('first');
const server = await serve(first.named); // found under the name that it has until it ends
const asked = async (path) =>
  (await fetch(`${server.origin}/${path}`, { headers: { 'X-Strobe-Token': server.token } })).json();
const infoOf = (edition) => asked(`api/info?format=json&edition=${edition}`);
const chromium = await browser();
const context = await chromium.newContext({ viewport: { width: 1200, height: 800 } });
const page = await open(context, server.url);
const other = await open(await chromium.newContext(), server.url);
await sign(page).waitFor({ timeout: 120000 });
await editions(page);
equal('the page says that it is live', await stateOf(page), 'recording');
ok(
  'and how far it is behind',
  /^Live, [\d.]+\s(ms|s|min) behind/.test(await sign(page).innerText()),
  await sign(page).innerText(),
);

// views of each kind show what is there, and what is added
for (const view of ['overview', 'schedulers', 'tree', 'calls', 'gc']) {
  await page.evaluate((h) => (location.hash = h), `#/${view}`);
  await editions(page);
  const shown = (await page.locator('main').innerText()).length;
  ok(`${view} follows`, shown > 40 && page.complaints.length === 0, page.complaints.splice(0).join(' | ') || shown);
}

// frozen: no other edition, and questions that were not asked before have an answer
await page.getByRole('button', { name: 'Pause' }).click();
await settled(page);
const frozen = await editionOf(page);
await until(async () => (await editionOf(other)) > frozen);
await go(page, '#/processes');
equal('a frozen page stays', await editionOf(page), frozen);
equal('and says so', await stateOf(page), 'paused');
ok('a view opened then has its answer', (await page.locator('[aria-label=Processes] tbody td').count()) > 10);

// a range that touches the end follows, another one stays; so does the selection
const end = (await infoOf(frozen)).meta.end_ns;
const [id] = (await asked(`api/processes?format=json&edition=${frozen}&find=answerer`)).processes.map((p) => p.id);
await go(page, `#/schedulers?t=${end - 500000000}-${end}&p=${id}`);
const chip = await page.locator('.chip').nth(1).innerText();
await page.getByRole('button', { name: 'Resume' }).click();
await editions(page);
const now = (await infoOf(await editionOf(page))).meta.end_ns;
ok('the run has grown', now > end, `${end} to ${now}`);
const [from, to] = /t=(\d+)-(\d+)/
  .exec(await hashOf(page))
  .slice(1)
  .map(Number);
ok('a range at the end follows', to > end && to - from === 500000000, await hashOf(page));
equal('the selected process is the same', await page.locator('.chip').nth(1).innerText(), chip);
ok('and is the one that was selected', /answerer/.test(chip), chip);
await go(page, '#/schedulers?t=100000000-400000000');
const canvas = page.locator('main canvas').first();
const box = await canvas.boundingBox();
await page.mouse.move(box.x + 20, box.y + 40);
const tip = await page.locator('.tip').innerText();
await editions(page);
equal('a range within the run stays', await hashOf(page), '#/schedulers?t=100000000-400000000');
equal('a tooltip stays', await page.locator('.tip').innerText(), tip);

// beside the whole stands what the last ten seconds were; a button narrows all views to them
await go(page, '#/overview');
await until(async () => (await infoOf(await editionOf(page)).catch(() => null))?.meta.end_ns > 11e9);
await page.getByRole('button', { name: 'Pause' }).click();
await settled(page);
const still = await editionOf(page);
const last_ns = (await infoOf(still)).meta.end_ns;
const recent = (await asked(`api/overview?format=json&edition=${still}&t0=${last_ns - 10e9}&t1=${last_ns}`)).meta;
const lede = (await page.locator('.lede').first().innerText()).replace(/\u202f/g, ' ');
const atWork = Number(/^In the last 10 s: ([\d.]+) process/.exec(lede)?.[1]);
ok('the last 10 s stand beside the whole', Math.abs(atWork - recent.work_ns / recent.span_ns) < 0.01, lede);
await page.getByRole('button', { name: 'Last 10 s' }).click();
await settled(page);
equal('the last 10 s can be selected', await hashOf(page), `#/overview?t=${last_ns - 10e9}-${last_ns}`);
await page.getByRole('button', { name: 'Since the start' }).click();
await settled(page);
equal('and the whole again', await hashOf(page), '#/overview');
await page.getByRole('button', { name: 'Resume' }).click();

// scrolling and what was typed stay
await go(page, '#/processes');
const grid = page.locator('[role=region][aria-label=Processes]');
await grid.evaluate((g) => g.scrollTo(0, 150));
await editions(page);
equal('the list stays where it was scrolled to', await grid.evaluate((g) => g.scrollTop), 150);

// the end: the whole trace, as any analysis of it
first.child.kill('SIGINT');
ok('the page says that the recording has ended', await ended(page));
ok('another browser does', await ended(other));
await settled(page);
const said = await page.locator('.notice').allInnerTexts();
ok(
  'and how it ended',
  said.some((s) => s.startsWith('The recording has ended: ')),
  said.join(' | '),
);
ok('the last profile is beside the trace', await until(() => existsSync(first.named.replace('.sbt', '.sbp'))));
const [{ span }] = query(first.named, "SELECT value + 0 AS span FROM meta WHERE key = 'span_ns'");
const last = (await infoOf(await editionOf(page))).meta;
equal('the page shows all of it', last.end_ns, span);
equal('both browsers show the same', await editionOf(other), await editionOf(page));
ok('a page without complaints', page.complaints.length + other.complaints.length === 0, page.complaints.join(' | '));

// a recorder and a drain that are killed
const descendants = (pid) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter(Boolean)
    .flatMap((child) => [Number(child), ...descendants(child)]);
const second = await recording('second');
const broken = await serve(second.trace);
const watching = await open(context, broken.url);
await sign(watching).waitFor({ timeout: 120000 });
const victims = descendants(second.child.pid);
// stopped first: a drain that still runs would see the node end, and complete the trace
for (const signal of ['SIGSTOP', 'SIGKILL'])
  for (const pid of [second.child.pid, ...victims])
    try {
      process.kill(pid, signal);
    } catch {} // ended by itself
ok('a recording that was killed ends', await ended(watching));
await settled(watching);
const why = (await watching.locator('.notice').allInnerTexts()).join(' ');
ok('the page says that it was broken off', why.includes('was broken off'), why);
await go(watching, '#/processes');
ok('and shows what was written', (await watching.locator('[aria-label=Processes] tbody td').count()) > 10);
// nobody is left to remove its rings, which a later process with that number would seem to have left
for (const pid of [second.child.pid, ...victims])
  for (const name of readdirSync('/dev/shm').filter((n) => n.startsWith(`strobe-${pid}-`)))
    rmSync(join('/dev/shm', name), { recursive: true });
equal('its server stops in order', await broken.stop(), 0);

// a trace that becomes shorter, while the server is asked by nobody
const third = await recording('third');
const cut = await serve(third.trace);
const about = async () =>
  (await fetch(`${cut.origin}/api/recording?format=json`, { headers: { 'X-Strobe-Token': cut.token } })).json();
await until(async () => (await about()).meta.edition > 0);
truncateSync(third.trace, 300);
const short = await until(async () => {
  const { meta } = await about();
  return meta.state === 'ended' && meta;
});
ok('a truncated trace is not followed', /^The trace was truncated/.test(short?.said ?? ''), short?.said);
ok('what was known before stays', short?.edition > 0);
third.child.kill('SIGINT');
await until(() => third.child.exitCode !== null || third.child.signalCode !== null); // it removes its rings first
equal('a server stops while it follows', await server.stop(), 0);
equal('so does this one', await cut.stop(), 0);
await chromium.close();
finish();
