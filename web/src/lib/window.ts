// Arithmetic of the time range: zooming and panning, always inside the run.
export type Range = [number, number];
/** The shortest range: the resolution of the clock. */
export const SHORTEST = 100;

export function clamp([from, to]: Range, [first, last]: Range): Range {
  const span = Math.min(Math.max(to - from, SHORTEST), last - first);
  const start = Math.min(Math.max(from, first), last - span);
  return [Math.round(start), Math.round(start + span)];
}
/** Zooms around the moment `at`; a factor below 1 zooms in. */
export function zoom([from, to]: Range, run: Range, factor: number, at = (from + to) / 2): Range {
  const span = Math.max((to - from) * factor, SHORTEST);
  const left = (at - from) / (to - from);
  return clamp([at - span * left, at + span * (1 - left)], run);
}
export function pan([from, to]: Range, run: Range, share: number): Range {
  const by = (to - from) * share;
  return clamp([from + by, to + by], run);
}
/** Returns a range around a moment, as long as the current one, or a twentieth of the run if all of it was shown. */
export function around(at: number, [from, to]: Range, run: Range): Range {
  const half = (isWhole([from, to], run) ? (run[1] - run[0]) / 20 : to - from) / 2;
  return clamp([at - half, at + half], run);
}
/** Returns a range around a span that shows what precedes and follows it. */
export function aroundSpan(start: number, dur: number): Range {
  const room = Math.max(dur, 1000) / 2;
  return [start - room, start + dur + room];
}
export const isWhole = ([from, to]: Range, [first, last]: Range) => from <= first && to >= last;
const PIXELS = 1100;
const TILE = 128;
/** The part of the run to request for a range: pixels are a power of two wide, and there are whole tiles of them and
    one more at each side, so that a pan shows something at once. The previous request is kept while it covers the
    range at its zoom. */
export interface Tiles {
  from: number;
  to: number;
  pixels: number;
  wide: number; // nanoseconds per pixel
}
export function tiled([from, to]: Range, [first, last]: Range, before: Tiles | null = null): Tiles {
  const wide = 2 ** Math.max(0, Math.ceil(Math.log2((to - from) / PIXELS)));
  if (before && before.wide === wide && before.from <= from && before.to >= to) return before;
  const tile = wide * TILE;
  const a = Math.max(first, (Math.floor(from / tile) - 1) * tile);
  const b = Math.min(last, (Math.ceil(to / tile) + 1) * tile);
  return { from: a, to: b, pixels: Math.ceil((b - a) / wide), wide };
}
