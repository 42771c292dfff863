// A histogram of times from the shortest to the longest, with some of them marked.
import { useMemo } from 'preact/hooks';
import { count, duration, percent } from '../lib/format';
import type { Table } from '../lib/table';
import { palette, type Palette } from '../state/theme';
import { FONT, valueAxis, type Box } from './axis';
import { barsOf, placeOf, timeAt, type Bars } from './bars';
import { Stage, type Pen } from './stage';

const BARS: Box = { x: 66, y: 24, w: -80, h: 82 };
function drawBars(g: Pen, w: number, { parts, first, counts }: Bars, marks: [string, number][], p: Palette) {
  const box = { ...BARS, w: w + BARS.w };
  const top = valueAxis(g, Math.max(1, ...counts), box, p, count, true);
  const wide = box.w / counts.length;
  g.font = FONT;
  g.textAlign = 'left';
  let free = 0;
  counts.forEach((n, i) => {
    const x = box.x + i * wide;
    const h = n ? Math.max(1, (n / top) * box.h) : 0;
    g.fillStyle = p.accent;
    g.fillRect(x + 1, box.y + box.h - h, Math.max(1, wide - 2), h);
    g.fillStyle = p.faint;
    const text = duration(timeAt(first + i, parts));
    if (x < free || x + g.measureText(text).width > box.x + box.w) return;
    g.fillText(text, x, box.y + box.h + 13);
    free = x + g.measureText(text).width + 18;
  });
  free = 0;
  for (const [name, ns] of marks) {
    const x = Math.round(box.x + (placeOf(ns, parts) - first) * wide);
    const text = `${name} ${duration(ns)}`;
    const width = g.measureText(text).width;
    const at = Math.max(free, x + 4 + width > box.x + box.w ? x - 4 - width : x + 4);
    g.fillStyle = p.ink;
    g.fillRect(x, box.y - 18, 1.5, box.h + 18);
    g.fillText(text, at, box.y - 12);
    free = at + width + 10;
  }
}

/** `marks`: names of times, by length. */
export function Histogram({ t, marks = [], of, label }: Props) {
  const p = palette.value;
  const bars = useMemo(() => barsOf(t), [t]);
  const marked = JSON.stringify(marks);
  const draw = useMemo(() => (g: Pen, w: number) => drawBars(g, w, bars, marks, p), [bars, marked, p]);
  const all = bars.counts.reduce((sum, n) => sum + n, 0);
  const hover = (x: number, _y: number, w: number) => {
    const i = Math.floor(((x - BARS.x) / (w + BARS.w)) * bars.counts.length);
    const n = bars.counts[i];
    if (n === undefined) return null;
    const edge = (k: number) => duration(timeAt(bars.first + k, bars.parts));
    return {
      title: `${edge(i)} to ${edge(i + 1)}`,
      rows: [
        [of, count(n)],
        ['share', percent(n / all)],
      ] as [string, string][],
    };
  };
  return <Stage height={132} label={label} draw={draw} hover={hover} />;
}
interface Props {
  t: Table;
  marks?: [string, number][];
  of: string; // what is counted
  label: string;
}
