// A flame graph of a call tree. A click zooms to a frame, which the address then holds.
import { useMemo } from 'preact/hooks';
import { amountOf, count, counted, percent } from '../lib/format';
import { moduleOf } from '../lib/names';
import type { Answer, Table } from '../lib/table';
import { elixir } from '../state/info';
import { own, place } from '../state/place';
import { groupColours, palette, theme, type Palette } from '../state/theme';
import type { TipContent } from '../state/tip';
import { FONT, fit } from './axis';
import { boxAt, focused, focusOf, found, frameName, layout, type Flame } from './flame';
import { Frames } from './frames';
import type { Pen } from './stage';

interface Props {
  answer: Answer;
  order: 'heavy' | 'time';
  find: string; // frames with this text in their name stand out
  focus: string; // the parameter of the address that holds the frame in focus
  upward?: boolean;
  waits?: boolean; // the time in which functions waited counts
  label: string;
}
export const ROW = 20;
const NARROWEST = 0.4; // pixels
const ROOM_FOR_NAME = 26;
const TALLEST = 900;

function hash(text: string): number {
  let h = 0;
  for (let i = 0; i < text.length; i++) h = (h * 31 + text.charCodeAt(i)) | 0;
  return Math.abs(h);
}

export interface Style {
  find: string;
  dark: boolean;
  p: Palette;
}

function colourOf(mfa: string, hit: boolean, p: Palette): string {
  if (hit) return p.ready;
  if (mfa === 'garbage_collect') return p.gc;
  return mfa.includes(':') ? groupColours()[hash(moduleOf(mfa)) % 9]! : p.wait;
}

/** Draws a frame in a row whose upper edge is at `y`; `share`: the filled part of its height. */
export function drawFrame(
  g: Pen,
  mfa: string,
  name: string,
  [x, y, width]: [number, number, number],
  style: Style,
  share = 1,
) {
  const hit = style.find !== '' && mfa.toLowerCase().includes(style.find);
  const other = style.find !== '' && !hit;
  const pseudo = !mfa.includes(':');
  g.fillStyle = colourOf(mfa, hit, style.p);
  g.globalAlpha = (other ? 0.25 : 1) * (hit || pseudo ? 1 : style.dark ? 0.78 : 0.72);
  const tall = Math.max(2, share * (ROW - 1.5));
  g.fillRect(x, y + ROW - 1.5 - tall, Math.max(0.6, width - 0.8), tall);
  if (width < ROOM_FOR_NAME) return;
  g.globalAlpha = other ? 0.5 : 1;
  g.fillStyle = pseudo || share < 0.7 ? style.p.ink : style.dark ? '#0b0e13' : '#10131a';
  g.fillText(fit(g, name, width - 9), x + 4, y + ROW / 2 - 0.5);
}

interface FlameStyle extends Style {
  upward: boolean;
  name: (row: number) => string;
}
function drawFlame(g: Pen, w: number, h: number, t: Table, flame: Flame, style: FlameStyle) {
  g.font = FONT;
  g.textBaseline = 'middle';
  g.textAlign = 'left';
  for (let n = 0; n < flame.boxes; n++) {
    const width = flame.width[n]! * w;
    if (width < NARROWEST) continue;
    const depth = flame.depth[n]!;
    const y = style.upward ? h - (depth + 1) * ROW - 3 : depth * ROW + 3;
    const row = flame.row[n]!;
    drawFrame(g, t.str('mfa', row) ?? '', style.name(row), [flame.left[n]! * w, y, width], style);
  }
  g.globalAlpha = 1;
}

/** How many frames match, what share they have, and steps from one to the next. */
function Hits({ t, value, find, root, focus, of }: HitsProps) {
  const hits = useMemo(() => found(t, find, value), [t, find, value]);
  const at = hits.outer.findIndex((row) => t.num('id', row) === root);
  const next = () => own(focus, focusOf(t, hits.outer[(at + 1) % hits.outer.length]!));
  return (
    <p class="body soft" style={{ margin: 0 }} role="status">
      {hits.frames ? (
        <>
          {counted(hits.frames, 'frame')} of the picture {hits.frames === 1 ? 'matches' : 'match'}: they have{' '}
          {hits.narrow && 'at least '}
          <b>{percent(hits.value / hits.total)}</b> of {of}{' '}
          <button type="button" class="button quiet" onClick={next}>
            {at < 0 ? 'Zoom to the heaviest' : `Next (${count(at + 1)} of ${count(hits.outer.length)})`}
          </button>
        </>
      ) : (
        'No frame of the picture matches'
      )}
    </p>
  );
}
interface HitsProps {
  t: Table;
  value: ArrayLike<number>;
  find: string;
  root: number; // the frame in focus
  focus: string;
  of: string;
}

export function FlameGraph({ answer, order, find, focus, upward = false, waits = true, label }: Props) {
  const t = answer.tables.call!;
  const sampled = Boolean(answer.meta.sampled);
  const root = focused(t, place.value.own[focus] ?? '');
  const value = t.nums(waits ? 'acc' : 'run');
  const flame = useMemo(() => layout(t, order, root, value), [t, order, root, value]);
  const p = palette.value;
  const dark = theme.value === 'dark';
  const height = Math.max(40, Math.min(TALLEST, (flame.deepest + 1) * ROW + 6));
  const draw = useMemo(() => {
    const name = (row: number) => frameName(answer, row, waits, elixir.value);
    const style = { find: find.toLowerCase(), upward, dark, name, p };
    return (g: Pen, w: number, h: number) => drawFlame(g, w, h, t, flame, style);
  }, [answer, waits, flame, p, find, upward, elixir.value, dark]);
  const rowAt = (x: number, y: number, w: number) => {
    const n = boxAt(flame, x / w, Math.floor((upward ? height - 3 - y : y - 3) / ROW));
    return n === null ? null : flame.row[n]!;
  };
  const amount = amountOf(sampled);
  const part = (v: number) => `${amount(v)} · ${percent(v / flame.total)}`;
  const tip = (row: number): TipContent => ({
    title: frameName(answer, row, waits, elixir.value),
    rows: [
      [waits || sampled ? 'total' : 'total, without waiting', part(value[row]!)],
      ...(t.num('more', row) ? [] : [['self', part(t.num('own', row))] as [string, string]]),
      ...(sampled ? [] : [['calls', count(t.num('calls', row))] as [string, string]]),
      ...(t.num('recursive', row) > 0
        ? [['folded recursive calls', count(t.num('recursive', row))] as [string, string]]
        : []),
    ],
    note: 'Click to zoom',
  });
  const all = sampled ? 'the samples' : waits ? 'all time' : 'the time';
  return (
    <>
      {find !== '' && <Hits {...{ t, value, find, root, focus }} of={all} />}
      <Frames {...{ t, root, focus, height, label, draw, rowAt, tip }} />
    </>
  );
}
