// The predicted time by number of cores, as a band with a line; a second band shows the program with a change.
import { duration } from '../lib/format';
import type { Table } from '../lib/table';
import type { Palette } from '../state/theme';
import { AXIS, FONT, valueAxis, type Box } from './axis';
import type { Pen } from './stage';

export const curveBox = (w: number, h: number): Box => ({ x: 64, y: 12, w: w - 84, h: h - AXIS - 16 });

/** Returns where the numbers of cores are: evenly spaced, since each is twice the one before. */
export const placeOf = (t: Table, box: Box) => (i: number) => box.x + (t.rows > 1 ? i / (t.rows - 1) : 0.5) * box.w;

/** The most that is drawn, with some room above it. */
export function mostOf(tables: (Table | null)[]): number {
  let most = 0;
  for (const t of tables)
    for (let i = 0; t && i < t.rows; i++) for (const c of ['ns', 'high_ns']) most = Math.max(most, t.num(c, i) || 0);
  return most * 1.05;
}

type Pair = [number, number];
/** Returns the points of a column that are known, as places on the canvas. */
function points(t: Table, column: string, box: Box, high: number): Pair[] {
  const x = placeOf(t, box);
  return Array.from({ length: t.rows }, (_, i): Pair => [x(i), box.y + box.h * (1 - t.num(column, i) / high)]).filter(
    ([, y]) => !Number.isNaN(y),
  );
}

function drawOne(g: Pen, t: Table, box: Box, high: number, colour: string) {
  const known = (i: number) => !Number.isNaN(t.num('low_ns', i)) && !Number.isNaN(t.num('high_ns', i));
  const rows = Array.from({ length: t.rows }, (_, i) => i).filter(known);
  const x = placeOf(t, box);
  const y = (ns: number) => box.y + box.h * (1 - ns / high);
  g.fillStyle = colour;
  g.globalAlpha = 0.2;
  g.beginPath();
  for (const i of rows) g.lineTo(x(i), y(t.num('high_ns', i)));
  for (const i of [...rows].reverse()) g.lineTo(x(i), y(t.num('low_ns', i)));
  g.fill();
  g.globalAlpha = 1;
  g.strokeStyle = colour;
  g.lineWidth = 2;
  g.beginPath();
  const line = points(t, 'ns', box, high);
  for (const [px, py] of line) g.lineTo(px, py);
  g.stroke();
  for (const [px, py] of line) {
    g.beginPath();
    g.arc(px, py, 3, 0, 2 * Math.PI);
    g.fill();
  }
  g.lineWidth = 1;
}

export function drawCurves(g: Pen, base: Table, changed: Table | null, w: number, h: number, p: Palette) {
  const box = curveBox(w, h);
  const high = valueAxis(g, mostOf([base, changed]), box, p, duration);
  const x = placeOf(base, box);
  g.font = FONT;
  g.textAlign = 'center';
  g.fillStyle = p.faint;
  for (let i = 0; i < base.rows; i++) g.fillText(String(base.num('cores', i)), x(i), box.y + box.h + AXIS / 2 + 2);
  drawOne(g, base, box, high, changed ? p.faint : p.run);
  if (changed) drawOne(g, changed, box, high, p.accent);
}
