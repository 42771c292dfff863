// The grid and labels that pictures over time share.
import { moment } from '../lib/format';
import { ticks } from '../lib/ticks';
import type { Range } from '../lib/window';
import type { Palette } from '../state/theme';
import type { Pen } from './stage';

export const FONT = '11px Inter, system-ui, sans-serif';
export const AXIS = 22;

export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}
export const scaleX =
  ([from, to]: Range, box: Box) =>
  (t: number) =>
    box.x + ((t - from) / (to - from)) * box.w;

/** Returns the moments that have a line in a picture of this width. */
export const ticksOf = (window: Range, width: number) => ticks(window[0], window[1], Math.max(2, width / 110)).at;

/** Draws vertical lines through `box`, and their moments at the height `labelsAt`. */
export function timeAxis(g: Pen, window: Range, box: Box, p: Palette, labelsAt: number) {
  const { step, at } = ticks(window[0], window[1], Math.max(2, box.w / 110));
  const x = scaleX(window, box);
  g.font = FONT;
  g.textBaseline = 'middle';
  g.textAlign = 'center';
  for (const t of at) {
    const px = Math.round(x(t)) + 0.5;
    g.strokeStyle = p.line;
    g.beginPath();
    g.moveTo(px, box.y);
    g.lineTo(px, box.y + box.h);
    g.stroke();
    const text = moment(t, step);
    const half = g.measureText(text).width / 2;
    if (px + half > box.x + box.w + 8) continue;
    g.fillStyle = p.faint;
    g.fillText(text, Math.max(px, half + 1), labelsAt);
  }
}

/** Draws horizontal lines and their numbers left of the box; returns the value at the top. */
export function valueAxis(
  g: Pen,
  most: number,
  box: Box,
  p: Palette,
  text: (v: number) => string,
  whole = false,
): number {
  let { step, at } = ticks(0, Math.max(most, 1e-9), Math.max(2, box.h / 34), whole);
  if (at.length < 2) ({ step, at } = ticks(0, Math.max(most, 1e-9), 4, whole)); // a single number is no scale
  const high = Math.max(most, at[at.length - 1] ?? 0);
  g.font = FONT;
  g.textBaseline = 'middle';
  g.textAlign = 'right';
  for (let v = 0; v <= high * 1.0001; v += step) {
    const y = Math.round(box.y + box.h - (v / high) * box.h) + 0.5;
    g.strokeStyle = v === 0 ? p.strong : p.line;
    g.beginPath();
    g.moveTo(box.x, y);
    g.lineTo(box.x + box.w, y);
    g.stroke();
    g.fillStyle = p.faint;
    g.fillText(text(v), box.x - 7, y);
  }
  return high;
}

const fitted = new Map<string, string>();
const MOST_FITTED = 4000;
/** Returns a text that is cut to fit, in the pen's font; results are cached. */
export function fit(g: Pen, text: string, width: number): string {
  if (width < 12) return '';
  const key = `${Math.round(width)} ${g.font} ${text}`;
  const old = fitted.get(key);
  if (old !== undefined) return old;
  if (fitted.size > MOST_FITTED) fitted.clear();
  const made = cut(g, text, width);
  fitted.set(key, made);
  return made;
}

const PID = / <[\d.]+>$/;

/** Without its end; that of a name with a pid is kept, since names are often alike. */
function cut(g: Pen, text: string, width: number): string {
  if (g.measureText(text).width <= width) return text;
  const pid = PID.exec(text)?.[0] ?? '';
  return (pid && shortened(g, text.slice(0, -pid.length), `…${pid}`, width)) || shortened(g, text, '…', width);
}

function shortened(g: Pen, text: string, end: string, width: number): string {
  let low = 0;
  let high = text.length;
  while (low < high) {
    const mid = (low + high + 1) >> 1;
    if (g.measureText(text.slice(0, mid) + end).width <= width) low = mid;
    else high = mid - 1;
  }
  return low < 2 ? '' : text.slice(0, low) + end;
}
