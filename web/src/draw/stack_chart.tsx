// Stacks over time on the axis of the lanes: the boxes of stacks.ts.
import { useMemo } from 'preact/hooks';
import { at as moment, count, duration, percent } from '../lib/format';
import { functionName } from '../lib/names';
import type { Table } from '../lib/table';
import { elixir } from '../state/info';
import { whoIs } from '../state/people';
import { range } from '../state/place';
import { palette, theme } from '../state/theme';
import type { TipContent } from '../state/tip';
import { AXIS, FONT, scaleX, timeAxis } from './axis';
import { drawFrame, ROW, type Style } from './flame_graph';
import { Stage, type Insets, type Pen } from './stage';
import { boxOver, rowsOf } from './stacks';

interface Props {
  boxes: Table;
  sampled: boolean;
  left: number; // as of the lanes above
  click: (row: number, at: number) => void;
  label: string;
}
const RIGHT = 8;
export const MOST_ROWS = 48;

function drawBoxes(g: Pen, t: Table, window: [number, number], { left, right }: Insets, w: number, style: Style) {
  const box = { x: left, y: AXIS, w: w - left - right, h: 0 };
  const x = scaleX(window, box);
  const painted: number[] = []; // by depth: the pixel up to which it is
  const named: boolean[] = []; // by depth: a row of one function has its name once
  const names: [string, number, number][] = [];
  const [start, dur, depth, share] = [t.nums('start'), t.nums('dur'), t.nums('depth'), t.nums('share')];
  g.save();
  g.beginPath();
  g.rect(left, 0, box.w, 1e5);
  g.clip();
  g.font = FONT;
  g.textBaseline = 'middle';
  g.textAlign = 'left';
  for (let i = 0; i < t.rows; i++) {
    if (depth[i]! >= MOST_ROWS || start[i]! > window[1] || start[i]! + dur[i]! < window[0]) continue;
    const from = Math.max(left, x(start[i]!));
    const to = Math.min(w - right, Math.max(x(start[i]! + dur[i]!), from + 2));
    const d = depth[i]!;
    if (to <= (painted[d] ?? 0)) continue; // in a pixel that is painted
    painted[d] = Math.ceil(to);
    const mfa = t.str('function', i) ?? 'unknown';
    const name = functionName(mfa, elixir.value);
    const y = AXIS + d * ROW;
    const joined = share[i]! < 1e6;
    drawFrame(g, mfa, joined ? '' : name, [from, y, to - from], style, share[i]! / 1e6);
    if (!joined || named[d]) continue;
    named[d] = true;
    names.push([name, from + 4, y + ROW / 2]);
  }
  g.globalAlpha = 1;
  for (const [name, at, y] of names) {
    g.fillStyle = style.p.panel;
    g.fillRect(at - 3, y - 8, g.measureText(name).width + 6, 15);
    g.fillStyle = style.p.ink;
    g.fillText(name, at, y);
  }
  g.restore();
}

export function StackChart({ boxes: t, sampled, left, click, label }: Props) {
  const [from, to] = range.value;
  const p = palette.value;
  const dark = theme.value === 'dark';
  const draw = useMemo(
    () => (g: Pen, w: number, h: number) => {
      const axis = { x: left, y: AXIS, w: w - left - RIGHT, h: h - AXIS };
      timeAxis(g, [from, to], axis, p, 10);
      drawBoxes(g, t, [from, to], { left, right: RIGHT }, w, { find: '', dark, p });
    },
    [t, from, to, left, p, dark, elixir.value],
  );
  const rowAt = (x: number, y: number, w: number) => {
    const pixel = (to - from) / (w - left - RIGHT);
    const at = from + (x - left) * pixel;
    return { at, row: x < left ? null : boxOver(t, Math.floor((y - AXIS) / ROW), at, 2 * pixel) };
  };
  const tip = (i: number): TipContent => {
    const [share, process] = [t.num('share', i) / 1e6, t.num('process', i)];
    return {
      title: functionName(t.str('function', i), elixir.value),
      rows: [
        [sampled ? 'samples' : 'calls', count(t.num('count', i))],
        [sampled ? 'between them' : 'over', duration(t.num('dur', i))],
        ...(share < 1 ? [['of that on the stack', percent(share)] as [string, string]] : []),
        ['from', moment(t.num('start', i))],
        ...(Number.isNaN(process) ? [] : [['process', whoIs(process)] as [string, string]]),
      ],
    };
  };
  return (
    <Stage
      height={AXIS + Math.min(MOST_ROWS, rowsOf(t)) * ROW + 4}
      label={label}
      draw={draw}
      hover={(x, y, w) => {
        const { row } = rowAt(x, y, w);
        return row === null ? null : tip(row);
      }}
      click={(x, y, w) => {
        const { row, at } = rowAt(x, y, w);
        if (row !== null) click(row, at);
      }}
      time={{ left, right: RIGHT }}
    />
  );
}
