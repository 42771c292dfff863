// The course of an edge between its boxes as points, for drawing and for finding the edge near the pointer.
import type { Arranged, GraphEdge, Place } from './arrange';
import type { Point } from '../arrow';

const PIECES = 10; // straight pieces of a bend

/** Returns the points of an edge that leaves and enters its boxes level, in the middle of a side, so that it crosses
    neither. */
function ports(e: GraphEdge, g: Arranged): Point[] {
  const [a, b] = [g.node(e.from), g.node(e.to)];
  const inner = g.path(e).slice(1, -1);
  const side = (n: Place, right: boolean) => ({ x: n.x + (right ? n.width : -n.width) / 2, y: n.y });
  const forth = a.x <= b.x;
  return [side(a, forth), ...inner, side(b, !forth)];
}

/** Returns a curve through all points, level at each. */
function bent(points: Point[]): Point[] {
  const all = [points[0]!];
  for (let i = 0; i + 1 < points.length; i++) {
    const [p, q] = [points[i]!, points[i + 1]!];
    const middle = (p.x + q.x) / 2;
    for (let k = 1; k <= PIECES; k++) {
      const [t, s] = [k / PIECES, 1 - k / PIECES];
      const ends = [s * s * s + 3 * s * s * t, 3 * s * t * t + t * t * t] as const;
      all.push({ x: s * s * s * p.x + 3 * s * t * middle + t * t * t * q.x, y: ends[0] * p.y + ends[1] * q.y });
    }
  }
  return all;
}

const turned = ({ x, y }: Point): Point => ({ x: y, y: x });
/** Returns a layout from top to bottom as one from left to right. */
const onItsSide = (g: Arranged): Arranged => ({
  ...g,
  node: (id) => {
    const { x, y, width, height } = g.node(id);
    return { x: y, y: x, width: height, height: width };
  },
  path: (e) => g.path(e).map(turned),
});

export const course = (e: GraphEdge, g: Arranged, straight: boolean): Point[] => {
  if (straight) return g.path(e);
  return g.down ? bent(ports(e, onItsSide(g))).map(turned) : bent(ports(e, g));
};

function distance(p: Point, a: Point, b: Point): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const along = Math.max(0, Math.min(1, ((p.x - a.x) * dx + (p.y - a.y) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(p.x - a.x - along * dx, p.y - a.y - along * dy);
}

/** Returns the edge whose course is nearest to a point; null if none is within `reach`. */
export function nearestEdge(courses: Map<GraphEdge, Point[]>, at: Point, reach: number): GraphEdge | null {
  let [best, near]: [GraphEdge | null, number] = [null, reach];
  for (const [e, points] of courses)
    for (let i = 0; i + 1 < points.length; i++) {
      const d = distance(at, points[i]!, points[i + 1]!);
      if (d < near) [best, near] = [e, d];
    }
  return best;
}
