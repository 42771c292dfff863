#!/usr/bin/env node
// What speedscope, in Chromium, says of the formats that it reads: totals and names must be ours.
import { check, equal, exported, finish, synth } from '../js/check.mjs';
import { open_speedscope } from '../js/browser.mjs';

const known = synth('t.sbp', 1000);
synth('none.sbp', 0);
const odd = ['<T>&"q".run/0', "mod:'日本語 größe'/2", 'lists:map/2', 'x'.repeat(120)];
const speedscope = await open_speedscope();

async function read(format, file, ...more) {
  const got = await speedscope.read(exported('t.sbp', format, file, ...more));
  check(`${format} loads without complaint`, got.saved && got.complaints.length === 0, got.complaints.join('; '));
  return got;
}
const all_names = (got) => odd.filter((name) => !got.names.some((n) => n.includes(name))).join(' ');

for (const [format, file] of [
  ['collapsed', 't.collapsed'],
  ['callgrind', 't.callgrind'],
  ['pprof', 't.pb.gz'],
  ['speedscope', 't.speedscope.json'],
]) {
  const got = await read(format, file, '--time', 'wall');
  if (!got.saved) continue;
  equal(`${format}: own time in all`, Math.round(got.totals[0]), known.own_ns);
  equal(`${format}: every name survives`, all_names(got), '');
}

const chrome = await read('chrome', 't.json');
check(
  'chrome: a profile for each scheduler',
  chrome.profile_names.filter((n) => n.includes('scheduler')).length === 2,
  chrome.profile_names.join(', '),
);
check(
  'chrome: stays on schedulers by type',
  chrome.names.some((n) => n.includes("mod:'日本語 größe'/2")),
  chrome.names.join(' '),
);

const merged = await read('speedscope', 'one.speedscope.json', '--process', '<0.82.0>');
equal('speedscope: a process has a view of its own', merged.profile_names[1], '<0.82.0> plain');
const waits = await read('collapsed', 'waits.collapsed', '--what', 'waits');
equal('collapsed: waiting stacks', waits.totals[0], known.wait_ns);
const slices = await read('collapsed', 'slices.collapsed', '--what', 'slices');
equal('collapsed: stays on schedulers', slices.totals[0], known.slice_ns);
const samples = await read('collapsed', 'samples.collapsed', '--what', 'samples');
equal('collapsed: samples', samples.totals[0], known.samples);
const half = await read('collapsed', 'half.collapsed', '--until', '250us');
const rest = await read('collapsed', 'rest.collapsed', '--since', '250us');
equal('collapsed: two windows make the whole', half.totals[0] + rest.totals[0], known.slice_ns);
await speedscope.close();
finish();
