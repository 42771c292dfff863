// Arrows of graphs, of the critical path and between lanes.
import type { Pen } from './stage';

export interface Point {
  x: number;
  y: number;
}

/** Returns the head of an arrow at the end of a course: its tip and the other two corners. */
export function headOf(points: Point[], size: number): [Point, Point, Point] {
  const tip = points[points.length - 1]!;
  let i = points.length - 2;
  while (i > 0 && Math.hypot(tip.x - points[i]!.x, tip.y - points[i]!.y) < size) i--;
  const angle = Math.atan2(tip.y - points[i]!.y, tip.x - points[i]!.x);
  const corner = (turn: number) => ({
    x: tip.x - size * Math.cos(angle + turn),
    y: tip.y - size * Math.sin(angle + turn),
  });
  return [tip, corner(-0.45), corner(0.45)];
}

export function drawCourse(pen: Pen, points: Point[]) {
  pen.beginPath();
  for (const { x, y } of points) pen.lineTo(x, y); // the first one begins the path
  pen.stroke();
}

export function drawHead(pen: Pen, points: Point[], size: number) {
  pen.beginPath();
  for (const { x, y } of headOf(points, size)) pen.lineTo(x, y);
  pen.fill();
}
