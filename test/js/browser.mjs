// The distribution's Chromium, to look at a file, and speedscope in it: what it says a file holds is taken from its
// own "save as".
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, dirname } from 'node:path';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';

const require = createRequire(import.meta.url);
const page_url = `file://${join(dirname(require.resolve('speedscope/package.json')), 'dist/release/index.html')}`;
const program = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);

const launch = () => chromium.launch({ executablePath: program, args: ['--no-sandbox', '--disable-gpu'] });

export async function open_page() {
  const browser = await launch();
  return {
    close: () => browser.close(),
    async look(file, what) {
      const page = await browser.newPage();
      const complaints = [];
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
      await page.goto(`file://${file}`);
      const seen = await page.evaluate(what);
      await page.close();
      return { complaints, ...seen };
    },
  };
}

export async function open_speedscope() {
  const browser = await launch();
  return {
    close: () => browser.close(),
    async read(file) {
      const page = await browser.newPage({ acceptDownloads: true });
      const complaints = [];
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('dialog', (dialog) => {
        complaints.push(dialog.message());
        return dialog.dismiss();
      });
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
      // the way its own command line hands a file over
      const data = readFileSync(file).toString('base64');
      writeFileSync(`${file}.js`, `speedscope.loadFileFromBase64(${JSON.stringify(basename(file))}, "${data}")`);
      await page.goto(`${page_url}#localProfilePath=${file}.js`);
      const loaded = await page
        .waitForFunction(() => document.querySelector('canvas'), { timeout: 20000 })
        .catch(() => null);
      const title = await page.title();
      let saved = null;
      if (loaded) {
        const download = page.waitForEvent('download', { timeout: 20000 });
        await page.keyboard.press('Control+s');
        saved = JSON.parse(readFileSync(await (await download).path(), 'utf8'));
      }
      await page.close();
      return { title, complaints, saved, ...(saved ? sums(saved) : {}) };
    },
  };
}

// own time by function over all profiles of what speedscope holds, and in all
function sums(saved) {
  const names = saved.shared.frames.map((f) => f.name);
  const of = (p) => (p.type === 'sampled' ? p.weights.reduce((a, b) => a + b, 0) : p.endValue - p.startValue);
  const own = {};
  for (const p of saved.profiles)
    if (p.type === 'sampled')
      p.samples.forEach((stack, i) => {
        const leaf = names[stack[stack.length - 1]];
        own[leaf] = (own[leaf] ?? 0) + p.weights[i];
      });
    else evented(p, names, own);
  return { names, own, totals: saved.profiles.map(of), profile_names: saved.profiles.map((p) => p.name) };
}

function evented(p, names, own) {
  const stack = [];
  let at = p.startValue;
  for (const e of p.events) {
    if (stack.length) own[names[stack.at(-1)]] = (own[names[stack.at(-1)]] ?? 0) + e.at - at;
    at = e.at;
    if (e.type === 'O') stack.push(e.frame);
    else stack.pop();
  }
}
