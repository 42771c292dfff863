#!/usr/bin/env node
// What the server refuses, and what must not delay it.
import { copyFileSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { join } from 'node:path';
import { equal, finish, folder, ok, record, serve, until, ROOT } from './lib.mjs';

const profile = record('shop', ['--limit-events', '50000']);
const server = await serve(profile);
const port = Number(new URL(server.url).port);
const token = server.token;

/** A request as it is said, nothing added. */
function ask(path, headers = {}, { method = 'GET', body } = {}) {
  return new Promise((done, fail) => {
    const r = http.request(
      {
        host: '127.0.0.1',
        port,
        path,
        method,
        headers: { Host: `127.0.0.1:${port}`, 'X-Strobe-Token': token, ...headers },
      },
      (a) => {
        const parts = [];
        a.on('data', (d) => parts.push(d));
        a.on('end', () =>
          done({ status: a.statusCode, headers: a.headers, text: Buffer.concat(parts).toString('latin1') }),
        );
      },
    );
    r.on('error', fail);
    r.end(body);
  });
}
const status = async (...a) => (await ask(...a).catch((e) => ({ status: e.code }))).status;

equal('the page itself', await status('/'), 200);
equal('no token', await status('/api/info', { 'X-Strobe-Token': '' }), 403);
equal('no token, no page', await status('/', { 'X-Strobe-Token': '' }), 403);
const stranger = await ask('/', { 'X-Strobe-Token': '', Accept: 'text/html,*/*' });
ok(
  'no token, in a browser: a page that says what to do',
  stranger.status === 403 &&
    /text\/html/.test(stranger.headers['content-type']) &&
    /address.*strobe serve/s.test(stranger.text),
);
ok('and does not give the token away', !stranger.text.includes(token));
equal('no token, no link', await status('/api/link', { 'X-Strobe-Token': '' }), 403);
equal('the link that opens the page', (await ask('/api/link')).text, server.url);
equal('cancelling by GET', await status('/api/cancel?id=1'), 405);
equal(
  'cancelling what is not there',
  (await ask('/api/cancel?id=1', {}, { method: 'POST' })).text.trim(),
  '{"cancelled": false}',
);
equal(
  'a wrong token',
  await status('/api/info', { 'X-Strobe-Token': token.replace(/.$/, (c) => (c === '0' ? '1' : '0')) }),
  403,
);
equal('a foreign host', await status('/api/info', { Host: 'evil.example' }), 403);
equal('a name that points here', await status('/api/info', { Host: `rebound.example:${port}` }), 403);
for (const host of [
  `127.0.0.1.rebound.example:${port}`,
  `rebound.example@127.0.0.1:${port}`,
  `127.0.0.1:${port}.rebound.example`,
  `0.0.0.0:${port}`,
  `2130706433:${port}`,
  `[::ffff:127.0.0.1]:${port}`,
  `127.0.0.1:${port + 1}`,
  '127.0.0.1',
])
  equal(`a name that is not the server's: ${host}`, await status('/api/info', { Host: host }), 403);
equal('a foreign origin', await status('/api/info', { Origin: 'http://evil.example' }), 403);
equal('another site', await status('/api/info', { 'Sec-Fetch-Site': 'cross-site' }), 403);
for (const path of [
  '/../../etc/passwd',
  '/..%2f..%2fetc/passwd',
  '/api/../../etc/passwd',
  '//etc/passwd',
  '/page.js/../../x',
])
  equal(`no path of the file system: ${path}`, await status(path), 404);
equal('another method', await status('/api/info', {}, { method: 'DELETE' }), 405);
equal('a statement by GET', await status('/api/query'), 405);
equal('a question by POST', await status('/api/info', {}, { method: 'POST', body: 'x' }), 405);
equal('a statement of 1 MB', await status('/api/query', {}, { method: 'POST', body: 'x'.repeat(1 << 20) }), 413);
for (const path of [
  'lanes?of=x',
  'lanes?n=99999999',
  'lanes?ids=1,a',
  'processes?sort=nothing',
  'timeline?track=process:x',
  'ask/nothing',
  'processes?n=-1',
  'calls?mode=up',
  'messages?level=galaxy',
  'lanes?t0=9223372036854775807&t1=1',
])
  equal(`refused: ${path}`, await status(`/api/${path}`), 400);
for (const path of ['nothing', '%zz', 'ask', 'answer', 'answer/nothing', `ask/${'x'.repeat(9000)}`, '?', ''])
  ok(
    `no answer and no harm: ${path.slice(0, 20)}`,
    [400, 404].includes(await status(`/api/${path}`)),
    await status(`/api/${path}`),
  );
equal('a hundred parameters', await status(`/api/lanes?${'t0=1&'.repeat(100)}`), 200);

/** Sends bytes as they are; resolves to the first line of what comes back, or to '' if the server hangs up. */
const raw = (bytes) =>
  new Promise((done) => {
    let got = '';
    const s = net.connect(port, '127.0.0.1', () => s.end(bytes, 'latin1'));
    s.on('data', (d) => {
      got += d;
    });
    s.on('error', () => {});
    s.on('close', () => done(got.split('\r\n')[0]));
  });
const own = `Host: 127.0.0.1:${port}\r\nX-Strobe-Token: ${token}\r\n`;
// the server waits 15 s for the rest of some of these; their answers are looked at together
const refusals = [
  ['nothing but a method', 'GET\r\n\r\n'],
  ['bytes of another protocol', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['NUL bytes', `GET /api/\0info HTTP/1.1\r\n${own}\r\n`],
  ['a length below zero', `POST /api/query HTTP/1.1\r\n${own}Content-Length: -5\r\n\r\nSELECT`],
  ['a length beyond 64 bits', `POST /api/query HTTP/1.1\r\n${own}Content-Length: 99999999999999999999\r\n\r\nx`],
  [
    'a chunk that has no end',
    `POST /api/query HTTP/1.1\r\n${own}Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n`,
  ],
  ['an address of 40 kB', `GET /${'x'.repeat(40000)} HTTP/1.1\r\n${own}\r\n`],
  ['no host at all', `GET /api/info HTTP/1.1\r\nX-Strobe-Token: ${token}\r\n\r\n`],
  ['two hosts, the first ours', `GET /api/info HTTP/1.1\r\n${own}Host: evil.example\r\n\r\n`],
  ['two hosts, the second ours', `GET /api/info HTTP/1.1\r\nhost: evil.example\r\n${own}\r\n`],
  ['two origins', `GET /api/info HTTP/1.1\r\n${own}Origin: http://127.0.0.1:${port}\r\nOrigin: null\r\n\r\n`],
  ['half a body', `POST /api/query HTTP/1.1\r\n${own}Content-Length: 99\r\n\r\nSEL`],
].map(([what, bytes]) => ({ what, line: raw(bytes) }));

for (const path of [
  'timeline?t0=5&t1=5',
  'processes?from=9999999999',
  'ask/process?id=0',
  'lanes?of=process&ids=99999999',
])
  equal(`harmless: ${path}`, await status(`/api/${path}`), 200);
const huge = await status('/api/info', { 'X-Filler': 'x'.repeat(200000) });
ok(
  'headers of 200 kB',
  huge === 431 || huge === 413 || huge === 400 || huge === 'ECONNRESET' || huge === 'EPIPE',
  huge,
);

// headers without end: the server hangs up long before they fill any memory
const poured = await new Promise((done) => {
  const line = `X-Filler: ${'x'.repeat(1 << 16)}\r\n`;
  let sent = 0;
  const s = net.connect(port, '127.0.0.1', () => {
    s.write(`GET /api/info HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n`);
    pour();
  });
  const pour = () => {
    while (!s.destroyed && sent < 1 << 30) {
      sent += line.length;
      if (!s.write(line)) {
        s.once('drain', pour);
        return;
      }
    }
  };
  s.on('error', () => {});
  s.on('close', () => done(sent));
  s.resume();
});
ok('a gigabyte of headers is not listened to', poured < 64 << 20, poured);

const { headers } = await ask('/');
ok(
  'a strict policy',
  headers['content-security-policy']?.startsWith("default-src 'self'") &&
    headers['content-security-policy'].includes("frame-ancestors 'none'"),
);
ok('no door for other origins', headers['access-control-allow-origin'] === undefined);
equal('types are not guessed', headers['x-content-type-options'], 'nosniff');
const tag = (await ask('/api/overview')).headers.etag;
equal('what is known is not sent again', await status('/api/overview', { 'If-None-Match': tag }), 304);

// statements: read-only, and none runs for ever
for (const sql of [
  'DELETE FROM process',
  "ATTACH DATABASE '/tmp/x' AS x",
  'PRAGMA journal_mode=WAL',
  'CREATE TABLE x(a)',
  "SELECT load_extension('x')",
  'SELEC',
  'SELECT 1; SELECT 2',
  "SELECT printf('%.*c', 2000000000, 'x')",
])
  equal(`refused: ${sql}`, await status('/api/query', {}, { method: 'POST', body: sql }), 400);
const endless = ask(
  '/api/query',
  {},
  { method: 'POST', body: 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n' },
);
let ended = false;
void endless.then(() => {
  ended = true;
});
equal('while one runs, another is answered', await status('/api/overview'), 200);
ok('before the first one ended', !ended);
ok('an endless one is ended', (await endless).status >= 400);

// a worker stays for the page, however many statements there are
let over = 0;
const twelve = Array.from({ length: 12 }, (_, i) =>
  ask(
    `/api/query?id=${i + 1}`,
    {},
    { method: 'POST', body: 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n' },
  ).then((a) => {
    if (a.status !== 503) over++;
    return a.status;
  }),
);
equal('an overview beside twelve endless statements', await status('/api/overview?t0=1&t1=9000000'), 200);
equal('before one of those that run has ended', over, 0);
for (let i = 1; i <= 12; i++) await ask(`/api/cancel?id=${i}`, {}, { method: 'POST' });
const ends = await Promise.all(twelve);
equal('three of them ran, and the others were refused', ends.filter((s) => s === 503).length, 9);

const rows = await ask(
  '/api/query?format=json',
  {},
  {
    method: 'POST',
    body: 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 50000) SELECT i FROM n',
  },
);
equal('and 10,000 rows are enough', JSON.parse(rows.text).result.length, 10000);

for (const { what, line } of refusals) {
  const got = await line;
  ok(`refused: ${what}`, got === '' || /^HTTP\/1\.1 [45]/.test(got), got);
}
equal('and it still answers', await status('/api/info'), 200);

// slow and many clients
const slow = Array.from({ length: 100 }, () =>
  net.connect(port, '127.0.0.1', function () {
    this.write('GET / HTTP/1.1\r\nHost: ');
  }),
);
for (const s of slow) s.on('error', () => {});
equal('a hundred slow clients delay no other', await status('/api/info'), 200);
const many = await Promise.all(Array.from({ length: 60 }, () => status('/api/overview')));
ok(
  'sixty at a time are answered or asked to come again',
  many.every((s) => s === 200 || s === 503 || s === 'ECONNRESET'),
  [...new Set(many)],
);
for (const s of slow) s.destroy();
const flood = Array.from({ length: 1000 }, () => net.connect(port, '127.0.0.1'));
for (const s of flood) s.on('error', () => {});
await Promise.all(
  flood.map(
    (s) =>
      new Promise((r) => {
        s.once('connect', r);
        s.once('error', r);
        s.once('close', r);
      }),
  ),
);
for (const s of flood) s.destroy();
ok('after a thousand connections it answers again', await until(async () => (await status('/api/info')) === 200, 300));

/** Waits until each of them is connected or turned away. */
const connected = (sockets) =>
  Promise.all(
    sockets.map(
      (s) =>
        new Promise((r) => {
          s.once('connect', r);
          s.once('close', r);
        }),
    ),
  );

// two thousand clients that say a little now and then hold nobody up, and are let go of when the server ends
const drip = Array.from({ length: 2000 }, () =>
  net.connect(port, '127.0.0.1', function () {
    this.write('GET /api/info HTTP/1.1\r\n');
  }),
);
for (const s of drip) s.on('error', () => {});
const dripping = setInterval(() => {
  for (const s of drip) if (s.writable && !s.connecting) s.write('X-A: b\r\n');
}, 2000);
await connected(drip);
let answered = 0;
for (let i = 0; i < 20; i++) if ((await status('/api/info')) === 200) answered++;
equal('2,000 slow clients without the token, and another gets 20 answers', answered, 20);
ok(
  'the oldest of them made room',
  await until(() => drip.filter((s) => s.destroyed || s.readableEnded).length >= 1744),
);
clearInterval(dripping);
for (const s of drip) s.destroy();

// clients that know the token, and send bodies byte by byte, or read no answer: they hold up nobody else
const known = `Host: 127.0.0.1:${port}\r\nX-Strobe-Token: ${token}\r\n`;
const page = `GET / HTTP/1.1\r\n${known}\r\n`;
const attacks = {
  'bodies that come byte by byte': [`POST /api/query HTTP/1.1\r\n${known}Content-Length: 60000\r\n\r\n`, 'S'],
  'clients that never read the page': [page, ''],
  'clients that ask for forty pages and read none': [page.repeat(40), ''],
};
// More than the server keeps. Where it is slow, the kernel may hand it some of them after the other, which is then
// turned away as the oldest, and asks again.
const MANY = 400;
for (const [what, [first, more]] of Object.entries(attacks)) {
  const held = Array.from({ length: MANY }, () =>
    net.connect(port, '127.0.0.1', function () {
      if (!more) this.pause();
      this.write(first);
    }),
  );
  for (const s of held) s.on('error', () => {});
  const going = setInterval(() => {
    for (const s of held) if (more && s.writable && !s.connecting) s.write(more);
  }, 1000);
  await connected(held);
  ok(`${MANY} ${what}, and another gets an answer`, await until(async () => (await status('/api/info')) === 200, 300));
  if (more)
    ok(
      'the oldest of these made room, too',
      await until(() => held.filter((s) => s.destroyed || s.readableEnded).length >= MANY - 256 - 44),
    );
  clearInterval(going);
  for (const s of held) s.destroy();
}
equal('the server is still the same', server.child.exitCode, null);
equal('and ends in order', await server.stop(), 0);

// a profile that changes under the server
const other = join(folder, 'other.sbp');
copyFileSync(profile, other);
const second = await serve(other);
const asked = (path) => fetch(`${second.origin}${path}`, { headers: { 'X-Strobe-Token': second.token } });
rmSync(other);
equal('a deleted profile is still there while it is open', (await asked('/api/overview')).status, 200);
equal('and the page says so', (await (await asked('/api/info?format=json')).json()).meta.replaced, true);
equal('the one whose file was deleted too', await second.stop(), 0);

// another file takes its place: the answers stay those of the one that was opened
copyFileSync(profile, other);
const replaced = await serve(other);
const of = (path) => fetch(`${replaced.origin}${path}`, { headers: { 'X-Strobe-Token': replaced.token } });
const before = await (await of('/api/processes?format=json&n=5')).text();
writeFileSync(`${other}.new`, 'another file');
renameSync(`${other}.new`, other);
equal('a replaced profile answers as before', await (await of('/api/processes?format=json&n=5')).text(), before);
equal('and the page is informed', (await (await of('/api/info?format=json')).json()).meta.replaced, true);
equal('and the server ends in order', await replaced.stop(), 0);

copyFileSync(profile, other);
const third = await serve(other);
truncateSync(other, 5000);
const cut = await fetch(`${third.origin}/api/overview`, { headers: { 'X-Strobe-Token': third.token } });
equal('one that is cut short is refused', cut.status, 400);
ok('with a reason', (await cut.json()).error.includes('overwritten'));
equal('the one whose file was cut too', await third.stop(), 0);

// overwritten in place, by as many bytes and by more: nothing of the mixture is shown
for (const [what, bytes] of [
  ['as many', readFileSync(profile).length],
  ['more', 3 * readFileSync(profile).length],
]) {
  copyFileSync(profile, other);
  const server = await serve(other);
  const get = (path) => fetch(`${server.origin}${path}`, { headers: { 'X-Strobe-Token': server.token } });
  equal(`answers before ${what} bytes are written`, (await get('/api/overview')).status, 200);
  writeFileSync(other, Buffer.alloc(bytes, 0xa5));
  equal(`refuses after ${what} bytes were written`, (await get('/api/processes')).status, 400);
  equal(`and ends in order after ${what} bytes`, await server.stop(), 0);
}

// a trace is analysed first; something else is refused at once
const bad = join(folder, 'bad.sbt');
writeFileSync(bad, 'this is no trace at all');
const fourth = await serve(bad).catch(() => null);
if (fourth) {
  const info = await until(async () => {
    const now = await (
      await fetch(`${fourth.origin}/api/info?format=json`, { headers: { 'X-Strobe-Token': fourth.token } })
    ).json();
    return now.served[0].state !== 'analysing' && now;
  });
  ok(
    'a file that is no trace delays no other profile',
    info.served[0].state === 'failed'
      ? info.served[0].error.length > 5
      : info.table.find((t) => t.name === 'process').rows === 0,
    info.served[0].state,
  );
  equal('nor the end', await fourth.stop(), 0);
} else ok('a file that is no trace delays no other profile', true);
const fifth = await serve(join(ROOT, 'nowhere.sbp')).catch((e) => e.message);
ok('a file that is not there ends it', String(fifth).includes('ended with 1'), fifth);
finish();
