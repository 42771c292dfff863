#!/usr/bin/env node
// Pushes to servers that speak as Pyroscope and Parca do: protoc decodes each request by the fields of their schemas,
// and the profile in it is that of `export -o`. With a token, a password, TLS, errors that pass and errors that do not.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { join } from 'node:path';
import { check, equal, exported, finish, folder, strobe, synth } from '../js/check.mjs';

if (spawnSync('protoc', ['--version']).error) {
  console.log('ok push # SKIP no protoc');
  process.exit(0);
}
writeFileSync(
  join(folder, 'servers.proto'),
  `syntax = "proto3";
   message Label { string name = 1; string value = 2; }
   message Labels { repeated Label labels = 1; }
   message Raw { bytes raw_profile = 1; }
   message Series { repeated Label labels = 1; repeated Raw samples = 2; }
   message PushRequest { repeated Series series = 1; }
   message ParcaSeries { Labels labels = 1; repeated Raw samples = 2; }
   message WriteRawRequest { repeated ParcaSeries series = 2; bool normalized = 3; }`,
);
const decode = (message, bytes) =>
  execFileSync('protoc', [`--decode=${message}`, `-I${folder}`, 'servers.proto'], {
    cwd: folder,
    input: bytes,
    encoding: 'latin1',
    maxBuffer: 1 << 28,
  });
synth('t.sbp', 500);
const pprof = readFileSync(exported('t.sbp', 'pprof', 't.pb.gz'));

let seen = []; // requests
let answers = []; // [code, body, headers]: the last one is repeated
const serve = (request, response) => {
  const chunks = [];
  request.on('data', (c) => chunks.push(c));
  request.on('end', () => {
    seen.push({ url: request.url, headers: request.headers, body: Buffer.concat(chunks) });
    const [code, body, headers] = answers.length > 1 ? answers.shift() : answers[0];
    response.writeHead(code, headers).end(body);
  });
};
const listen = (server) => new Promise((done) => server.listen(0, '127.0.0.1', () => done(server.address().port)));
const plain = http.createServer(serve);
const port = await listen(plain);
async function push(url, replies, more = [], env = {}) {
  seen = [];
  answers = replies;
  const child = spawn(strobe, ['export', 't.sbp', '--to', 'pprof', '--push', url, ...more], {
    cwd: folder,
    env: { ...process.env, ...env },
  });
  let stderr = '';
  child.stderr.on('data', (d) => (stderr += d));
  const status = await new Promise((done) => child.on('close', done));
  return { status, stderr };
}
const here = `http://127.0.0.1:${port}`;
const labels = ['--label', 'service_name=shop', '--label', 'region=eu "1"'];

let r = await push(`${here}/`, [[200, '{}']], labels, { STROBE_PUSH_TOKEN: 'secret' });
equal('Pyroscope takes a profile', `${r.status} ${seen.length}`, '0 1');
equal('at its address', seen[0].url, '/push.v1.PusherService/Push');
equal('as a message', seen[0].headers['content-type'], 'application/proto');
equal('with the token', seen[0].headers.authorization, 'Bearer secret');
let text = decode('PushRequest', seen[0].body);
for (const [name, value] of [
  ['__name__', 'process_cpu'],
  ['service_name', 'shop'],
  ['region', 'eu \\"1\\"'],
])
  check(`label ${name}`, text.includes(`name: "${name}"\n    value: "${value}"`), text.slice(0, 400));
check('the profile is that of an export', seen[0].body.includes(pprof));

const status = (n) => {
  const line = Buffer.from(`grpc-status: ${n}\r\ngrpc-message: no\r\n`);
  return Buffer.concat([Buffer.from([0x80, 0, 0, 0, line.length]), line]);
};
const grpc = { 'content-type': 'application/grpc-web+proto' };
const parca = ['--server', 'parca', '--header', 'X-Scope-OrgID: a'];
r = await push(here.replace('//', '//me:pass@'), [[200, status(0), grpc]], parca);
equal('Parca takes a profile', `${r.status} ${seen.length}`, '0 1');
equal('at its address', seen[0].url, '/parca.profilestore.v1alpha1.ProfileStoreService/WriteRaw');
equal('with a password', seen[0].headers.authorization, `Basic ${Buffer.from('me:pass').toString('base64')}`);
equal('and a header', seen[0].headers['x-scope-orgid'], 'a');
equal('in a frame', `${seen[0].body[0]} ${seen[0].body.readUInt32BE(1)}`, `0 ${seen[0].body.length - 5}`);
text = decode('WriteRawRequest', seen[0].body.subarray(5));
check('with labels', text.includes('name: "service_name"') && text.includes('normalized: true'), text.slice(0, 400));
check('and the same profile', seen[0].body.includes(pprof));
r = await push(here, [[200, status(3), grpc]], parca);
equal('an error of gRPC is one, once', `${r.status} ${seen.length} ${/: no\n/.test(r.stderr)}`, '1 1 true');

r = await push(here, [
  [503, 'wait'],
  [429, 'wait'],
  [200, '{}'],
]); // prettier-ignore
equal('what may work later is sent again', `${r.status} ${seen.length}`, '0 3');
r = await push(here, [[500, 'out of\norder']]);
equal('four times', `${r.status} ${seen.length} ${r.stderr.trim().split('\n').length}`, '1 4 1');
r = await push(here.replace('//', '//me:pass@'), [[401, 'who']]);
equal('what will not is not', `${r.status} ${seen.length}`, '1 1');
check('the password is not shown', !r.stderr.includes('pass@') && r.stderr.includes('HTTP 401: who'), r.stderr);
for (const bad of [
  ['--label', 'a-b=1'],
  ['--label', 'a='],
  ['--header', 'none'],
  ['-o', 'x'],
]) {
  r = await push(here, [[200, '']], bad);
  equal(`refused: ${bad.join(' ')}`, `${r.status} ${seen.length}`, '2 0');
}

if (spawnSync('openssl', ['version']).error) console.log('ok push by TLS # SKIP no openssl');
else {
  const [key, cert] = ['key.pem', 'cert.pem'].map((f) => join(folder, f));
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'].concat([
      '-addext',
      'subjectAltName=DNS:localhost',
      '-keyout',
      key,
      '-out',
      cert,
    ]),
    { stdio: 'ignore' },
  ); // prettier-ignore
  const secret = https.createServer({ key: readFileSync(key), cert: readFileSync(cert) }, serve);
  const url = `https://localhost:${await listen(secret)}`;
  r = await push(url, [[200, '{}']]);
  equal('a certificate that nobody vouches for is refused', `${r.status} ${seen.length}`, '1 0');
  r = await push(url, [[200, '{}']], [], { SSL_CERT_FILE: cert });
  equal('one that is known is not', `${r.status} ${seen.length}`, '0 1');
  secret.close();
}
plain.close();
finish();
