// A graph of boxes and arrows that can be dragged and zoomed. This is a script of its own: draw/graph.tsx.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { edition } from '../../state/edition';
import { palette, type Palette } from '../../state/theme';
import type { GraphProps } from '../graph';
import { layered } from './layers';
import { clustered, forest, LINE, WIDTH, type Arranged, type GraphEdge, type GraphNode } from './arrange';
import { FONT, fit } from '../axis';
import { drawCourse, drawHead, type Point } from '../arrow';
import { course, nearestEdge } from './edges';
import { drawMap, miniMap, onMap, type View } from './minimap';
import { Stage, type Pen } from '../stage';

const READABLE = 0.7; // below this scale only a part is shown at first
const [LEAST, MOST] = [0.05, 3];
const STEP = 1.25;

const whole = (g: Arranged, w: number, h: number): View => {
  const k = Math.max(LEAST, Math.min(1, w / g.width, h / g.height));
  return { k, dx: (w - g.width * k) / 2, dy: Math.max(0, (h - g.height * k) / 2) };
};
/** Returns the first view: all of the graph if that is readable, else the root of a tree, or the surroundings of the
    heaviest box. */
function start(g: Arranged, nodes: GraphNode[], tree: boolean, w: number, h: number): View {
  const all = whole(g, w, h);
  if (all.k >= READABLE || !nodes.length) return tree ? { ...all, dx: 0, dy: 0 } : all;
  if (tree) return { k: 1, dx: 0, dy: 0 };
  const heaviest = nodes.reduce((a, b) => (b.weight > a.weight ? b : a));
  const { x, y } = g.node(heaviest.id);
  const inside = (room: number, size: number, at: number) =>
    size <= room ? (room - size) / 2 : Math.min(0, Math.max(room - size, room / 2 - at));
  return { k: 1, dx: inside(w, g.width, x), dy: inside(h, g.height, y) };
}
const zoomed = (v: View, factor: number, x: number, y: number): View => {
  const k = Math.min(MOST, Math.max(LEAST, v.k * factor));
  return { k, dx: x - ((x - v.dx) * k) / v.k, dy: y - ((y - v.dy) * k) / v.k };
};

/** Returns the width of an element, and a reference to attach to it. */
function useWidth() {
  const frame = useRef<HTMLDivElement>(null);
  const [wide, setWide] = useState(0);
  useLayoutEffect(() => {
    const size = new ResizeObserver(([entry]) => setWide(Math.floor(entry!.contentRect.width)));
    setWide(frame.current!.clientWidth);
    size.observe(frame.current!);
    return () => size.disconnect();
  }, []);
  return { frame, wide };
}

/** Returns the part of the graph on the screen, and what moves it. */
function useView(g: Arranged, nodes: GraphNode[], tree: boolean, wide: number, tall: number) {
  const [at, setAt] = useState<View | null>(null);
  const seen = useRef(edition.value);
  useEffect(() => {
    if (seen.current === edition.value) setAt(null); // another graph, not the same one of the next edition
    seen.current = edition.value;
  }, [g]);
  const view = useMemo(() => at ?? start(g, nodes, tree, wide || 1000, tall), [at, g, nodes, tree, wide, tall]);
  const move = (dx: number, dy: number) =>
    setAt((v) => ({ ...(v ?? view), dx: (v ?? view).dx + dx, dy: (v ?? view).dy + dy }));
  const zoom = (factor: number, x = wide / 2, y = tall / 2) => setAt((v) => zoomed(v ?? view, factor, x, y));
  const centre = ({ x, y }: Point) => setAt({ ...view, dx: wide / 2 - view.k * x, dy: tall / 2 - view.k * y });
  return { view, move, zoom, centre, fit: () => setAt(whole(g, wide, tall)) };
}

function keyPress(e: KeyboardEvent, { move, zoom, fit }: ReturnType<typeof useView>) {
  const KEYS: Record<string, () => void> = {
    ArrowLeft: () => move(60, 0),
    ArrowRight: () => move(-60, 0),
    ArrowUp: () => move(0, 60),
    ArrowDown: () => move(0, -60),
    '+': () => zoom(STEP),
    '=': () => zoom(STEP),
    '-': () => zoom(1 / STEP),
    '0': fit,
  };
  const act = KEYS[e.key];
  if (!act || e.ctrlKey || e.metaKey || e.altKey) return;
  e.preventDefault();
  e.stopPropagation(); // elsewhere these keys move the time range
  act();
}

function ZoomButtons({ zoom, fit }: ReturnType<typeof useView>) {
  return (
    <div class="choice" role="group" aria-label="Zoom">
      <button type="button" onClick={() => zoom(1 / STEP)} aria-label="Zoom out">
        −
      </button>
      <button type="button" onClick={() => zoom(STEP)} aria-label="Zoom in">
        +
      </button>
      <button type="button" onClick={fit}>
        Fit
      </button>
    </div>
  );
}

function Graph({ layers = 60, ...rest }: GraphProps) {
  const { nodes, edges, tree } = rest;
  const inLayers = !tree && nodes.length <= layers;
  const g = useMemo(
    () => (tree ? forest(nodes, edges) : inLayers ? layered(nodes, edges) : clustered(nodes, edges)),
    [nodes, edges, tree, inLayers],
  );
  return <Drawn g={g} {...rest} />;
}
globalThis.strobeGraph = Graph;

function Drawn({
  g,
  nodes,
  edges,
  tree = false,
  label,
  tip,
  edgeTip,
  click,
}: Omit<GraphProps, 'layers'> & { g: Arranged }) {
  const p = palette.value;
  const { frame, wide } = useWidth();
  const tall = Math.ceil(
    Math.max(80, Math.min(0.66 * innerHeight, g.height * (wide ? Math.max(READABLE, Math.min(1, wide / g.width)) : 1))),
  );
  const window = useView(g, nodes, tree, wide, tall);
  const { view } = window;
  const shown = useMemo(() => edges.filter((e) => e.from !== e.to), [edges]);
  const courses = useMemo(
    () => new Map(shown.map((e) => [e, course(e, g, tree || g.faint !== undefined)])),
    [shown, g, tree],
  );
  const map = miniMap(g, view, { wide, tall });
  const draw = useMemo(
    () => (pen: Pen) => {
      pen.save();
      pen.translate(view.dx, view.dy);
      pen.scale(view.k, view.k);
      drawGraph(pen, nodes, shown, courses, g, p);
      pen.restore();
      if (map) drawMap(pen, nodes, g, map, view, { wide, tall }, p);
    },
    [g, nodes, shown, courses, p, view, wide, tall],
  );
  const place = (x: number, y: number): Point => ({ x: (x - view.dx) / view.k, y: (y - view.dy) / view.k });
  const find = ({ x, y }: Point): string | null => {
    for (const n of nodes) {
      const b = g.node(n.id);
      if (Math.abs(x - b.x) <= b.width / 2 && Math.abs(y - b.y) <= b.height / 2) return n.id;
    }
    return null;
  };
  return (
    <div
      class="graph"
      ref={frame}
      tabIndex={0}
      role="group"
      aria-label={`${label}: drag to move, Ctrl and the wheel to zoom`}
      onKeyDown={(e) => keyPress(e, window)}
    >
      <ZoomButtons {...window} />
      <Stage
        height={tall}
        label={label}
        draw={draw}
        grab={{ move: window.move, zoom: window.zoom }}
        hover={(x, y) => {
          if (onMap(g, map, x, y)) return { title: 'The whole graph: click to go there' };
          const here = place(x, y);
          const id = find(here);
          if (id !== null) return tip(id);
          const edge = edgeTip && nearestEdge(courses, here, 7 / view.k);
          return edge ? edgeTip(edge) : null;
        }}
        click={(x, y) => {
          const there = onMap(g, map, x, y);
          if (there) return window.centre(there);
          const id = find(place(x, y));
          if (id !== null) click(id);
        }}
      />
    </div>
  );
}

function drawGraph(
  pen: Pen,
  nodes: GraphNode[],
  edges: GraphEdge[],
  courses: Map<GraphEdge, Point[]>,
  g: Arranged,
  p: Palette,
) {
  pen.font = FONT;
  pen.textBaseline = 'middle';
  pen.textAlign = 'center';
  pen.lineJoin = 'round';
  const clear = edges.filter((e) => !g.faint?.(e));
  if (g.faint) drawFaint(pen, edges.filter(g.faint), g, p.soft);
  const wide = 3 * Math.min(1, 12 / Math.max(1, clear.length)); // many thick lines would merge into a dark area
  for (const e of clear) drawLine(pen, e, courses.get(e)!, p.soft, wide);
  for (const n of nodes) drawBox(pen, n, g, p);
  pen.fillStyle = p.soft;
  for (const e of clear) drawHead(pen, courses.get(e)!, 6 + 2 * e.weight); // over the boxes they point at
  for (const e of clear) drawLabel(pen, e, g, p);
  pen.lineWidth = 1;
}

function drawBox(pen: Pen, n: GraphNode, g: Arranged, p: Palette) {
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

function drawLine(pen: Pen, e: GraphEdge, points: Point[], colour: string, wide: number) {
  pen.strokeStyle = colour;
  pen.globalAlpha = 0.35 + 0.5 * e.weight;
  pen.lineWidth = 0.8 + wide * e.weight;
  drawCourse(pen, points);
  pen.globalAlpha = 1;
}

function drawLabel(pen: Pen, e: GraphEdge, g: Arranged, p: Palette) {
  if (!e.text) return;
  const mid = g.label(e);
  const w = pen.measureText(e.text).width;
  pen.fillStyle = p.panel;
  pen.fillRect(mid.x - w / 2 - 2, mid.y - 7, w + 4, 14);
  pen.fillStyle = p.soft;
  pen.fillText(e.text, mid.x, mid.y);
}
