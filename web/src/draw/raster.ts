// Rectangles in an array of pixels. A canvas without a GPU needs microseconds for each rectangle, and a lane has
// thousands; here a rectangle is a few stores into an array that is reused for each frame and put on the canvas at
// once.
import type { Pen } from './stage';

export type Pattern = 'plain' | 'slant' | 'dots' | 'upright';

const known = new Map<string, number>();
/** Converts "#rrggbb" to a pixel in memory. */
export function pixel(colour: string): number {
  const old = known.get(colour);
  if (old !== undefined) return old;
  const v = Number.parseInt(colour.slice(1), 16);
  const made = ((0xff << 24) | ((v & 0xff) << 16) | (v & 0xff00) | (v >> 16)) >>> 0;
  known.set(colour, made);
  return made;
}
/** Returns a colour that is a quarter darker, for the lines of a pattern. */
function darker(p: number): number {
  return (
    ((p & 0xff000000) |
      ((((p >> 16) & 0xff) * 0.74) << 16) |
      ((((p >> 8) & 0xff) * 0.74) << 8) |
      ((p & 0xff) * 0.74)) >>>
    0
  );
}
/** Whether a pixel is on a line of the pattern. Patterns repeat every six pixels. */
function marked(pattern: Pattern, x: number, y: number): boolean {
  if (pattern === 'slant') return (x + y) % 6 < 2;
  if (pattern === 'upright') return x % 6 < 2;
  return x % 3 === 1 && y % 3 === 1;
}

export class Raster {
  width = 0;
  height = 0;
  private image: ImageData | null = null;
  private px = new Uint32Array(0);

  /** Fills everything with one colour; memory is allocated only when the size changes. */
  start(width: number, height: number, ground: number) {
    if (width !== this.width || height !== this.height) {
      [this.width, this.height] = [width, height];
      this.px = new Uint32Array(width * height);
      this.image = null;
    }
    this.px.fill(ground);
  }

  /** Fills a rectangle, cut to the picture. */
  rect(x0: number, y0: number, x1: number, y1: number, colour: number, pattern: Pattern = 'plain') {
    const { px, width } = this;
    const a = x0 > 0 ? x0 : 0;
    const b = x1 < width ? x1 : width;
    const top = y0 > 0 ? y0 : 0;
    const end = y1 < this.height ? y1 : this.height;
    if (a >= b) return;
    if (b - a === 1 && pattern === 'plain') {
      for (let i = top * width + a, last = end * width; i < last; i += width) px[i] = colour;
      return;
    }
    if (pattern === 'plain') {
      for (let y = top; y < end; y++) {
        const row = y * width;
        if (b - a > 12) px.fill(colour, row + a, row + b);
        else for (let x = a; x < b; x++) px[row + x] = colour;
      }
      return;
    }
    const dark = darker(colour);
    for (let y = top; y < end; y++)
      for (let x = a; x < b; x++) px[y * width + x] = marked(pattern, x, y) ? dark : colour;
  }

  /** Puts the pixels on a canvas, at a place in its pixels. */
  put(g: Pen, x: number, y: number) {
    if (!this.px.length) return;
    this.image ??= new ImageData(new Uint8ClampedArray(this.px.buffer as ArrayBuffer), this.width, this.height);
    g.putImageData(this.image, x, y);
  }
  at(x: number, y: number): number {
    return this.px[y * this.width + x]!;
  }
}
