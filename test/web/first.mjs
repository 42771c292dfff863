#!/usr/bin/env node
// The first picture: the document holds its answers, which equal those of the routes, and the page makes no request.
import { join } from 'node:path';
import { copyFileSync, renameSync } from 'node:fs';
import { browser, equal, finish, folder, ok, open, record, serve, settled, until } from './lib.mjs';

const profile = join(folder, 'served.sbp');
copyFileSync(record('shop', ['--limit-events', '50000']), profile);
const server = await serve(profile);
const get = (path) => fetch(`${server.origin}/${path}`, { headers: { 'X-Strobe-Token': server.token } });
const held = async () => {
  const found = /id="first">(\{[^<]*\})<\/script>/.exec(await (await get('')).text());
  return found && JSON.parse(found[1]);
};
const first = await until(async () => {
  const all = await held();
  return Object.keys(all).length > 0 && all;
});
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

// a profile that is replaced meanwhile: the answers in the document are outdated
const other = join(folder, 'other.sbp');
copyFileSync(profile, other);
renameSync(other, profile);
equal('a replaced profile: no answers in the document', Object.keys(await held()).join(' '), '');
await seen.reload();
await settled(seen);
ok('and the page says so', /replaced/.test(await seen.locator('.notice').innerText()));
await chromium.close();
equal('ends in order', await server.stop(), 0);
finish();
