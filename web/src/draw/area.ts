// Activity over time as stacked steps, such as running and runnable processes, with a line at the number of schedulers.
// A bucket that is not empty is at least a pixel high.
import { Table } from '../lib/table';
import type { Range } from '../lib/window';
import type { Palette } from '../state/theme';
import { valueAxis, type Box } from './axis';
import { hatch } from './hatch';
import type { Pen } from './stage';

/** Returns at most as many buckets as there are columns of pixels: neighbours are summed, as on the server. */
export function binned(t: Table, window: Range, most: number): Table {
  const inside = (t.rows && (window[1] - window[0]) / t.num('dur', 0)) || 0;
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
    else
      for (let i = 0; i < t.rows; i++)
        data[group[i]!] = highest
          ? Math.max(data[group[i]!]!, t.num(c.name, i) || 0)
          : data[group[i]!]! + (t.num(c.name, i) || 0);
    return { ...c, data };
  });
  return new Table(t.name, t.title, starts.length, t.leftOut, columns);
}

export interface Band {
  columns: string[]; // summed nanoseconds of a bucket
  colour: string;
  hatched?: boolean;
}

/** Returns the sum of a band's columns in each bucket, as a mean over the bucket. */
function meansOf(t: Table, band: Band, per = 1): Float64Array {
  const dur = t.nums('dur');
  const means = new Float64Array(t.rows);
  for (const name of band.columns) {
    const ns = t.nums(name);
    for (let i = 0; i < t.rows; i++) means[i]! += (ns[i]! || 0) / dur[i]! / per;
  }
  return means;
}

function highestOf(means: Float64Array[]): number {
  let most = 0;
  for (let i = 0; i < (means[0]?.length ?? 0); i++) {
    let sum = 0;
    for (const band of means) sum += band[i]!;
    if (sum > most) most = sum;
  }
  return most;
}
export const highest = (t: Table, bands: Band[]) => highestOf(bands.map((band) => meansOf(t, band)));

/** `capacity`: where a line is; `values`: with an axis up to `top`; `per`: what the means are divided by; `ideal`: a
    band that is marked. */
export function drawActivity(
  g: Pen,
  all: Table,
  window: Range,
  box: Box,
  bands: Band[],
  p: Palette,
  options: { capacity?: number; values?: boolean; top?: number; per?: number; ideal?: Range } = {},
) {
  const t = binned(all, window, box.w);
  const means = bands.map((band) => meansOf(t, band, options.per));
  const capacity = options.capacity ?? 0;
  let top = options.top ?? (highestOf(means) || 1);
  if (options.values) top = valueAxis(g, top, box, p, (v) => String(Number(v.toPrecision(3))), top >= 2);
  const [start, dur] = [t.nums('start'), t.nums('dur')];
  const [scale, right, bottom] = [box.w / (window[1] - window[0]), box.x + box.w, box.y + box.h];
  const base = new Float64Array(t.rows);
  bands.forEach((band, k) => {
    g.fillStyle = band.hatched ? hatch(band.colour) : band.colour;
    for (let i = 0; i < t.rows; i++) {
      const v = means[k]![i]!;
      const a = Math.max(box.x, box.x + (start[i]! - window[0]) * scale);
      const b = Math.min(right, box.x + (start[i]! + dur[i]! - window[0]) * scale);
      if (v > 0 && b > box.x && a < right) {
        const low = bottom - (Math.min(base[i]!, top) / top) * box.h;
        const high = Math.min(bottom - (Math.min(base[i]! + v, top) / top) * box.h, low - 1);
        g.fillRect(a, high, Math.max(1, b - a + 0.4), low - high);
      }
      base[i]! += v;
    }
  });
  const height = (v: number) => Math.round(bottom - (Math.min(v, top) / top) * box.h);
  if (options.ideal) {
    const [low, high] = options.ideal.map(height) as Range;
    g.fillStyle = p.accent;
    g.globalAlpha = 0.2;
    g.fillRect(box.x, high, box.w, low - high);
    g.globalAlpha = 1;
  }
  if (!capacity) return;
  const line = height(capacity) + 0.5;
  g.strokeStyle = p.soft;
  g.setLineDash([5, 4]);
  g.beginPath();
  g.moveTo(box.x, line);
  g.lineTo(box.x + box.w, line);
  g.stroke();
  g.setLineDash([]);
}
