// A graph of boxes and arrows (arrange.ts says where they stand), drawn on a canvas as large as it needs, scaled to fit.
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { palette } from '../state/theme';
import type { TipContent } from '../ui/tip';
import { clustered, forest, layered, LINE, WIDTH, type Arranged, type GraphEdge, type GraphNode, type Place } from './arrange';
import { FONT, fit } from './axis';
import { Stage, type Pen } from './stage';

interface Props {
  nodes: GraphNode[];
  edges: GraphEdge[];
  tree?: boolean; // laid out as a forest
  layers?: number; // with more boxes than that they are larger than any screen
  label: string;
  tip: (id: string) => TipContent;
  click: (id: string) => void;
}
const READABLE = 0.78; // smaller is not drawn: it scrolls

export function Graph({ nodes, edges, tree = false, layers = 60, label, tip, click }: Props) {
  const p = palette.value;
  const g = useMemo(() => (tree ? forest(nodes, edges) : nodes.length > layers ? clustered(nodes, edges) : layered(nodes, edges)), [nodes, edges, tree, layers]);
  const { width, height } = g;
  const frame = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(1000);
  useLayoutEffect(() => setRoom(frame.current!.clientWidth), []);
  const scale = (w: number) => Math.max(READABLE, Math.min(1, w / width));
  const draw = useMemo(
    () => (pen: Pen, w: number) => {
      const k = scale(w);
      pen.translate(tree ? 0 : (w - width * k) / 2, 0);
      pen.scale(k, k);
      pen.font = FONT;
      pen.textBaseline = 'middle';
      pen.textAlign = 'center';
      const shown = edges.filter((e) => e.from !== e.to);
      if (g.faint) drawFaint(pen, shown.filter(g.faint), g, p.soft);
      for (const e of shown) if (!g.faint?.(e)) drawEdge(pen, e, g, tree || g.faint !== undefined, p.soft, p.panel);
      for (const n of nodes) {
        const b = g.node(n.id);
        pen.fillStyle = p.panel;
        pen.strokeStyle = n.colour;
        pen.lineWidth = 1 + 1.5 * n.weight;
        pen.beginPath();
        pen.roundRect(b.x - b.width / 2, b.y - b.height / 2, b.width, b.height, 7);
        pen.fill();
        pen.stroke();
        pen.fillStyle = n.colour;
        pen.globalAlpha = 0.16;
        pen.fillRect(b.x - b.width / 2 + 1, b.y - b.height / 2 + 1, (b.width - 2) * n.weight, b.height - 2);
        pen.globalAlpha = 1;
        n.lines.forEach((text, i) => {
          pen.fillStyle = i ? p.faint : p.ink;
          pen.fillText(fit(pen, text, WIDTH - 14), b.x, b.y - ((n.lines.length - 1) * LINE) / 2 + i * LINE);
        });
      }
      pen.lineWidth = 1;
    },
    [g, nodes, edges, p, width],
  );
  const find = (x: number, y: number, w: number): string | null => {
    const k = scale(w);
    const [gx, gy] = [(x - (tree ? 0 : (w - width * k) / 2)) / k, y / k];
    for (const n of nodes) {
      const b = g.node(n.id);
      if (Math.abs(gx - b.x) <= b.width / 2 && Math.abs(gy - b.y) <= b.height / 2) return n.id;
    }
    return null;
  };
  return (
    <div ref={frame} style={{ overflow: 'auto', maxHeight: '68vh' }} tabIndex={0} role="group" aria-label={label}>
      <div style={{ minWidth: `${Math.ceil(width * READABLE)}px` }}>
        <Stage
          height={Math.ceil(height * scale(room))} label={label} draw={draw}
          hover={(x, y, w) => { const id = find(x, y, w); return id === null ? null : tip(id); }}
          click={(x, y, w) => { const id = find(x, y, w); if (id !== null) click(id); }}
        />
      </div>
    </div>
  );
}

function drawFaint(pen: Pen, edges: GraphEdge[], g: Arranged, colour: string) {
  pen.strokeStyle = colour;
  pen.globalAlpha = Math.max(0.06, Math.min(0.25, 40 / Math.max(1, edges.length)));
  pen.lineWidth = 1;
  pen.beginPath();
  for (const e of edges) {
    const [a, b] = [g.node(e.from), g.node(e.to)];
    pen.moveTo(a.x, a.y);
    pen.lineTo(b.x, b.y);
  }
  pen.stroke();
  pen.globalAlpha = 1;
}

/** An edge leaves its box at the side it goes to, in the middle, and comes in level: no curve cuts through a box. */
function ports(e: GraphEdge, g: Arranged): { x: number; y: number }[] {
  const [a, b] = [g.node(e.from), g.node(e.to)];
  const inner = g.path(e).slice(1, -1);
  const side = (n: Place, right: boolean) => ({ x: n.x + (right ? n.width : -n.width) / 2, y: n.y });
  const forth = a.x <= b.x;
  return [side(a, forth), ...inner, side(b, !forth)];
}

function drawEdge(pen: Pen, e: GraphEdge, g: Arranged, straight: boolean, colour: string, ground: string) {
  const points = straight ? g.path(e) : ports(e, g);
  const [first, last] = [points[0]!, points[points.length - 1]!];
  pen.strokeStyle = pen.fillStyle = colour;
  pen.globalAlpha = 0.35 + 0.5 * e.weight;
  pen.lineWidth = 0.8 + 3 * e.weight;
  pen.beginPath();
  pen.moveTo(first.x, first.y);
  if (straight) for (const point of points) pen.lineTo(point.x, point.y);
  for (let i = 0; !straight && i < points.length - 1; i++) {
    const [p, q] = [points[i]!, points[i + 1]!]; // through all points, level at each
    const middle = (p.x + q.x) / 2;
    pen.bezierCurveTo(middle, p.y, middle, q.y, q.x, q.y);
  }
  pen.stroke();
  const angle = points[points.length - 2]!.x <= last.x ? 0 : Math.PI;
  const size = 5 + 2 * e.weight;
  pen.beginPath();
  pen.moveTo(last.x, last.y);
  pen.lineTo(last.x - size * Math.cos(angle - 0.45), last.y - size * Math.sin(angle - 0.45));
  pen.lineTo(last.x - size * Math.cos(angle + 0.45), last.y - size * Math.sin(angle + 0.45));
  pen.fill();
  pen.globalAlpha = 1;
  if (!e.text) return;
  const mid = g.label(e);
  const w = pen.measureText(e.text).width;
  pen.fillStyle = ground;
  pen.fillRect(mid.x - w / 2 - 2, mid.y - 7, w + 4, 14);
  pen.fillStyle = colour;
  pen.fillText(e.text, mid.x, mid.y);
}
