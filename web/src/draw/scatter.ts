// Points over time, sizes or durations on a logarithmic scale.
import type { Range } from '../lib/window';
import type { Palette } from '../state/theme';
import { FONT, scaleX, timeAxis, type Box } from './axis';
import type { Pen } from './stage';

export interface Points {
  at: Float64Array;
  value: Float64Array;
  kind?: (i: number) => boolean; // a second kind, drawn as a square
}

export function scaleLog(points: Points, box: Box): { y: (v: number) => number; low: number; high: number } {
  let low = Infinity;
  let high = 1;
  for (const v of points.value) {
    if (!(v > 0)) continue;
    low = Math.min(low, v);
    high = Math.max(high, v);
  }
  const [a, b] = [Math.floor(Math.log10(Math.min(low, high))), Math.ceil(Math.log10(high) + 1e-9)];
  const top = b > a ? b : a + 1;
  return { low: a, high: top, y: (v) => box.y + box.h - ((Math.log10(Math.max(v, 10 ** a)) - a) / (top - a)) * box.h };
}

export function drawScatter(
  g: Pen,
  points: Points,
  window: Range,
  box: Box,
  p: Palette,
  colours: [string, string],
  text: (v: number) => string,
) {
  const { y, low, high } = scaleLog(points, box);
  timeAxis(g, window, box, p, box.y + box.h + 13);
  g.font = FONT;
  g.textAlign = 'right';
  g.textBaseline = 'middle';
  for (let e = low; e <= high; e++) {
    const py = Math.round(y(10 ** e)) + 0.5;
    g.strokeStyle = e === low ? p.strong : p.line;
    g.beginPath();
    g.moveTo(box.x, py);
    g.lineTo(box.x + box.w, py);
    g.stroke();
    g.fillStyle = p.faint;
    g.fillText(text(10 ** e), box.x - 6, py);
  }
  const x = scaleX(window, box);
  for (let i = 0; i < points.at.length; i++) {
    const px = x(points.at[i]!);
    if (px < box.x || px > box.x + box.w || !(points.value[i]! >= 0)) continue;
    const second = points.kind?.(i) ?? false;
    g.globalAlpha = points.at.length > 800 ? 0.55 : 0.8;
    g.fillStyle = colours[second ? 1 : 0];
    const py = y(points.value[i]!);
    if (second) g.fillRect(px - 2.5, py - 2.5, 5, 5);
    else {
      g.beginPath();
      g.arc(px, py, 2.4, 0, 7);
      g.fill();
    }
  }
  g.globalAlpha = 1;
}

export function nearest(points: Points, window: Range, box: Box, px: number, py: number): number | null {
  const x = scaleX(window, box);
  const { y } = scaleLog(points, box);
  let best: number | null = null;
  let near = 12 * 12;
  for (let i = 0; i < points.at.length; i++) {
    const d = (x(points.at[i]!) - px) ** 2 + (y(points.value[i]!) - py) ** 2;
    if (d < near) [best, near] = [i, d];
  }
  return best;
}
