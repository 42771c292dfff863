// The critical path over time: a lane for each process, a bar for each link, divided by what its time went to, and an
// arrow from the sender (or parent) to the process that the path continues with.
import { KINDS, type Kind } from '../lib/chain';
import type { Table } from '../lib/table';
import type { Range } from '../lib/window';
import type { Palette } from '../state/theme';
import { drawCourse, drawHead } from './arrow';
import { AXIS, FONT, fit, scaleX, timeAxis, type Box } from './axis';
import type { Pen } from './stage';

export const ROW = 26;
export const LEFT = 216;
export const RIGHT = 10;
const HEADS = 150; // arrows in view, above which they have no heads

export interface Chain {
  links: Table;
  lane: (row: number) => number; // of a link
  peerLane: (row: number) => number; // NaN: unknown
  names: string[]; // of the lanes
  chosen: number; // row, or -1
}
export const colourOf = (p: Palette): Record<Kind, string> => ({
  run: p.run,
  gc: p.gc,
  dirty: p.dirty,
  queue: p.ready,
  message: p.accent,
  timer: p.wait,
  port: p.handover,
  outside: p.strong,
  shutdown: p.faint,
  unknown: p.unknown,
});
export const boxOf = (w: number, lanes: number): Box => ({ x: LEFT, y: 4, w: w - LEFT - RIGHT, h: lanes * ROW });
export const heightOf = (lanes: number) => lanes * ROW + AXIS + 6;

const middle = (box: Box, lane: number) => box.y + lane * ROW + ROW / 2;

function bar(g: Pen, c: Chain, i: number, box: Box, x: (t: number) => number, colour: Record<Kind, string>) {
  const [start, dur] = [c.links.num('start', i), c.links.num('dur', i)];
  const from = Math.max(box.x, x(start));
  const to = Math.min(box.x + box.w, Math.max(x(start + dur), x(start) + 1));
  if (to <= box.x || from >= box.x + box.w) return;
  let y = box.y + c.lane(i) * ROW + 4;
  for (const kind of KINDS) {
    const h = dur ? ((ROW - 8) * c.links.num(`${kind}_ns`, i)) / dur : 0;
    g.fillStyle = colour[kind];
    if (h > 0) g.fillRect(from, y, to - from, h);
    y += h;
  }
}

function line(g: Pen, x: number, from: number, to: number, head: boolean) {
  const points = [
    { x, y: from },
    { x, y: to },
  ];
  drawCourse(g, points);
  if (head) drawHead(g, points, Math.min(7, Math.abs(to - from) * 0.8));
}

/** Draws how the path came to link `i`: an arrow from a known peer, else a dashed line from the link before. */
function arrival(g: Pen, c: Chain, i: number, box: Box, px: number, head: boolean) {
  const to = c.lane(i);
  const peer = c.peerLane(i);
  const before = i > 0 && c.links.num('id', i) === c.links.num('id', i - 1) + 1 ? c.lane(i - 1) : NaN;
  const from = Number.isNaN(peer) ? before : peer;
  if (Number.isNaN(from) || from === to) return;
  const edge = (ROW / 2 - 4) * Math.sign(to - from);
  g.setLineDash(Number.isNaN(peer) ? [2, 3] : []);
  line(g, px, middle(box, from) + edge, middle(box, to) - edge, head && !Number.isNaN(peer));
  g.setLineDash([]);
}

export function drawChain(g: Pen, c: Chain, window: Range, w: number, p: Palette) {
  const box = boxOf(w, c.names.length);
  const x = scaleX(window, box);
  g.font = FONT;
  g.textBaseline = 'middle';
  for (let lane = 0; lane < c.names.length; lane++) {
    g.fillStyle = lane % 2 ? p.panel : p.paper;
    g.fillRect(box.x, box.y + lane * ROW, box.w, ROW);
    g.fillStyle = p.ink;
    g.textAlign = 'left';
    g.fillText(fit(g, c.names[lane]!, LEFT - 14), 4, middle(box, lane));
  }
  timeAxis(g, window, box, p, box.y + box.h + AXIS / 2 + 2);
  const colour = colourOf(p);
  const visible = (i: number) =>
    c.links.num('start', i) <= window[1] && c.links.num('start', i) + c.links.num('dur', i) >= window[0];
  const rows = Array.from({ length: c.links.rows }, (_, i) => i).filter(visible);
  const head = rows.length <= HEADS;
  g.lineWidth = 1;
  g.strokeStyle = g.fillStyle = p.soft;
  g.globalAlpha = head ? 0.85 : Math.max(0.04, 0.25 * (HEADS / rows.length));
  for (const i of rows) {
    const px = x(c.links.num('start', i));
    if (px >= box.x && px <= box.x + box.w && i !== c.chosen) arrival(g, c, i, box, px, head);
  }
  g.globalAlpha = 1;
  for (const i of rows) bar(g, c, i, box, x, colour);
  if (c.chosen >= 0 && visible(c.chosen)) drawChosen(g, c, box, x, p);
}

function drawChosen(g: Pen, c: Chain, box: Box, x: (t: number) => number, p: Palette) {
  const start = c.links.num('start', c.chosen);
  const from = Math.max(box.x, x(start));
  const to = Math.min(box.x + box.w, Math.max(x(start + c.links.num('dur', c.chosen)), x(start) + 2));
  g.strokeStyle = g.fillStyle = p.accent;
  g.lineWidth = 2;
  g.strokeRect(from - 1, box.y + c.lane(c.chosen) * ROW + 2, to - from + 2, ROW - 4);
  if (x(start) >= box.x) arrival(g, c, c.chosen, box, x(start), true);
  g.lineWidth = 1;
}

/** Returns the row of the link at a point, or the nearest within three pixels; -1: none. */
export function linkAt(c: Chain, window: Range, w: number, px: number, py: number): number {
  const box = boxOf(w, c.names.length);
  const lane = Math.floor((py - box.y) / ROW);
  const x = scaleX(window, box);
  let [best, near] = [-1, 3];
  for (let i = 0; i < c.links.rows; i++) {
    if (c.lane(i) !== lane) continue;
    const [from, to] = [x(c.links.num('start', i)), x(c.links.num('start', i) + c.links.num('dur', i))];
    const away = Math.max(from - px, px - to, 0);
    if (away < near) [best, near] = [i, away];
  }
  return best;
}
