// Patterns that distinguish states without colour: stripes for runnable, dots for gc, upright lines for dirty.
import type { Pen } from './stage';

const made = new Map<string, CanvasPattern>();

export function hatch(g: Pen, colour: string, kind: 'slant' | 'dots' | 'upright'): CanvasPattern | string {
  const key = `${kind} ${colour}`;
  const old = made.get(key);
  if (old) return old;
  const tile = document.createElement('canvas');
  tile.width = tile.height = 6;
  const t = tile.getContext('2d')!;
  t.fillStyle = colour;
  t.fillRect(0, 0, 6, 6);
  t.fillStyle = t.strokeStyle = 'rgba(0,0,0,.26)';
  t.lineWidth = 1.3;
  t.beginPath();
  if (kind === 'slant') {
    for (const at of [-6, 0, 6]) {
      t.moveTo(at, 6);
      t.lineTo(at + 6, 0);
    }
  } else if (kind === 'upright') {
    t.moveTo(1.5, 0);
    t.lineTo(1.5, 6);
  } else {
    t.rect(1, 1, 1.6, 1.6);
    t.rect(4, 4, 1.6, 1.6);
  }
  if (kind === 'dots') t.fill();
  else t.stroke();
  const pattern = g.createPattern(tile, 'repeat');
  if (pattern) made.set(key, pattern);
  return pattern ?? colour;
}
