// Stacks over time as boxes: of recorded calls, and of samples of the CPU. stack_chart.tsx draws them.
import { numberColumn, textColumn } from '../lib/rows';
import { Table } from '../lib/table';

interface Box {
  start: number;
  dur: number;
  depth: number;
  mfa: string | null; // null: unknown
  count: number; // calls or samples
  share: number; // of its time that the function was on the stack
  process: number;
}

function tableOf(boxes: Box[], what: string): Table {
  const of = (key: 'start' | 'dur' | 'depth' | 'count') => boxes.map((b) => b[key]);
  return new Table('box', '', boxes.length, 0, [
    textColumn(
      'function',
      boxes.map((b) => b.mfa),
    ),
    numberColumn('start', 'at_ns', of('start')),
    numberColumn('dur', 'ns', of('dur')),
    numberColumn('depth', 'count', of('depth'), 'row in the picture'),
    numberColumn('count', 'count', of('count'), what),
    numberColumn(
      'share',
      'ppm',
      boxes.map((b) => b.share * 1e6),
      'of its time that the function was on the stack',
    ),
    numberColumn(
      'process',
      'id',
      boxes.map((b) => b.process),
    ),
  ]);
}

/** Returns the boxes of recorded calls (rows of `activation` by start, the longest first). Those with exact times are
    inside each other as their times are. Of joined ones only the sum is known: below these each function has a row,
    the busiest first. */
export function stackOfCalls(t: Table, process: number): Table {
  const boxes: Box[] = [];
  const ends: number[] = []; // of the open boxes, by depth
  const joined = new Map<string | null, number[]>();
  for (let i = 0; i < t.rows; i++) {
    const [start, dur, busy, mfa] = [t.num('start', i), t.num('dur', i), t.num('busy_ns', i), t.str('mfa', i)];
    if (busy < dur) {
      joined.set(mfa, [...(joined.get(mfa) ?? []), i]);
      continue;
    }
    while (ends.length && ends.at(-1)! < start + dur) ends.pop();
    boxes.push({ start, dur, depth: ends.length, mfa, count: t.num('count', i), share: 1, process });
    ends.push(start + dur);
  }
  const first = boxes.reduce((most, b) => Math.max(most, b.depth + 1), 0);
  const busy = (rows: number[]) => rows.reduce((sum, i) => sum + t.num('busy_ns', i), 0);
  [...joined]
    .sort(([, a], [, b]) => busy(b) - busy(a))
    .forEach(([mfa, rows], k) => {
      for (const i of rows) {
        const [start, dur] = [t.num('start', i), t.num('dur', i)];
        const share = t.num('busy_ns', i) / dur;
        boxes.push({ start, dur, depth: first + k, mfa, count: t.num('count', i), share, process });
      }
    });
  return tableOf(boxes, 'calls; of recursion only the outermost');
}

/** Returns the boxes of samples of the CPU: a box is as long as the time from its first sample to its last. Equal
    frames of samples of a process that are at most `near` apart are one box. */
export function stackOfSamples(samples: Table, frames: Table, near: number): Table {
  const row = new Map(Array.from(frames.nums('id'), (id, i) => [id, i]));
  const boxes: Box[] = [];
  let open: [number, Box][] = []; // the frames of the last sample, the outermost first
  let last = [-Infinity, NaN];
  for (let i = 0; i < samples.rows; i++) {
    const at = samples.num('at', i);
    const stack: number[] = [];
    for (let id = samples.num('stack', i); row.has(id); id = frames.num('caller', row.get(id)!)) stack.unshift(id);
    if (!stack.length) stack.push(0);
    const process = samples.num('process', i);
    if (at - last[0]! > near || !Object.is(process, last[1])) open = [];
    const same = stack.findIndex((id, k) => open[k]?.[0] !== id);
    open.length = same < 0 ? stack.length : same;
    for (const [, b] of open) {
      b.count++;
      b.dur = at - b.start;
    }
    for (const id of stack.slice(open.length)) {
      const mfa = id ? frames.str('function', row.get(id)!) : null;
      const box = { start: at, dur: 0, depth: open.length, mfa, count: 1, share: 1, process };
      open.push([id, box]);
      boxes.push(box);
    }
    last = [at, process];
  }
  return tableOf(boxes, 'samples');
}

export const rowsOf = (t: Table) => t.nums('depth').reduce((most, d) => Math.max(most, d + 1), 0);

/** Returns the box at a moment and a depth, or the nearest within `slack` nanoseconds. */
export function boxOver(t: Table, depth: number, at: number, slack: number): number | null {
  let [best, least]: [number | null, number] = [null, slack];
  for (let i = 0; i < t.rows; i++) {
    if (t.num('depth', i) !== depth) continue;
    const away = Math.max(t.num('start', i) - at, at - t.num('start', i) - t.num('dur', i), 0);
    if (away <= least) [best, least] = [i, away];
  }
  return best;
}
