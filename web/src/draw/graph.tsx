// A graph of boxes and arrows, laid out by dagre, drawn on a canvas as large as it needs, scaled to fit.
import dagre from '@dagrejs/dagre';
import { useMemo } from 'preact/hooks';
import { palette } from '../state/theme';
import type { TipContent } from '../ui/tip';
import { FONT, fit } from './axis';
import { Stage, type Pen } from './stage';

export interface GraphNode {
  id: string;
  lines: string[]; // the first is its name
  colour: string;
  weight: number; // 0..1: how much stands out
}
export interface GraphEdge {
  from: string;
  to: string;
  text: string;
  weight: number; // 0..1: how thick
}
interface Props {
  nodes: GraphNode[];
  edges: GraphEdge[];
  tree?: boolean; // laid out as a forest
  label: string;
  tip: (id: string) => TipContent;
  click: (id: string) => void;
}
const [WIDTH, LINE] = [192, 15];
const READABLE = 0.9; // smaller is not drawn: it scrolls

export interface Place {
  x: number;
  y: number;
  width: number;
  height: number;
}
interface Arranged {
  width: number;
  height: number;
  node: (id: string) => Place;
  path: (e: GraphEdge) => { x: number; y: number }[];
  label: (e: GraphEdge) => { x: number; y: number };
}

/** A forest from left to right: a parent stands beside its first child, so that roots are where reading starts. */
export function forest(nodes: GraphNode[], edges: GraphEdge[]): Arranged {
  const below = new Map<string, string[]>();
  const inner = new Set(edges.map((e) => e.to));
  for (const e of edges) below.set(e.from, [...(below.get(e.from) ?? []), e.to]);
  const places = new Map<string, Place>();
  const tall = new Map(nodes.map((n) => [n.id, 12 + n.lines.length * LINE]));
  let [y, right] = [12, 0];
  const put = (id: string, depth: number) => {
    const height = tall.get(id)!;
    const place = { x: 12 + WIDTH / 2 + depth * (WIDTH + 56), y: y + height / 2, width: WIDTH, height };
    places.set(id, place);
    right = Math.max(right, place.x + WIDTH / 2);
    const children = below.get(id) ?? [];
    children.forEach((child, i) => {
      if (i) y += 10;
      if (!places.has(child)) put(child, depth + 1);
    });
    if (!children.length) y += height;
  };
  nodes.filter((n) => !inner.has(n.id)).forEach((n, i) => {
    if (i) y += 14;
    put(n.id, 0);
  });
  const path = (e: GraphEdge) => {
    const [a, b] = [places.get(e.from)!, places.get(e.to)!];
    const middle = b.x - WIDTH / 2 - 28;
    return [{ x: a.x + WIDTH / 2, y: a.y }, { x: middle, y: a.y }, { x: middle, y: b.y }, { x: b.x - WIDTH / 2, y: b.y }];
  };
  return { width: right + 12, height: y + 12, node: (id) => places.get(id)!, path, label: (e) => path(e)[1]! };
}

function layered(nodes: GraphNode[], edges: GraphEdge[]): Arranged {
  const g = new dagre.graphlib.Graph({ multigraph: false });
  g.setGraph({ rankdir: 'LR', nodesep: 14, ranksep: 46, marginx: 12, marginy: 12, ranker: nodes.length > 120 ? 'longest-path' : 'network-simplex' });
  g.setDefaultEdgeLabel(() => ({}));
  for (const n of nodes) g.setNode(n.id, { width: WIDTH, height: 12 + n.lines.length * LINE });
  for (const e of edges) if (e.from !== e.to) g.setEdge(e.from, e.to, e.text ? { width: 8 + 6.2 * e.text.length, height: 14, labelpos: 'c' } : {});
  dagre.layout(g);
  const size = g.graph() as { width?: number; height?: number };
  return { width: size.width ?? 1, height: size.height ?? 1, node: (id) => g.node(id) as Place, path: (e) => (g.edge(e.from, e.to) as { points: { x: number; y: number }[] }).points, label: (e) => g.edge(e.from, e.to) as unknown as { x: number; y: number } };
}

export function Graph({ nodes, edges, tree = false, label, tip, click }: Props) {
  const p = palette.value;
  const g = useMemo(() => (tree ? forest(nodes, edges) : layered(nodes, edges)), [nodes, edges, tree]);
  const { width, height } = g;
  const scale = (w: number) => Math.max(READABLE, Math.min(1, w / width));
  const draw = useMemo(
    () => (pen: Pen, w: number) => {
      const k = scale(w);
      pen.translate(tree ? 0 : (w - width * k) / 2, 0);
      pen.scale(k, k);
      pen.font = FONT;
      pen.textBaseline = 'middle';
      pen.textAlign = 'center';
      for (const e of edges) if (e.from !== e.to) drawEdge(pen, e, g, tree, p.soft, p.panel);
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
    <div style={{ overflow: 'auto', maxHeight: '68vh' }} tabIndex={0} role="group" aria-label={label}>
      <div style={{ minWidth: `${Math.ceil(width * READABLE)}px` }}>
        <Stage
          height={Math.ceil(height)} label={label} draw={draw}
          hover={(x, y, w) => { const id = find(x, y, w); return id === null ? null : tip(id); }}
          click={(x, y, w) => { const id = find(x, y, w); if (id !== null) click(id); }}
        />
      </div>
    </div>
  );
}

function drawEdge(pen: Pen, e: GraphEdge, g: Arranged, straight: boolean, colour: string, ground: string) {
  const points = g.path(e);
  const [first, last] = [points[0]!, points[points.length - 1]!];
  pen.strokeStyle = pen.fillStyle = colour;
  pen.globalAlpha = 0.35 + 0.5 * e.weight;
  pen.lineWidth = 0.8 + 3 * e.weight;
  pen.beginPath();
  pen.moveTo(first.x, first.y);
  if (straight) for (const point of points) pen.lineTo(point.x, point.y);
  for (let i = 0; !straight && i < points.length - 1; i++) {
    // a curve through all points, so that the text stands on it
    const [p, q] = [points[i]!, points[i + 1]!];
    const [before, after] = [points[i - 1] ?? p, points[i + 2] ?? q];
    pen.bezierCurveTo(p.x + (q.x - before.x) / 6, p.y + (q.y - before.y) / 6, q.x - (after.x - p.x) / 6, q.y - (after.y - p.y) / 6, q.x, q.y);
  }
  pen.stroke();
  const before = points[points.length - 2] ?? first;
  const angle = Math.atan2(last.y - before.y, last.x - before.x);
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
