// Messages as a matrix of senders and receivers, for more of them than a graph can show. Darker is more.
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { palette, type Palette } from '../state/theme';
import type { TipContent } from '../state/tip';
import { FONT, fit } from './axis';
import { Stage, type Pen } from './stage';

export interface MatrixCell {
  from: number; // index into names
  to: number;
  value: number;
}
interface Props {
  names: { name: string; note: string }[];
  cells: MatrixCell[];
  label: string;
  tip: (c: MatrixCell) => TipContent;
  click: (c: MatrixCell) => void;
}
const SIDE_WITH_NAMES = 210;
const MOST_NAMED = 150;

/** Draws a name, cut to fit, and after it the note that distinguishes namesakes. */
function drawName(
  g: Pen,
  { name, note }: { name: string; note: string },
  p: Palette,
  room: number,
  x: number,
  y: number,
  turn: number,
) {
  g.save();
  g.translate(x, y);
  g.rotate(turn);
  g.textAlign = 'left';
  const behind = note ? g.measureText(note).width + 5 : 0;
  const text = fit(g, name, room - behind);
  const from = turn ? 0 : room - behind - g.measureText(text).width;
  g.fillStyle = p.soft;
  g.fillText(text, from, 0);
  g.fillStyle = p.faint;
  if (note) g.fillText(note, from + g.measureText(text).width + 5, 0);
  g.restore();
}

const both = ({ name, note }: { name: string; note: string }) => (note ? `${name} ${note}` : name);

export function Matrix({ names, cells, label, tip, click }: Props) {
  const p = palette.value;
  const n = Math.max(1, names.length);
  const room = useRef<HTMLDivElement>(null);
  const [wide, setWide] = useState(1000);
  useLayoutEffect(() => setWide(room.current!.clientWidth), []);
  const named = n <= MOST_NAMED; // names of smaller cells are in their tooltips
  const SIDE = named ? SIDE_WITH_NAMES : 28;
  const cell = Math.max(named ? 12 : 3, Math.min(26, Math.floor((wide - SIDE - 20) / n)));
  const most = cells.reduce((m, c) => Math.max(m, c.value), 1);
  const at = useMemo(() => new Map(cells.map((c) => [c.from * n + c.to, c])), [cells, n]);
  const draw = useMemo(
    () => (g: Pen, w: number) => {
      g.font = FONT;
      g.textBaseline = 'middle';
      g.fillStyle = p.unknown;
      g.fillRect(SIDE, SIDE, n * cell, n * cell);
      for (const c of cells) {
        g.globalAlpha = 0.18 + 0.82 * (Math.log1p(c.value) / Math.log1p(most));
        g.fillStyle = p.accent;
        g.fillRect(SIDE + c.to * cell, SIDE + c.from * cell, Math.max(1, cell - 1), Math.max(1, cell - 1));
      }
      g.globalAlpha = 1;
      if (named)
        names.forEach((n, i) => {
          drawName(g, n, p, SIDE - 8, 0, SIDE + (i + 0.5) * cell, 0);
          drawName(g, n, p, SIDE - 8, SIDE + (i + 0.5) * cell, SIDE - 6, -Math.PI / 2);
        });
      g.fillStyle = p.faint;
      g.textAlign = 'left';
      g.fillText('sender ↓   receiver →', Math.min(8, w), 12);
    },
    [names, cells, p, n, cell, most],
  );
  const find = (x: number, y: number) => {
    const [to, from] = [Math.floor((x - SIDE) / cell), Math.floor((y - SIDE) / cell)];
    return to < 0 || from < 0 || to >= n || from >= n ? null : { from, to, cell: at.get(from * n + to) };
  };
  return (
    <div style={{ overflow: 'auto', maxHeight: '70vh' }} ref={room} tabIndex={0} role="group" aria-label={label}>
      <div style={{ minWidth: `${SIDE + n * cell + 8}px` }}>
        <Stage
          height={SIDE + n * cell + 8}
          label={label}
          draw={draw}
          hover={(x, y) => {
            const at = find(x, y);
            return (
              at &&
              (at.cell ? tip(at.cell) : { title: `${both(names[at.from]!)} → ${both(names[at.to]!)}`, note: 'nothing' })
            );
          }}
          click={(x, y) => {
            const c = find(x, y)?.cell;
            if (c) click(c);
          }}
        />
      </div>
    </div>
  );
}
