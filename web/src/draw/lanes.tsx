// Lanes of schedulers or processes over time, on one canvas. The last answer is drawn at once for any range; the answer
// for a new range is requested meanwhile. Only visible lanes are drawn: the canvas is fixed while its lanes scroll
// past.
import type { ComponentChildren, RefObject } from 'preact';
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { at as moment, count, duration, percent } from '../lib/format';
import { functionName } from '../lib/names';
import type { Answer, Table } from '../lib/table';
import type { Range } from '../lib/window';
import { api } from '../state/data';
import { elixir } from '../state/info';
import { range, view } from '../state/place';
import { groupColours, palette, type Palette } from '../state/theme';
import { drawn } from '../state/settled';
import { useWindowed } from '../state/windowed';
import { whoIs } from '../state/people';
import type { TipContent } from '../state/tip';
import { AXIS, FONT, fit, scaleX, ticksOf, timeAxis, type Box } from './axis';
import {
  cellAt,
  cellsOf,
  coloursBy,
  drawLane,
  SHARED,
  shareOf,
  stateColours,
  STATES,
  UNKNOWN,
  type Cells,
} from './cells';
import { pixel, Raster } from './raster';
import { Stage, type Pen } from './stage';

export interface Lane {
  id: number;
  name: string;
  note?: string;
  stands?: boolean; // its name is emphasised
}

/** Returns the cells for the range and some time around it. */
export const useLanes = (of: 'scheduler' | 'process', ids: number[] | null) =>
  useWindowed(
    ({ from, to, pixels }) =>
      ids?.length === 0 ? null : api('lanes', { of, ids: ids?.join(), t0: from, t1: to, n: pixels }),
    [of, ids],
  );

/** The visible lanes, in steps of 32, for which cells are requested. */
export interface Sight {
  first: number;
  count: number;
  onSight: (first: number, last: number) => void;
}
export function useSight(lanes: number): Sight {
  const [at, set] = useState<[number, number]>([0, 64]);
  const onSight = useCallback((first: number, last: number) => {
    const next: [number, number] = [Math.floor(first / 32) * 32, Math.ceil((last + 1) / 32) * 32];
    set((old) => (old[0] === next[0] && old[1] === next[1] ? old : next));
  }, []);
  const first = Math.min(at[0], Math.max(0, lanes - 1));
  return { first, count: Math.min(lanes, at[1]) - first, onSight };
}

/** Returns the colour of a group: the nine that ran most have their own, the others are grey. */
export function groupColour(order: number[]): (group: number) => string {
  const colours = groupColours();
  const place = new Map(order.slice(0, 9).map((g, i) => [g, colours[i]!]));
  return (g) => place.get(g) ?? colours[9]!;
}

function hash(text: string): number {
  let h = 2166136261;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619);
  return h >>> 0;
}
export type ColourBy = 'group' | 'function' | 'state';

interface Props {
  answer: Answer | null;
  lanes: Lane[];
  height: number;
  left?: number;
  colourBy: ColourBy;
  groups: (group: number) => string;
  waits?: boolean;
  links?: boolean;
  fresh: () => boolean; // whether the answer is the one for the range
  onSight?: (first: number, last: number) => void;
  label: string;
}
const RIGHT = 8;
export const MARK = '#c22f27';
const NAMES_FROM = 11; // lower lanes have no room for a name

function useColours({ answer, colourBy, groups }: Props): Cells | null {
  const p = palette.value;
  const t = answer?.tables.cell;
  return useMemo(() => {
    if (!t) return null;
    const colours = groupColours();
    if (colourBy === 'state') return cellsOf(t, new Uint32Array(t.rows).fill(pixel(p.run)));
    if (colourBy === 'group') return cellsOf(t, coloursBy(t.nums('group'), groups));
    const f = t.column('function');
    return cellsOf(
      t,
      coloursBy(f.data, (text) => (text ? colours[hash(f.text![text]!) % 9]! : colours[9]!)),
    );
  }, [t, colourBy, groups, p]);
}

/** Returns the part of the lanes that is scrolled into view. */
function useScroll(lanes: number, height: number, onSight?: (first: number, last: number) => void) {
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const total = AXIS + lanes * height + 4;
  const room = Math.min(total, Math.max(240, innerHeight - 270));
  const first = Math.max(0, Math.floor(top / height));
  const last = Math.min(lanes - 1, Math.floor((top + room - AXIS) / height));
  useEffect(() => onSight?.(first, last), [first, last, onSight]);
  return {
    box,
    top: Math.min(top, total - room),
    total,
    room,
    first,
    last,
    onScroll: () => setTop(box.current!.scrollTop),
  };
}

export function Lanes(props: Props) {
  const { answer, lanes, height, left = 116, waits = false, links = false, onSight, fresh, label } = props;
  const [from, to] = range.value;
  const p = palette.value;
  const cells = useColours(props);
  const raster = useMemo(() => new Raster(), []);
  const fixed = useMemo(() => stateColours(p), [p]);
  const { box, top, total, room, first, last, onScroll } = useScroll(lanes.length, height, onSight);
  const gap = height > 14 ? 4 : height > 6 ? 2 : height > 3 ? 1 : 0;
  const boxOf = (i: number, w: number): Box => ({
    x: left,
    y: AXIS + i * height - top,
    w: w - left - RIGHT,
    h: height - gap,
  });

  const draw = useMemo(
    () => (g: Pen, w: number, h: number) => {
      const window: Range = [from, to];
      const k = g.getTransform().a;
      const [width, tall] = [Math.round((w - left - RIGHT) * k), Math.round((h - AXIS) * k)];
      raster.start(width, tall, pixel(p.panel));
      rasterTicks(raster, window, w - left - RIGHT, width, tall, pixel(p.line));
      for (let i = first; i <= last; i++) {
        const y = Math.round((i * height - top) * k);
        const lane = {
          x: 0,
          y,
          w: width,
          h: Math.round((height - gap) * k),
          least: Math.round(Math.min(2, height / 2) * k),
        };
        if (!waits) raster.rect(0, y, width, y + lane.h, fixed[UNKNOWN]!);
        if (cells) drawLane(raster, cells, lanes[i]!.id, window, lane, fixed, waits);
      }
      raster.put(g, Math.round(left * k), Math.round(AXIS * k));
      timeAxis(g, window, { x: left, y: AXIS, w: w - left - RIGHT, h: 0 }, p, 10);
      if (height >= NAMES_FROM) drawNames(g, lanes, first, last, left, (i) => boxOf(i, w), p);
      if (links && answer) drawLinks(g, answer.tables.migration!, lanes, window, (i) => boxOf(i, w), p.ink);
      drawn(fresh());
      if (answer) drawMarks(g, answer.tables.mark!, waits ? 'process' : 'scheduler', lanes, window, (i) => boxOf(i, w));
    },
    [from, to, p, cells, fixed, lanes, height, links, waits, top, first, last],
  );

  const laneAt = (y: number): Lane | undefined => (y < AXIS ? undefined : lanes[Math.floor((y - AXIS + top) / height)]);
  const find = (x: number, y: number, w: number): number | null => {
    const lane = laneAt(y);
    if (!lane || !cells || x < left) return null;
    const perPixel = (to - from) / (w - left - RIGHT);
    return cellAt(cells, lane.id, from + (x - left) * perPixel, perPixel);
  };
  const hover = (x: number, y: number, w: number) => {
    const row = find(x, y, w);
    const lane = laneAt(y);
    if (row !== null && cells) return describe(cells.table, row);
    return lane && (x < left || height < NAMES_FROM) ? { title: waits ? () => whoIs(lane.id) : lane.name } : null;
  };
  const click = (x: number, y: number, w: number) => {
    const row = find(x, y, w);
    const lane = laneAt(y);
    const who = row !== null && cells ? cells.table.num('process', row) : waits && lane ? lane.id : NaN;
    if (!Number.isNaN(who)) view('process', String(who));
  };
  const stage = (
    <Stage height={room} label={label} draw={draw} hover={hover} click={click} time={{ left, right: RIGHT }} />
  );
  if (room >= total) return stage;
  return (
    <Scrolled {...{ box, total, room, onScroll }} label={`${label}, ${lanes.length} lanes`}>
      {stage}
    </Scrolled>
  );
}

interface ScrolledProps {
  box: RefObject<HTMLDivElement | null>;
  total: number;
  room: number;
  onScroll: () => void;
  label: string;
  children: ComponentChildren;
}
function Scrolled({ box, total, room, onScroll, label, children }: ScrolledProps) {
  return (
    <div
      class="lanes"
      ref={box}
      style={{ height: `${room}px` }}
      onScroll={onScroll}
      tabIndex={0}
      role="group"
      aria-label={label}
    >
      <div style={{ height: `${total}px` }}>
        <div class="still">{children}</div>
      </div>
    </div>
  );
}

function rasterTicks(raster: Raster, [from, to]: Range, room: number, width: number, tall: number, colour: number) {
  for (const t of ticksOf([from, to], room)) {
    const x = Math.round(((t - from) / (to - from)) * width);
    raster.rect(x, 0, x + 1, tall, colour);
  }
}

function drawNames(
  g: Pen,
  lanes: Lane[],
  first: number,
  last: number,
  left: number,
  boxOf: (i: number) => Box,
  p: Palette,
) {
  g.font = FONT;
  g.textBaseline = 'middle';
  for (let i = first; i <= last; i++) {
    const lane = lanes[i]!;
    const box = boxOf(i);
    if (box.y < AXIS - box.h / 2) continue;
    const noteWidth = lane.note ? g.measureText(lane.note).width + 8 : 0;
    g.textAlign = 'left';
    g.fillStyle = lane.stands ? p.accent : p.soft;
    g.fillText(fit(g, lane.name, left - 12 - noteWidth), 2, box.y + box.h / 2);
    if (!lane.note) continue;
    g.textAlign = 'right';
    g.fillStyle = p.faint;
    g.fillText(lane.note, left - 8, box.y + box.h / 2);
  }
}

function describe(t: Table, row: number): TipContent {
  const who = t.num('process', row);
  const f = t.str('function', row);
  const shares = t.num('shares', row);
  const merged = !Number.isNaN(shares);
  const lines: [string, string][] = [];
  if (f) lines.push(['in', functionName(f, elixir.value)]);
  if (merged) {
    if (t.num('count', row) > 0) lines.push(['pieces', count(t.num('count', row))]);
    lines.push(['over', duration(t.num('end', row) - t.num('start', row))]);
    STATES.slice(0, SHARED).forEach((name, s) => {
      if (shareOf(shares, s) > 0) lines.push([name, percent(shareOf(shares, s))]);
    });
  } else {
    lines.push(
      ['state', STATES[t.num('state', row)] ?? ''],
      ['for', duration(t.num('end', row) - t.num('start', row))],
    );
  }
  lines.push(['from', moment(t.num('start', row))]);
  const mostly = merged && t.num('count', row) !== 1 ? 'mostly ' : '';
  return { title: () => mostly + (Number.isNaN(who) ? (merged ? 'several' : 'a port') : whoIs(who)), rows: lines };
}

function drawLinks(g: Pen, t: Table, lanes: Lane[], window: Range, boxOf: (i: number) => Box, colour: string) {
  const place = new Map(lanes.map((l, i) => [l.id, i]));
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

/** Draws marks (`strobe:mark/1`): a line with the text, in the lane of the process or of the scheduler that made it. */
function drawMarks(
  g: Pen,
  t: Table,
  of: 'process' | 'scheduler',
  lanes: Lane[],
  window: Range,
  boxOf: (i: number) => Box,
) {
  const place = new Map(lanes.map((l, i) => [l.id, i]));
  const x = scaleX(window, boxOf(0));
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
    g.fillRect(Math.round(at), box.y - 2, 1.5, box.h + 4);
    const text = t.str('text', i) ?? '';
    if (at < (free.get(lane ?? -1) ?? -Infinity) || box.h < 10) continue;
    const width = g.measureText(text).width;
    g.fillRect(Math.round(at), box.y, width + 6, 13);
    g.fillStyle = '#fff';
    g.fillText(text, Math.round(at) + 3, box.y + 7);
    free.set(lane ?? -1, at + 10 + width);
  }
}
