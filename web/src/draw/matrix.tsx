// Who sends to whom as a matrix: for more nodes than a graph can show. Darker is more.
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { palette } from '../state/theme';
import type { TipContent } from '../ui/tip';
import { FONT, fit } from './axis';
import { Stage, type Pen } from './stage';

export interface MatrixCell {
  from: number; // index into names
  to: number;
  value: number;
}
interface Props {
  names: string[];
  cells: MatrixCell[];
  label: string;
  tip: (c: MatrixCell) => TipContent;
  click: (c: MatrixCell) => void;
}
const SIDE_WITH_NAMES = 150;

export function Matrix({ names, cells, label, tip, click }: Props) {
  const p = palette.value;
  const n = Math.max(1, names.length);
  const room = useRef<HTMLDivElement>(null);
  const [wide, setWide] = useState(1000);
  useLayoutEffect(() => setWide(room.current!.clientWidth), []);
  const cell = Math.max(3, Math.min(26, Math.floor(((n > 100 ? Math.min(wide, innerHeight) : wide) - SIDE_WITH_NAMES - 20) / n)));
  const SIDE = cell >= 10 ? SIDE_WITH_NAMES : 28;
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
      g.fillStyle = p.soft;
      if (cell >= 10)
        names.forEach((name, i) => {
          g.textAlign = 'right';
          g.fillText(fit(g, name, SIDE - 10), SIDE - 6, SIDE + (i + 0.5) * cell);
          g.save();
          g.translate(SIDE + (i + 0.5) * cell, SIDE - 6);
          g.rotate(-Math.PI / 2);
          g.textAlign = 'left';
          g.fillText(fit(g, name, SIDE - 10), 0, 0);
          g.restore();
        });
      g.fillStyle = p.faint;
      g.textAlign = 'left';
      g.fillText('sender ↓   receiver →', Math.min(8, w), 12);
    },
    [names, cells, p, n, cell, most],
  );
  const find = (x: number, y: number) => {
    const [to, from] = [Math.floor((x - SIDE) / cell), Math.floor((y - SIDE) / cell)];
    return to < 0 || from < 0 || to >= n || from >= n ? null : (at.get(from * n + to) ?? null);
  };
  return (
    <div style={{ overflow: 'auto', maxHeight: '70vh' }} ref={room} tabIndex={0} role="group" aria-label={label}>
      <Stage
        height={SIDE + n * cell + 8} label={label} draw={draw}
        hover={(x, y) => { const c = find(x, y); return c && tip(c); }}
        click={(x, y) => { const c = find(x, y); if (c) click(c); }}
      />
    </div>
  );
}
