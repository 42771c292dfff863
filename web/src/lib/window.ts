// The time window: pure arithmetic of zooming and panning, always inside the run.
export type Range = [number, number];
/** Nothing is shorter than this: the clock's grain. */
export const SHORTEST = 100;

export function clamp([from, to]: Range, [first, last]: Range): Range {
  const span = Math.min(Math.max(to - from, SHORTEST), last - first);
  const start = Math.min(Math.max(from, first), last - span);
  return [Math.round(start), Math.round(start + span)];
}
/** factor < 1 zooms in, around the moment `at`. */
export function zoom([from, to]: Range, run: Range, factor: number, at = (from + to) / 2): Range {
  const span = Math.max((to - from) * factor, SHORTEST);
  const left = (at - from) / (to - from);
  return clamp([at - span * left, at + span * (1 - left)], run);
}
export function pan([from, to]: Range, run: Range, share: number): Range {
  const by = (to - from) * share;
  return clamp([from + by, to + by], run);
}
/** A window around a moment: as long as the one before, or a twentieth of the run where all of it was shown. */
export function around(at: number, [from, to]: Range, run: Range): Range {
  const half = (isWhole([from, to], run) ? (run[1] - run[0]) / 20 : to - from) / 2;
  return clamp([at - half, at + half], run);
}
export const isWhole = ([from, to]: Range, [first, last]: Range) => from <= first && to >= last;
const PIXELS = 1100;
const TILE = 128;
/** What is asked for to draw a window: pixels a power of two wide, whole tiles of them and one more at each side, so that
    a pan has something to show at once. What was asked for before does as long as it holds the window at the same zoom. */
export interface Tiles {
  from: number;
  to: number;
  pixels: number;
  wide: number; // nanoseconds of a pixel
}
export function tiled([from, to]: Range, [first, last]: Range, before: Tiles | null = null): Tiles {
  const wide = 2 ** Math.max(0, Math.ceil(Math.log2((to - from) / PIXELS)));
  if (before && before.wide === wide && before.from <= from && before.to >= to) return before;
  const tile = wide * TILE;
  const a = Math.max(first, (Math.floor(from / tile) - 1) * tile);
  const b = Math.min(last, (Math.ceil(to / tile) + 1) * tile);
  return { from: a, to: b, pixels: Math.ceil((b - a) / wide), wide };
}
