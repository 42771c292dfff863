// Drawing lanes of cells. An exact cell is a full bar; a merged one is a column as high as its share, never lower
// than two pixels: full, in-between and nothing are told apart at any zoom.
import { Table } from '../lib/table';
import type { Range } from '../lib/window';
import type { Palette } from '../state/theme';
import { pixel, type Pattern, type Raster } from './raster';

export const STATES = ['running', 'gc', 'dirty', 'runnable', 'waiting', 'unknown'] as const;
const RUNNING = 0;
const GC = 1;
const DIRTY = 2;
const RUNNABLE = 3;
const WAITING = 4;
const STACKED = [RUNNING, GC, DIRTY, RUNNABLE];

/** The share of a state in a merged cell: ten bits each, in thousandths (src/serve/lane.h). */
export const shareOf = (shares: number, state: number) => (Math.floor(shares / 1024 ** state) % 1024) / 1000;

/** The cells with a column for the share of each state, as a table for people. */
export function spelled(t: Table): Table {
  const columns = t.columns.filter((c) => c.name !== 'shares');
  const shares = t.nums('shares');
  STATES.slice(0, SHARED).forEach((name, s) => columns.push({ name, unit: 'ppm', doc: 'share of the cell', text: null, data: Float64Array.from(shares, (v) => shareOf(v, s) * 1e6) }));
  return new Table(t.name, t.title, t.rows, t.leftOut, columns);
}

/** The cells of an answer, each lane's rows together, and the colour of each when it runs. */
export interface Cells {
  table: Table;
  lanes: Map<number, [number, number]>;
  start: Float64Array;
  end: Float64Array;
  state: Float64Array;
  shares: Float64Array; // of all states in one number, NaN of an exact cell
  parts: Uint16Array; // the same, a thousandth each, SHARED for every row
  colour: Uint32Array;
}

const SHARED = 5; // states that have a share: all but unknown

export function cellsOf(table: Table, colour: (row: number) => string): Cells {
  const lanes = new Map<number, [number, number]>();
  const lane = table.nums('lane');
  const colours = new Uint32Array(table.rows);
  const parts = new Uint16Array(table.rows * SHARED);
  const shares = table.nums('shares');
  for (let i = 0; i < table.rows; i++) {
    const rows = lanes.get(lane[i]!);
    if (rows) rows[1] = i + 1;
    else lanes.set(lane[i]!, [i, i + 1]);
    colours[i] = pixel(colour(i));
    for (let s = 0, rest = shares[i]!; s < SHARED && rest > 0; s++, rest = Math.floor(rest / 1024)) parts[i * SHARED + s] = rest % 1024;
  }
  return { table, lanes, start: table.nums('start'), end: table.nums('end'), state: table.nums('state'), shares, parts, colour: colours };
}
const NOBODY: [number, number] = [0, 0];
export const rowsOf = (c: Cells, lane: number): [number, number] => c.lanes.get(lane) ?? NOBODY;

/** Everything in pixels of the screen. */
export interface LaneBox {
  x: number;
  y: number;
  w: number;
  h: number;
  least: number; // height of what is hardly there
}

// where in its lane an exact state stands: from which share of the height, how high
const PLACE: [number, number][] = [[0, 1], [0.5, 0.5], [0, 1], [0.25, 0.75], [0.66, 0.26], [0.9, 0.1]];
const PATTERNS: Pattern[] = ['plain', 'dots', 'upright', 'slant', 'plain', 'plain'];
const ROOM_FOR_PATTERN = 5;

export function drawLane(r: Raster, c: Cells, lane: number, window: Range, box: LaneBox, fixed: Uint32Array, waits: boolean) {
  const { start, end, state, shares, colour } = c;
  const scale = box.w / (window[1] - window[0]);
  const right = box.x + box.w;
  const [first, last] = rowsOf(c, lane);
  for (let row = first; row < last; row++) {
    if (end[row]! <= window[0] || start[row]! >= window[1]) continue;
    const a = Math.max(box.x, Math.floor(box.x + (start[row]! - window[0]) * scale));
    const b = Math.min(right, Math.max(a + 1, Math.floor(box.x + (end[row]! - window[0]) * scale)));
    const share = shares[row]!;
    if (share === share) {
      merged(r, c, row, a, b, box, fixed, waits);
      continue;
    }
    const s = state[row]!;
    const [from, high] = PLACE[s] ?? PLACE[5]!;
    const y = Math.round(box.y + box.h * from);
    const h = Math.max(box.least, Math.round(box.h * high));
    r.rect(a, y, b, y + h, s === RUNNING ? colour[row]! : fixed[s]!, b - a > ROOM_FOR_PATTERN ? PATTERNS[s] : 'plain');
  }
}

function merged(r: Raster, c: Cells, row: number, a: number, b: number, box: LaneBox, fixed: Uint32Array, waits: boolean) {
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
    const h = Math.min(y - box.y, Math.max(box.least, Math.round((share * box.h) / 1000)));
    r.rect(a, y - h, b, y, s === RUNNING ? colour[row]! : fixed[s]!, b - a > ROOM_FOR_PATTERN ? PATTERNS[s] : 'plain');
    y -= h;
  }
}

/** The colours of the states, as pixels. */
export const stateColours = (p: Palette) => Uint32Array.of(pixel(p.run), pixel(p.gc), pixel(p.dirty), pixel(p.ready), pixel(p.wait), pixel(p.unknown));

/** The cell at a moment: an exact one before a merged one, gc before what it interrupts. */
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
