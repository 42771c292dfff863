// Lanes of cells. An exact cell is a full bar; a merged one is a column as high as its share, and at least two pixels
// high, so that full, partial and empty differ at any zoom.
import { Table } from '../lib/table';
import type { Range } from '../lib/window';
import type { Palette } from '../state/theme';
import { pixel, type Pattern, type Raster } from './raster';

// as in src/profile/state.def
export const STATES = ['running', 'gc', 'dirty', 'runnable', 'waiting', 'handover', 'unknown'] as const;
const RUNNING = 0;
const GC = 1;
const DIRTY = 2;
const RUNNABLE = 3;
const WAITING = 4;
const HANDOVER = 5;
export const UNKNOWN = 6;
const STACKED = [RUNNING, GC, DIRTY, RUNNABLE, HANDOVER];

/** The share of a state in a merged cell: eight bits each, in 250ths (src/serve/lane.h). */
const WHOLE = 250;
export const shareOf = (shares: number, state: number) => (Math.floor(shares / 256 ** state) % 256) / WHOLE;

/** Returns the sum of the states of all lanes in buckets over a range, for drawActivity. */
export function summed(t: Table, window: Range, buckets: number): Table {
  const width = (window[1] - window[0]) / buckets;
  const sums = STACKED.map(() => new Float64Array(buckets));
  const [start, end, state, shares] = [t.nums('start'), t.nums('end'), t.nums('state'), t.nums('shares')];
  const add = (from: number, to: number, s: number, share: number) => {
    const sum = sums[STACKED.indexOf(s)];
    if (!sum) return;
    for (let b = Math.max(0, Math.floor((from - window[0]) / width)); b < buckets && window[0] + b * width < to; b++)
      sum[b]! += share * Math.max(0, Math.min(to, window[0] + (b + 1) * width) - Math.max(from, window[0] + b * width));
  };
  for (let i = 0; i < t.rows; i++)
    if (Number.isNaN(shares[i]!)) {
      add(start[i]!, end[i]!, state[i]!, 1);
      if (state[i] === GC) add(start[i]!, end[i]!, RUNNING, -1); // it is part of a slice
    } else for (const s of STACKED) add(start[i]!, end[i]!, s, shareOf(shares[i]!, s));
  const column = (name: string, data: Float64Array) => ({ name, unit: 'ns' as const, doc: '', text: null, data });
  const starts = Float64Array.from({ length: buckets }, (_, b) => window[0] + b * width);
  return new Table('sum', '', buckets, 0, [
    column('start', starts),
    column('dur', new Float64Array(buckets).fill(width)),
    ...STACKED.map((s, k) => column(`${STATES[s]}_ns`, sums[k]!)),
  ]);
}

/** Returns the cells with a column for the share of each state, as a table to read. */
export function spelled(t: Table): Table {
  const columns = t.columns.filter((c) => c.name !== 'shares');
  const shares = t.nums('shares');
  STATES.slice(0, SHARED).forEach((name, s) => {
    columns.push({
      name,
      unit: 'ppm',
      doc: 'share of the cell',
      text: null,
      data: Float64Array.from(shares, (v) => shareOf(v, s) * 1e6),
    });
  });
  return new Table(t.name, t.title, t.rows, t.leftOut, columns);
}

/** The cells of an answer, the rows of a lane adjacent, and the colour of each while its process runs. */
export interface Cells {
  table: Table;
  lanes: Map<number, [number, number]>;
  start: Float64Array;
  end: Float64Array;
  state: Float64Array;
  shares: Float64Array; // of all states in one number; NaN for an exact cell
  parts: Uint8Array; // the same in 250ths, SHARED for every row
  colour: Uint32Array;
}

export const SHARED = 6; // states that have a share: all but unknown

/** Everything that does not depend on colours, computed once for an answer. */
type Bare = Omit<Cells, 'colour'>;
const found = new WeakMap<Table, Bare>();
function bare(table: Table): Bare {
  const lanes = new Map<number, [number, number]>();
  const lane = table.nums('lane');
  for (let i = 0, from = 0; i < table.rows; i++)
    if (i + 1 === table.rows || lane[i + 1] !== lane[i]) {
      lanes.set(lane[i]!, [from, i + 1]);
      from = i + 1;
    }
  const shares = table.nums('shares');
  return {
    table,
    lanes,
    start: table.nums('start'),
    end: table.nums('end'),
    state: table.nums('state'),
    shares,
    parts: partsOf(shares),
  };
}

/** `colours` gives each row's pixel. */
export function cellsOf(table: Table, colours: Uint32Array): Cells {
  const known = found.get(table) ?? bare(table);
  found.set(table, known);
  return { ...known, colour: colours };
}

/** Splits shares of eight bits each. The lower three are split off first, because 48 bits are too wide for shifts. */
function partsOf(shares: Float64Array): Uint8Array {
  const parts = new Uint8Array(shares.length * SHARED);
  for (let i = 0, at = 0; i < shares.length; i++, at += SHARED) {
    const all = shares[i]!;
    if (!(all > 0)) continue;
    const high = Math.floor(all / 2 ** 24);
    const low = all - high * 2 ** 24;
    for (let k = 0; k < 3; k++) {
      parts[at + k] = low >> (8 * k);
      parts[at + 3 + k] = high >> (8 * k);
    }
  }
  return parts;
}

/** Returns a pixel for each row by a value of the row, 0 or more, or NaN for none. `colour` is called once for each
    value. */
export function coloursBy(values: ArrayLike<number>, colour: (value: number) => string): Uint32Array {
  let most = 0;
  for (let i = 0; i < values.length; i++) if (values[i]! > most) most = values[i]!;
  const known = new Uint32Array(most + 2); // the first is for NaN; 0 is no pixel, since all are opaque
  const of = new Uint32Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const v = values[i]!;
    const at = v >= 0 ? v + 1 : 0;
    of[i] = known[at] ||= pixel(colour(v));
  }
  return of;
}
const NOBODY: [number, number] = [0, 0];
export const rowsOf = (c: Cells, lane: number): [number, number] => c.lanes.get(lane) ?? NOBODY;

/** The place of a lane, in pixels of the screen. */
export interface LaneBox {
  x: number;
  y: number;
  w: number;
  h: number;
  least: number; // the least height of a share
}

// the place of an exact state in its lane: the top and the height, as shares of the lane's height
const PLACE: [number, number][] = [
  [0, 1],
  [0.5, 0.5],
  [0, 1],
  [0.25, 0.75],
  [0.66, 0.26],
  [0.5, 0.5],
  [0.9, 0.1],
];
const PATTERNS: Pattern[] = ['plain', 'dots', 'upright', 'slant', 'plain', 'upright', 'plain'];
const ROOM_FOR_PATTERN = 5;

export function drawLane(
  r: Raster,
  c: Cells,
  lane: number,
  window: Range,
  box: LaneBox,
  fixed: Uint32Array,
  waits: boolean,
) {
  const { start, end, state, shares, colour } = c;
  const scale = box.w / (window[1] - window[0]);
  const right = box.x + box.w;
  const [first, last] = rowsOf(c, lane);
  for (let row = first; row < last; row++) {
    if (end[row]! <= window[0] || start[row]! >= window[1]) continue;
    const a = Math.max(box.x, Math.floor(box.x + (start[row]! - window[0]) * scale));
    const b = Math.min(right, Math.max(a + 1, Math.floor(box.x + (end[row]! - window[0]) * scale)));
    const share = shares[row]!;
    if (!Number.isNaN(share)) {
      merged(r, c, row, a, b, box, fixed, waits);
      continue;
    }
    const s = state[row]!;
    const [from, high] = PLACE[s] ?? PLACE[STATES.length - 1]!;
    const y = Math.round(box.y + box.h * from);
    const h = Math.max(box.least, Math.round(box.h * high));
    r.rect(a, y, b, y + h, s === RUNNING ? colour[row]! : fixed[s]!, b - a > ROOM_FOR_PATTERN ? PATTERNS[s] : 'plain');
  }
}

function merged(
  r: Raster,
  c: Cells,
  row: number,
  a: number,
  b: number,
  box: LaneBox,
  fixed: Uint32Array,
  waits: boolean,
) {
  const { parts, colour } = c;
  const at = row * SHARED;
  let y = box.y + box.h;
  if (waits && parts[at + WAITING]! > 0) {
    const top = Math.round(box.y + box.h * 0.66);
    r.rect(a, top, b, top + Math.max(1, Math.round(box.h * 0.26)), fixed[WAITING]!);
  }
  for (let k = 0; k < STACKED.length; k++) {
    const s = STACKED[k]!;
    const share = parts[at + s]!;
    if (share === 0) continue;
    const h = Math.min(y - box.y, Math.max(box.least, Math.round((share * box.h) / WHOLE)));
    r.rect(a, y - h, b, y, s === RUNNING ? colour[row]! : fixed[s]!, b - a > ROOM_FOR_PATTERN ? PATTERNS[s] : 'plain');
    y -= h;
  }
}

/** The colours of the states, as pixels. */
export const stateColours = (p: Palette) =>
  Uint32Array.of(
    pixel(p.run),
    pixel(p.gc),
    pixel(p.dirty),
    pixel(p.ready),
    pixel(p.wait),
    pixel(p.handover),
    pixel(p.unknown),
  );

/** Returns the cell at a moment: exact cells precede merged ones, and gc precedes what it interrupts. */
export function cellAt(c: Cells, lane: number, at: number, slack: number): number | null {
  const { start, end, state, shares } = c;
  const [first, last] = rowsOf(c, lane);
  let best: number | null = null;
  let rank = -1;
  for (let row = first; row < last; row++) {
    if (end[row]! + slack < at || start[row]! - slack > at) continue;
    const inside = start[row]! <= at && end[row]! > at;
    const exact = Number.isNaN(shares[row]!);
    const score = (inside ? 4 : 0) + (exact ? 2 : 0) + (state[row] === GC ? 1 : 0);
    if (score <= rank) continue;
    best = row;
    rank = score;
  }
  return best;
}
