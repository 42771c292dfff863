#!/usr/bin/env node
// The first picture: the document holds its answers, which equal those of the routes, and the page makes no request.
// The browser loads at most 150 kB for it.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { copyFileSync, renameSync } from 'node:fs';
import { browser, equal, finish, folder, go, ok, open, record, ROOT, serve, settled, STROBE, until } from './lib.mjs';

const profile = join(folder, 'served.sbp');
copyFileSync(record('shop', ['--limit-events', '50000']), profile);
const server = await serve(profile);
const ask = ({ origin, token }, path) => fetch(`${origin}/${path}`, { headers: { 'X-Strobe-Token': token } });
const get = (path) => ask(server, path);
const held = async (by = server) => {
  const found = /id="first">(\{[^<]*\})<\/script>/.exec(await (await ask(by, '')).text());
  return found && JSON.parse(found[1]);
};
const filled = (by = server) =>
  until(async () => {
    const all = await held(by);
    return Object.keys(all).length > 0 && all;
  });
const first = await filled();
equal(
  'answers in the document',
  Object.keys(first).join(' '),
  'api/info api/timeline?track=all api/overview?of=program api/answer/summary',
);
for (const [path, base64] of Object.entries(first))
  equal(`${path}: as the route answers`, base64, Buffer.from(await (await get(path)).arrayBuffer()).toString('base64'));

const page = await get('');
equal(
  'a cached page is not sent again',
  (
    await fetch(`${server.origin}/`, {
      headers: { 'X-Strobe-Token': server.token, 'If-None-Match': page.headers.get('etag') },
    })
  ).status,
  304,
);

const chromium = await browser();
const context = await chromium.newContext({ viewport: { width: 1400, height: 900 } });
const asked = [];
// a page at rest asks ahead for the next zoom step: that is not for this picture
const ahead = (url) => url.pathname === '/api/timeline' && url.searchParams.has('t0');
context.on('request', (r) => {
  const url = new URL(r.url());
  if (!ahead(url)) asked.push(url.pathname);
});
const seen = await open(context, server.url);
await settled(seen);
/** The bytes that came over the network, compressed and with heads, for the page on the screen. */
const loaded = (page) =>
  page.evaluate(() =>
    [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
      .filter((e) => !/\/api\/timeline\?.*t0=/.test(e.name))
      .reduce((n, e) => n + e.transferSize, 0),
  );
const isLight = (of, bytes) => ok(`${of}: at most 150 kB`, bytes > 100e3 && bytes <= 150e3, `${bytes} bytes`);
isLight('the shop', await loaded(seen));
ok('the first view is there', /scheduler/.test(await seen.locator('.headline').innerText()));
equal('and asked for nothing', asked.filter((path) => path !== '/' && path !== '/icon.svg').join(' '), '');
equal('and complains of nothing', seen.complaints.join(' | '), '');
const policy = page.headers.get('content-security-policy');
const runs = await seen.evaluate(() => {
  const s = document.createElement('script');
  s.textContent = 'window.foreign = true';
  document.body.append(s);
  return window.foreign === true;
});
ok('no other script runs in it', !runs && !/unsafe|script-src[^;]*'self'/.test(policy), policy);

seen.complaints.length = 0;
await go(seen, '#/tree');
await go(seen, '#/messages');
equal('graphs ask for one script', asked.filter((path) => path.endsWith('.js')).join(' '), '/graph.js');
equal('and complains of nothing', seen.complaints.join(' | '), '');

// a profile that is replaced meanwhile: the answers in the document are outdated
const other = join(folder, 'other.sbp');
copyFileSync(profile, other);
renameSync(other, profile);
equal('a replaced profile: no answers in the document', Object.keys(await held()).join(' '), '');
await seen.reload();
await settled(seen);
ok('and the page says so', /replaced/.test(await seen.locator('.notice').innerText()));

const [trace, large] = [join(folder, 'large'), join(folder, 'large.sbp')];
const size = ['--events', '1000000', '--processes', '20000', '--schedulers', '64'];
execFileSync(join(ROOT, 'build/strobe-gen'), ['--mix', 'percept', ...size, '-o', trace], { stdio: 'ignore' });
execFileSync(STROBE, ['analyze', trace, '-o', large], { stdio: 'ignore' });
const big = await serve(large);
await filled(big);
const wide = await open(await chromium.newContext({ viewport: { width: 1400, height: 900 } }), big.url);
await settled(wide);
isLight('64 schedulers and 20,000 processes', await loaded(wide));
equal('ends in order', await big.stop(), 0);
await chromium.close();
equal('ends in order', await server.stop(), 0);
finish();
