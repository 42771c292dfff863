// What every test of an export needs: a folder, a profile with known answers, strobe, and lines of ok and not ok.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const build = process.env.BUILD ?? join(root, 'build');
export const strobe = process.env.STROBE ?? join(build, 'strobe');
export const folder = mkdtempSync(join(tmpdir(), 'strobe-export-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

let failed = 0;
export function check(name, good, why = '') {
  if (good) console.log(`ok ${name}`);
  else {
    failed++;
    console.log(`not ok ${name}: ${why}`);
  }
}
export function equal(name, got, want) {
  check(name, String(got) === String(want), `got ${got}, wanted ${want}`);
}
export function finish() {
  process.exit(failed > 0 ? 1 : 0);
}
process.on('uncaughtException', (error) => {
  console.log(`not ok ${process.argv[1]}: ${error?.stack ?? error}`);
  process.exit(1);
});

// a profile of so many slices; its answers
export function synth(name, slices, ...more) {
  const text = execFileSync(join(build, 'synth'), [join(folder, name), String(slices), ...more.map(String)]);
  return JSON.parse(text);
}
export function run(...args) {
  return spawnSync(strobe, args, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 });
}
// exports PROFILE in FORMAT to a file and returns its path
export function exported(profile, format, file, ...more) {
  const out = join(folder, file);
  const r = run('export', profile, '--to', format, '-o', out, ...more);
  if (r.status !== 0 || !existsSync(out)) throw new Error(`strobe export --to ${format}: ${r.stderr}`);
  return out;
}
