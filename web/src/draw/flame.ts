// The layout of a flame graph: the place of each node of a call tree. flame_graph.tsx draws it.
import { amountOf, count } from '../lib/format';
import { functionName } from '../lib/names';
import type { Answer, Table } from '../lib/table';

export interface Flame {
  row: Int32Array; // of the table, per box
  left: Float64Array; // 0..1 of the total
  width: Float64Array;
  depth: Uint16Array;
  boxes: number;
  deepest: number;
  total: number;
}

/** Returns the name of a row; one without a function stands for callees too narrow to be rows of their own. */
export function frameName(a: Answer, row: number, waits: boolean, elixir: boolean): string {
  const t = a.tables.call!;
  const more = t.num('more', row);
  if (!more) return functionName(t.str('mfa', row), elixir);
  const least = Number(waits ? a.meta.least_acc : a.meta.least_run);
  return `${count(more)} more, ${more === 1 ? '' : 'each '}below ${amountOf(Boolean(a.meta.sampled))(least)}`;
}

/** Returns the layout: children are side by side below their parent, the heaviest first, or in the order of their
    first call; what stands for several narrow ones is last. */
export function layout(t: Table, order: 'heavy' | 'time', root = 0, value: ArrayLike<number> = t.nums('acc')): Flame {
  const below = new Map<number, number[]>();
  const place = new Map<number, number>();
  for (let i = 0; i < t.rows; i++) {
    place.set(t.num('id', i), i);
    const list = below.get(t.num('parent', i));
    if (list) list.push(i);
    else below.set(t.num('parent', i), [i]);
  }
  const key = (i: number) =>
    t.num('more', i) ? Number.MAX_VALUE : order === 'heavy' ? -value[i]! : t.num('first', i) || 0;
  for (const list of below.values()) list.sort((a, b) => key(a) - key(b) || a - b);
  const f: Flame = {
    row: new Int32Array(t.rows),
    left: new Float64Array(t.rows),
    width: new Float64Array(t.rows),
    depth: new Uint16Array(t.rows),
    boxes: 0,
    deepest: 0,
    total: 0,
  };
  const roots = root && place.has(root) ? [place.get(root)!] : (below.get(0) ?? []);
  f.total = roots.reduce((s, i) => s + value[i]!, 0) || 1;
  const stack: [number, number, number][] = []; // row, left, depth
  let at = 0;
  for (const i of roots) {
    stack.push([i, at, 0]);
    at += value[i]! / f.total;
  }
  while (stack.length) {
    const [i, left, depth] = stack.pop()!;
    const n = f.boxes++;
    f.row[n] = i;
    f.left[n] = left;
    f.width[n] = value[i]! / f.total;
    f.depth[n] = depth;
    f.deepest = Math.max(f.deepest, depth);
    let x = left;
    for (const child of below.get(t.num('id', i)) ?? []) {
      stack.push([child, x, depth + 1]);
      x += value[child]! / f.total;
    }
  }
  return f;
}

/** Returns how many frames have a text in their name, those of them that are in no other (the heaviest first), and
    their time; `narrow`: there are frames that are too narrow to have a name. */
export function found(t: Table, find: string, value: ArrayLike<number>) {
  const ids = new Map(Array.from(t.nums('id'), (id, i) => [id, i]));
  const inside = new Map<number, boolean>(); // whether a row or one above it matches
  const hits = Array.from({ length: t.rows }, (_, i) =>
    Boolean(find && t.str('mfa', i)?.toLowerCase().includes(find.toLowerCase())),
  );
  const isInside = (i: number | undefined): boolean => {
    if (i === undefined) return false;
    if (!inside.has(i)) inside.set(i, hits[i]! || isInside(ids.get(t.num('parent', i))));
    return inside.get(i)!;
  };
  const all = { frames: 0, outer: [] as number[], value: 0, total: 0, narrow: false };
  for (let i = 0; i < t.rows; i++) {
    const up = ids.get(t.num('parent', i));
    if (up === undefined) all.total += value[i]!;
    if (t.num('more', i) > 0) all.narrow = true;
    if (!hits[i] || !(value[i]! > 0)) continue;
    all.frames++;
    if (isInside(up)) continue;
    all.outer.push(i);
    all.value += value[i]!;
  }
  all.outer.sort((a, b) => value[b]! - value[a]! || a - b);
  return all;
}

export function boxAt(f: Flame, x: number, depth: number): number | null {
  for (let n = 0; n < f.boxes; n++)
    if (f.depth[n] === depth && x >= f.left[n]! && x < f.left[n]! + f.width[n]!) return n;
  return null;
}

/** Returns the frame in focus as the address has it: id and function, since the same id may be another frame in
    another tree. */
export const focusOf = (t: Table, row: number) => `${t.num('id', row)}.${t.str('mfa', row) ?? ''}`;
/** Returns the id of the frame that the address names; 0 if this tree has no such frame. */
export function focused(t: Table, text: string): number {
  const id = Number.parseInt(text, 10);
  const row = Number.isNaN(id) ? -1 : t.nums('id').indexOf(id);
  return row >= 0 && focusOf(t, row) === text ? id : 0;
}
