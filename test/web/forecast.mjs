#!/usr/bin/env node
// The route forecast answers what strobe predict prints, with every kind of change, and refuses what it cannot read.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { equal, finish, folder, serve, STROBE } from './lib.mjs';

process.env.XDG_CACHE_HOME = folder; // no constants of this machine
const trace = join(folder, 'funnel.txt');
const profile = join(folder, 'funnel.sbp');
const clients = [20, 21, 22, 23];
writeFileSync(
  trace,
  [
    '@meta node=a@h creation=1 recorded=procs,running,messages schedulers=1',
    '0us <0.9.0> s1 in mfa=m:server/0',
    '0us <0.9.0> s1 waits mfa=m:wait/0 kind=1',
    ...clients.map((c) => `0us <0.9.0> s1 spawn child=<0.${c}.0> mfa=m:client/0`),
    '1us <0.9.0> s1 out mfa=m:wait/0',
    ...clients.flatMap((c, i) => [
      `${1 + 10 * i}us <0.${c}.0> s1 in mfa=m:client/0`,
      `${11 + 10 * i}us <0.${c}.0> s1 send to=<0.9.0> words=3 hash=${i + 1}`,
      `${11 + 10 * i}us <0.${c}.0> s1 exit reason=normal`,
    ]),
    '41us <0.9.0> s1 in mfa=m:wait/0',
    ...clients.map((_, i) => `${41000 + 100 * i}ns <0.9.0> s1 receive words=3 hash=${i + 1}`),
    '441us <0.9.0> s1 exit reason=normal',
    '',
  ].join('\n'),
);
execFileSync(STROBE, ['analyze', trace, '-o', profile], { stdio: 'ignore' });
const server = await serve(profile);
const ask = (params) =>
  fetch(`${server.origin}/api/forecast?${new URLSearchParams({ ...params, format: 'json' })}`, {
    headers: { 'X-Strobe-Token': server.token },
  });
const rows = async (params) => (await (await ask(params)).json()).forecast;
const predict = (...args) =>
  JSON.parse(execFileSync(STROBE, ['predict', profile, '--format', 'json', ...args], { encoding: 'utf8' }));

equal('all cores', JSON.stringify(await rows({})), JSON.stringify(predict()));
equal(
  'some cores and all kinds of changes',
  JSON.stringify(
    await rows({ cores: '1,8', faster: 'm:client/0=2;<0.9.0>=4', split: '<0.9.0>=2', free: '<0.20.0> -> <0.9.0>' }),
  ),
  JSON.stringify(
    predict(
      '--cores',
      '1,8',
      '--faster',
      'm:client/0=2',
      '--faster',
      '<0.9.0>=4',
      '--split',
      '<0.9.0>=2',
      '--free',
      '<0.20.0> -> <0.9.0>',
    ),
  ),
);
equal('an unknown server', (await ask({ split: 'nobody=2' })).status, 400);
equal('no number of cores', (await ask({ cores: 'many' })).status, 400);
equal('the server ends in order', await server.stop(), 0);
finish();
