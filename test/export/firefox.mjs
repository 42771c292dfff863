#!/usr/bin/env node
// What Firefox Profiler's own command line says of the firefox export: self time, threads and markers must be ours.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { check, equal, exported, finish, folder, synth } from '../js/check.mjs';

const cli = fileURLToPath(
  new URL('../js/node_modules/@firefox-devtools/profiler-cli/dist/profiler-cli.js', import.meta.url),
);
// keeps the user's own sessions apart
const env = { ...process.env, PROFILER_CLI_SESSION_DIR: join(folder, 'sessions') };
mkdirSync(env.PROFILER_CLI_SESSION_DIR);
let session;
const json = (...args) =>
  JSON.parse(
    execFileSync(process.execPath, [cli, ...args, '--json', '--session', session], {
      env,
      encoding: 'utf8',
      stdio: 'pipe',
      maxBuffer: 1 << 28,
    }),
  );

// Starts the daemon directly, because the client's `load` gives up after half a second, which is too short on a busy
// machine. A client that asks too early deletes the session's files, so the daemon's log shows when it is ready.
async function load(file, id) {
  session = id;
  const log = join(env.PROFILER_CLI_SESSION_DIR, `${id}.log`);
  const daemon = spawn(process.execPath, [cli, '--daemon', file, '--session', id], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  process.on('exit', () => daemon.kill('SIGKILL'));
  const end = Date.now() + 120_000; // it reads the profile in two seconds, or many times that on a busy machine
  for (;;) {
    const text = existsSync(log) ? readFileSync(log, 'utf8') : '';
    if (text.includes('Profile loaded successfully')) return;
    if (text.includes('Failed to load profile') || daemon.exitCode !== null || Date.now() > end)
      throw new Error(`the daemon of Firefox Profiler did not load ${file}:\n${text}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}
const functions = (thread) =>
  json('thread', 'functions', '--thread', thread, '--limit', '0', '--include-idle').functions;
const self = (thread) => Math.round(functions(thread).reduce((a, f) => a + f.selfSamples, 0) * 1e6);

const known = synth('t.sbp', 1000);
synth('none.sbp', 0);
await load(exported('t.sbp', 'firefox', 't.firefox.json', '--time', 'wall'), 'full');
equal('own time of all processes', self('t-0'), known.own_ns);
const names = functions('t-0').map((f) => f.name);
for (const name of ['<T>&"q".run/0', "mod:'日本語 größe'/2", "'a;b':'c d'/1"])
  check(`name ${name}`, names.includes(name), names.join(' '));
check(
  'a name of 255 characters',
  names.some((n) => n.length > 220),
  names.join(' '),
);
const threads = json('thread', 'list').threads;
equal('a thread for all and for each process', threads.length, known.processes + 1);
check(
  'a process keeps its name',
  threads.some((t) => t.name === "<0.81.0> 'quote\"d <name>; & space'"),
  threads[1].name,
);
equal(
  'running of all processes',
  threads.slice(1).reduce((a, t) => a + self(t.threadHandle), 0),
  known.slice_ns,
);
const markers = {};
for (const t of threads.slice(1))
  for (const m of json('thread', 'markers', '--thread', t.threadHandle).byType)
    markers[m.markerName] = (markers[m.markerName] ?? 0) + m.count;
equal('collections are markers', markers.GC, known.gcs);
equal('sent messages are markers', markers.send, known.messages);
equal('received messages are markers', markers.receive, known.messages);
await load(exported('none.sbp', 'firefox', 'none.firefox.json'), 'none');
equal('an empty profile is valid', json('thread', 'list').threads.length, 1);
finish();
