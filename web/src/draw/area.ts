// Activity over time: what ran, what was ready and did not run, as stacked steps, and a line at the number of
// schedulers. A bucket that is not empty is at least a pixel high.
import { Table } from '../lib/table';
import type { Range } from '../lib/window';
import type { Palette } from '../state/theme';
import { scaleX, valueAxis, type Box } from './axis';
import { hatch } from './hatch';
import type { Pen } from './stage';

/** Not more buckets than there are columns of pixels: neighbours are summed, as the server does. */
export function binned(t: Table, window: Range, most: number): Table {
  const inside = (t.rows && ((window[1] - window[0]) / t.num('dur', 0))) || 0;
  const per = 2 ** Math.max(0, Math.ceil(Math.log2(inside / Math.max(1, most))));
  if (per <= 1) return t;
  const width = t.num('dur', 0) * per;
  const group: number[] = [];
  const starts: number[] = [];
  for (let i = 0; i < t.rows; i++) {
    const start = Math.floor(t.num('start', i) / width) * width;
    if (starts[starts.length - 1] !== start) starts.push(start);
    group.push(starts.length - 1);
  }
  const columns = t.columns.map((c) => {
    const data = new Float64Array(starts.length);
    const highest = c.name.startsWith('peak') || c.name.startsWith('longest');
    if (c.name === 'start') data.set(starts);
    else if (c.name === 'dur') data.fill(width);
    else for (let i = 0; i < t.rows; i++) data[group[i]!] = highest ? Math.max(data[group[i]!]!, t.num(c.name, i) || 0) : data[group[i]!]! + (t.num(c.name, i) || 0);
    return { ...c, data };
  });
  return new Table(t.name, t.title, starts.length, t.leftOut, columns);
}

export interface Band {
  columns: string[]; // summed nanoseconds of a bucket
  colour: string;
  hatched?: boolean;
}

const mean = (t: Table, columns: string[], row: number) => columns.reduce((s, c) => s + (t.num(c, row) || 0), 0) / t.num('dur', row);

export function highest(t: Table, bands: Band[]): number {
  let most = 0;
  for (let i = 0; i < t.rows; i++) most = Math.max(most, bands.reduce((s, b) => s + mean(t, b.columns, i), 0));
  return most;
}

export function drawActivity(
  g: Pen, all: Table, window: Range, box: Box, bands: Band[], p: Palette, options: { capacity?: number; values?: boolean; top?: number } = {},
) {
  const t = binned(all, window, box.w);
  const capacity = options.capacity ?? 0;
  let top = options.top ?? (highest(t, bands) || 1);
  if (options.values) top = valueAxis(g, top, box, p, (v) => String(Number(v.toPrecision(3))), top >= 2);
  const x = scaleX(window, box);
  const y = (v: number) => box.y + box.h - (Math.min(v, top) / top) * box.h;
  const base = new Float64Array(t.rows);
  const [start, dur] = [t.nums('start'), t.nums('dur')];
  for (const band of bands) {
    g.fillStyle = band.hatched ? hatch(g, band.colour, 'slant') : band.colour;
    for (let i = 0; i < t.rows; i++) {
      const v = mean(t, band.columns, i);
      const a = Math.max(box.x, x(start[i]!));
      const b = Math.min(box.x + box.w, x(start[i]! + dur[i]!));
      if (v > 0 && b > box.x && a < box.x + box.w) {
        const low = y(base[i]!);
        const high = Math.min(y(base[i]! + v), low - 1);
        g.fillRect(a, high, Math.max(1, b - a + 0.4), low - high);
      }
      base[i]! += v;
    }
  }
  if (!capacity) return;
  const line = Math.round(y(capacity)) + 0.5;
  g.strokeStyle = p.soft;
  g.setLineDash([5, 4]);
  g.beginPath();
  g.moveTo(box.x, line);
  g.lineTo(box.x + box.w, line);
  g.stroke();
  g.setLineDash([]);
}
