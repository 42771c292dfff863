// A map of a graph in the corner of its picture, where the picture shows only a part.
import type { Palette } from '../../state/theme';
import type { Arranged, GraphNode } from './arrange';
import type { Pen } from '../stage';

/** A point x of the graph is at k * x + dx on the screen. */
export interface View {
  k: number;
  dx: number;
  dy: number;
}
interface Room {
  wide: number;
  tall: number;
}
const [WIDE, TALL, EDGE] = [168, 96, 8];

/** Returns where the map is, or null if all of the graph is in view. */
export function miniMap(g: Arranged, { k, dx, dy }: View, { wide, tall }: Room): View | null {
  const all = dx >= -1 && dy >= -1 && k * g.width + dx <= wide + 1 && k * g.height + dy <= tall + 1;
  if (all || wide < 2 * WIDE || tall < TALL + 2 * EDGE) return null;
  const small = Math.min(WIDE / g.width, TALL / g.height);
  return { k: small, dx: wide - EDGE - small * g.width, dy: tall - EDGE - small * g.height };
}

/** Returns the point of the graph that a point on the map stands for. */
export function onMap(g: Arranged, map: View | null, x: number, y: number) {
  if (!map) return null;
  const at = { x: (x - map.dx) / map.k, y: (y - map.dy) / map.k };
  return at.x >= 0 && at.y >= 0 && at.x <= g.width && at.y <= g.height ? at : null;
}

export function drawMap(pen: Pen, nodes: GraphNode[], g: Arranged, map: View, view: View, room: Room, p: Palette) {
  pen.fillStyle = p.panel;
  pen.strokeStyle = p.soft;
  pen.lineWidth = 1;
  pen.beginPath();
  pen.roundRect(map.dx - 4, map.dy - 4, map.k * g.width + 8, map.k * g.height + 8, 4);
  pen.fill();
  pen.stroke();
  for (const n of nodes) {
    const b = g.node(n.id);
    pen.fillStyle = n.colour;
    pen.globalAlpha = 0.4 + 0.6 * n.weight;
    const [w, h] = [Math.max(1, map.k * b.width), Math.max(1, map.k * b.height)];
    pen.fillRect(map.dx + map.k * b.x - w / 2, map.dy + map.k * b.y - h / 2, w, h);
  }
  pen.globalAlpha = 1;
  const edge = (at: number, d: number, most: number) => Math.min(most, Math.max(0, (at - d) / view.k));
  const [x0, x1] = [edge(0, view.dx, g.width), edge(room.wide, view.dx, g.width)];
  const [y0, y1] = [edge(0, view.dy, g.height), edge(room.tall, view.dy, g.height)];
  pen.strokeStyle = p.ink;
  pen.lineWidth = 1.5;
  pen.strokeRect(map.dx + map.k * x0, map.dy + map.k * y0, map.k * (x1 - x0), map.k * (y1 - y0));
  pen.lineWidth = 1;
}
