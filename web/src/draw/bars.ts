// The bars of a histogram of times: a power of two has two, four or eight of equal width.
import type { Table } from '../lib/table';

const MOST_BARS = 64;
export interface Bars {
  parts: number; // of a power of two
  first: number; // place of the first bar
  counts: number[];
}
/** Returns the place of a time, in bars, and the time at a place. */
export function placeOf(ns: number, parts: number): number {
  const power = Math.floor(Math.log2(Math.max(1, ns)));
  return (power + Math.max(1, ns) / 2 ** power - 1) * parts;
}
export const timeAt = (place: number, parts: number) => {
  const power = Math.floor(place / parts);
  return 2 ** power * (1 + place / parts - power);
};

/** Returns the buckets of an answer (src/base/octave.h), merged: none is a part of two bars. */
export function barsOf(t: Table): Bars {
  const low = t.nums('low_ns');
  const [least, most] = [low[0] ?? 1, low[t.rows - 1] ?? 1];
  const parts = [8, 4].find((n) => placeOf(most, n) - placeOf(least, n) < MOST_BARS) ?? 2;
  const first = Math.floor(placeOf(least, parts));
  const counts = new Array<number>(Math.floor(placeOf(most, parts)) - first + 1).fill(0);
  low.forEach((ns, i) => {
    counts[Math.floor(placeOf(ns, parts)) - first]! += t.num('count', i);
  });
  return { parts, first, counts };
}
