// What is drawn over lanes: migrations, messages, marks, and the selected slice or state with its arrows.
import type { Table } from '../lib/table';
import type { Range } from '../lib/window';
import type { Palette } from '../state/theme';
import { drawCourse, drawHead, type Point } from './arrow';
import { AXIS, FONT, scaleX, type Box } from './axis';
import type { Pen } from './stage';

/** The lanes below. */
export interface Ground {
  lanes: { id: number }[];
  of: 'process' | 'scheduler';
  window: Range;
  boxOf: (lane: number) => Box;
}
export const MARK = '#c22f27';
const placesOf = ({ lanes }: Ground) => new Map(lanes.map((l, i) => [l.id, i]));

/** Draws the migrations between schedulers. */
export function drawLinks(g: Pen, ground: Ground, t: Table, colour: string) {
  const { window, boxOf } = ground;
  const place = placesOf(ground);
  const x = scaleX(window, boxOf(0));
  g.strokeStyle = colour;
  g.globalAlpha = Math.max(0.12, Math.min(0.55, 120 / Math.max(1, t.rows)));
  g.beginPath();
  for (let i = 0; i < t.rows; i++) {
    const at = t.num('at', i);
    const [a, b] = [place.get(t.num('from', i)), place.get(t.num('to', i))];
    if (at < window[0] || at > window[1] || a === undefined || b === undefined) continue;
    const [p, q] = [boxOf(a), boxOf(b)];
    g.moveTo(x(at) - 3, a < b ? p.y + p.h : p.y);
    g.lineTo(x(at), a < b ? q.y : q.y + q.h);
  }
  g.stroke();
  g.globalAlpha = 1;
}

/** From a moment in a lane to one in another: a message, or who woke whom. */
export interface Arrow {
  from: number;
  fromAt: number;
  to: number;
  toAt: number;
  woke: boolean;
}

/** Returns the messages of an answer as arrows between lanes. */
export function arrowsOf(t: Table | undefined, of: Ground['of']): Arrow[] {
  const [from, to] = of === 'process' ? ['from', 'to'] : ['from_scheduler', 'to_scheduler'];
  return Array.from({ length: t?.rows ?? 0 }, (_, i) => ({
    from: t!.num(from!, i),
    fromAt: t!.num('sent', i),
    to: t!.num(to!, i),
    toAt: t!.num('received', i),
    woke: false,
  }));
}

/** Returns the arrows of the selected slice or state: what woke it, what it received, sent and woke. */
export function arrowsAt(t: Table | null, of: Ground['of']): Arrow[] {
  const arrows: Arrow[] = [];
  for (let i = 1; t && i < t.rows; i++) {
    const relation = t.str('relation', i)!;
    const there = { lane: t.num(of === 'process' ? 'id' : 'other_scheduler', i), at: t.num('other_at', i) };
    const here = { lane: t.num(of === 'process' ? 'id' : 'scheduler', 0), at: t.num('at', i) };
    const woke = relation === 'woken_by' || relation === 'woke';
    if (relation === 'woken_by') here.at += t.num('dur', i);
    if (relation === 'woken_by' || relation === 'received')
      arrows.push({ from: there.lane, fromAt: there.at, to: here.lane, toAt: here.at, woke });
    if (relation === 'woke' || relation === 'sent')
      arrows.push({ from: here.lane, fromAt: here.at, to: there.lane, toAt: there.at, woke });
  }
  return arrows;
}

/** Returns the course of an arrow: between the near edges of two lanes, or above a lane. */
function courseOf(a: Point, b: Point, from: Box, to: Box): Point[] {
  if (from.y === to.y) return [a, { x: (a.x + b.x) / 2, y: from.y - 3 }, b];
  const down = from.y < to.y;
  return [
    { x: a.x, y: down ? from.y + from.h * 0.8 : from.y + from.h * 0.2 },
    { x: b.x, y: down ? to.y + 1 : to.y + to.h - 1 },
  ];
}

/** Draws arrows; those of wake-ups are dashed. */
export function drawArrows(g: Pen, ground: Ground, arrows: Arrow[], colour: string, wide: number) {
  const { lanes, window, boxOf } = ground;
  const place = placesOf(ground);
  const first = boxOf(0);
  const x = scaleX(window, first);
  g.save();
  g.beginPath();
  g.rect(first.x, AXIS - 4, first.w, boxOf(lanes.length - 1).y + first.h);
  g.clip();
  g.strokeStyle = g.fillStyle = colour;
  g.lineWidth = wide;
  for (const a of arrows) {
    const [from, to] = [place.get(a.from), place.get(a.to)];
    if (from === undefined || to === undefined || a.toAt < window[0] || a.fromAt > window[1]) continue;
    const [p, q] = [boxOf(from), boxOf(to)];
    const middle = (at: number, box: Box) => ({ x: x(at), y: box.y + box.h / 2 });
    const points = courseOf(middle(a.fromAt, p), middle(a.toAt, q), p, q);
    g.setLineDash(a.woke ? [4, 3] : []);
    drawCourse(g, points);
    g.setLineDash([]);
    drawHead(g, points, 5 + wide);
  }
  g.restore();
}

/** Draws a frame around the selected slice or state, in the lane of its process or of its scheduler. */
export function drawSelected(g: Pen, { lanes, of, window, boxOf }: Ground, t: Table, p: Palette) {
  const id = t.num(of === 'process' ? 'id' : 'scheduler', 0);
  const lane = lanes.findIndex((l) => l.id === id);
  const [start, end] = [t.num('at', 0), t.num('at', 0) + t.num('dur', 0)];
  if (lane < 0 || end < window[0] || start > window[1]) return;
  const box = boxOf(lane);
  const x = scaleX(window, box);
  const a = Math.max(box.x, x(start));
  const b = Math.min(box.x + box.w, Math.max(x(end), a + 2));
  g.strokeStyle = p.ink;
  g.lineWidth = 2;
  g.strokeRect(a - 1, box.y - 1, b - a + 2, box.h + 2);
  g.lineWidth = 1;
}

/** Returns the row of the mark of a lane within three pixels. */
export function markAt(t: Table, of: Ground['of'], lane: number, at: number, pixel: number): number | null {
  for (let i = 0; i < t.rows; i++)
    if (t.num(of, i) === lane && !Number.isNaN(t.num('process', i)) && Math.abs(t.num('at', i) - at) < 3 * pixel)
      return i;
  return null;
}

const MARK_ROOM = 40; // pixels on the mean, below which lines and texts of marks would hide what is under them
/** Whether the marks in view are too many for lines with texts: then they are ticks at the upper edge. */
export const areDense = (t: Table, window: Range, width: number) =>
  Array.from(t.nums('at')).filter((at) => at >= window[0] && at <= window[1]).length * MARK_ROOM > width;

/** Draws marks (`strobe:mark/1`): a line with the text, in the lane of the process or of the scheduler that made it. */
export function drawMarks(g: Pen, ground: Ground, t: Table) {
  const { lanes, of, window, boxOf } = ground;
  const place = placesOf(ground);
  const x = scaleX(window, boxOf(0));
  const dense = areDense(t, window, boxOf(0).w);
  const free = new Map<number, number>(); // the end of the previous text, by lane
  g.font = FONT;
  g.textAlign = 'left';
  g.textBaseline = 'middle';
  for (let i = 0; i < t.rows; i++) {
    const lane = place.get(t.num(of, i));
    const at = x(t.num('at', i));
    const nowhere = Number.isNaN(t.num(of, i)); // drawn over all lanes
    if ((lane === undefined && !nowhere) || t.num('at', i) < window[0] || t.num('at', i) > window[1]) continue;
    const [head, foot] = [boxOf(lane ?? 0), boxOf(lane ?? lanes.length - 1)];
    const box = { ...head, h: foot.y + foot.h - head.y };
    if (box.y < AXIS - box.h / 2) continue;
    g.fillStyle = MARK;
    g.fillRect(Math.round(at), box.y - 2, 1.5, dense ? 5 : box.h + 4);
    const text = t.str('text', i) ?? '';
    if (dense || at < (free.get(lane ?? -1) ?? -Infinity) || box.h < 10) continue;
    const width = g.measureText(text).width;
    g.fillRect(Math.round(at), box.y, width + 6, 13);
    g.fillStyle = '#fff';
    g.fillText(text, Math.round(at) + 3, box.y + 7);
    free.set(lane ?? -1, at + 10 + width);
  }
}
