#!/usr/bin/env node
// What Chromium makes of the SVG pictures: valid, complete, to scale, and of a size for a README.
import { statSync } from 'node:fs';
import { check, equal, exported, finish, synth } from '../js/check.mjs';
import { open_page } from '../js/browser.mjs';

const known = synth('t.sbp', 20000, 30, 4);
synth('none.sbp', 0);
const page = await open_page();

async function picture(profile, what, ...more) {
  const file = exported(profile, 'svg', `${profile}.${what}.svg`, '--what', what, ...more);
  const got = await page.look(file, () => ({
    valid: document.documentElement.tagName === 'svg' && !document.querySelector('parsererror'),
    titles: [...document.querySelectorAll('g > title')].map((t) => t.textContent),
    texts: [...document.querySelectorAll('text')].map((t) => t.textContent),
    rects: [...document.querySelectorAll('rect')].map((r) => [r.x, r.y, r.width, r.height].map((v) => v.baseVal.value)),
    wide: Math.max(0, ...[...document.querySelectorAll('text')].map((t) => t.getBBox().x + t.getBBox().width)),
  }));
  check(`${profile} ${what}: valid`, got.valid && got.complaints.length === 0, got.complaints.join(' '));
  check(`${profile} ${what}: small`, statSync(file).size < 60000, statSync(file).size);
  check(`${profile} ${what}: no text runs out of it`, got.wide <= 1205, got.wide);
  return got;
}

const flame = await picture('t.sbp', 'flame');
const bottom = Math.max(...flame.rects.map((r) => r[1]));
const widths = flame.rects.filter((r) => r[1] === bottom).map((r) => r[2]);
check('flame: the lowest row is the whole', Math.abs(widths.reduce((a, b) => a + b) - 1200) < 4, widths);
const own = flame.titles
  .filter((t) => t.startsWith('gen_server:loop/7'))
  .map((t) => parseFloat(t.match(/([\d.]+) %/)[1]));
check('flame: shares add up', Math.abs(own.reduce((a, b) => a + b) - 100) < 0.1, own);
for (const name of ['<T>&"q".run/0', "mod:'日本語 größe'/2", "'a;b':'c d'/1"])
  check(
    `flame: ${name}`,
    flame.titles.some((t) => t.startsWith(name)),
    flame.titles.join('|'),
  );

const lanes = await picture('t.sbp', 'schedulers');
equal('schedulers: a lane each', lanes.texts.filter((t) => /^scheduler \d/.test(t)).length, 4);
const busy = lanes.texts.filter((t) => t.endsWith('%')).map(parseFloat);
check(
  'schedulers: how busy they were',
  Math.abs(busy.reduce((a, b) => a + b) / 4 - (known.slice_ns / 5000000 / 4) * 100) < 0.2,
  busy,
);
const overview = await picture('t.sbp', 'overview');
check(
  'overview: average parallelism',
  overview.texts[0].includes(`${(known.slice_ns / 5000000).toFixed(2)} on average`),
  overview.texts[0],
);
for (const what of ['flame', 'overview', 'schedulers']) await picture('none.sbp', what);
await page.close();
finish();
