// Stripes, which distinguish a state without its colour.
const made = new Map<string, CanvasPattern>();
const tiles = new WeakMap<CanvasPattern, HTMLCanvasElement>();
export const tileOf = (pattern: CanvasPattern) => tiles.get(pattern);

export function hatch(colour: string): CanvasPattern | string {
  const old = made.get(colour);
  if (old) return old;
  const tile = document.createElement('canvas');
  tile.width = tile.height = 6;
  const t = tile.getContext('2d')!;
  t.fillStyle = colour;
  t.fillRect(0, 0, 6, 6);
  t.strokeStyle = 'rgba(0,0,0,.26)';
  t.lineWidth = 1.3;
  t.beginPath();
  for (const at of [-6, 0, 6]) {
    t.moveTo(at, 6);
    t.lineTo(at + 6, 0);
  }
  t.stroke();
  const pattern = t.createPattern(tile, 'repeat');
  if (!pattern) return colour;
  made.set(colour, pattern);
  tiles.set(pattern, tile);
  return pattern;
}
