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
import { lanes as shown, select, selected, selectOn } from '../state/moment';
import { range, showsFlows, view } from '../state/place';
import { groupColours, palette, type Palette } from '../state/theme';
import { drawn } from '../state/settled';
import { useWindowed } from '../state/windowed';
import { whoIs } from '../state/people';
import type { TipContent } from '../state/tip';
import { AXIS, FONT, fit, ticksOf, timeAxis, type Box } from './axis';
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
import { areDense, arrowsAt, arrowsOf, drawArrows, drawLinks, drawMarks, drawSelected, markAt } from './over';
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

/** Tells the selection which processes have a lane. */
function useShown(lanes: Lane[], waits: boolean) {
  useEffect(() => {
    shown.value = waits ? lanes.map((l) => l.id) : null;
    return () => {
      shown.value = null;
    };
  }, [lanes, waits]);
}

/** The lane and the moment below the pointer, and the nanoseconds of a pixel. */
type Spot = (x: number, y: number, w: number) => { lane: Lane | undefined; at: number; pixel: number };

/** Returns what the pointer does: it names a cell, and selects what the process did then. */
function pointing({ answer, height, waits = false }: Props, cells: Cells | null, left: number, spot: Spot) {
  const find = (x: number, y: number, w: number) => {
    const { lane, at, pixel } = spot(x, y, w);
    return lane && cells && x >= left ? cellAt(cells, lane.id, at, pixel) : null;
  };
  const hover = (x: number, y: number, w: number): TipContent | null => {
    const row = find(x, y, w);
    const { lane } = spot(x, y, w);
    if (row !== null && cells) return describe(cells.table, row);
    return lane && (x < left || height < NAMES_FROM) ? { title: waits ? () => whoIs(lane.id) : lane.name } : null;
  };
  const click = (x: number, y: number, w: number) => {
    const { lane, at, pixel } = spot(x, y, w);
    if (!lane) return;
    if (x < left) return waits ? view('process', String(lane.id)) : undefined;
    const marks = answer?.tables.mark;
    const shown = marks && !areDense(marks, range.value, w - left) ? marks : null; // not as ticks
    const mark = shown ? markAt(shown, waits ? 'process' : 'scheduler', lane.id, at, pixel) : null;
    if (mark !== null) return select(marks!.num('process', mark), marks!.num('at', mark));
    const row = find(x, y, w);
    if (row === null || !cells) return waits ? select(lane.id, Math.round(at)) : undefined;
    const t = cells.table;
    const who = waits ? lane.id : t.num('process', row);
    const merged = !Number.isNaN(t.num('shares', row));
    const end = merged ? t.num('end', row) : null;
    if (!Number.isNaN(who)) select(who, t.num('start', row), end);
    else selectOn(lane.id, t.num('start', row), end);
  };
  return { hover, click };
}

export function Lanes(props: Props) {
  const { answer, lanes, height, left = 116, waits = false, links = false, onSight, fresh, label } = props;
  const [from, to] = range.value;
  const p = palette.value;
  const cells = useColours(props);
  const chosen = selected.value.table;
  useShown(lanes, waits);
  const flows = useMemo(
    () => (showsFlows() ? arrowsOf(answer?.tables.flow, waits ? 'process' : 'scheduler') : []),
    [answer, waits, showsFlows()],
  );
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
      const ground = { lanes, of: waits ? 'process' : 'scheduler', window, boxOf: (i: number) => boxOf(i, w) } as const;
      if (links && answer) drawLinks(g, ground, answer.tables.migration!, p.ink);
      if (flows.length) drawArrows(g, ground, flows, p.soft, 1);
      if (chosen?.rows) {
        drawSelected(g, ground, chosen, p);
        drawArrows(g, ground, arrowsAt(chosen, ground.of), p.ink, 1.5);
      }
      drawn(fresh());
      if (answer) drawMarks(g, ground, answer.tables.mark!);
    },
    [from, to, p, cells, fixed, lanes, height, links, flows, waits, top, first, last, chosen],
  );

  const { hover, click } = pointing(props, cells, left, (x, y, w) => {
    const pixel = (to - from) / (w - left - RIGHT);
    const lane = y < AXIS ? undefined : lanes[Math.floor((y - AXIS + top) / height)];
    return { lane, at: from + (x - left) * pixel, pixel };
  });
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
