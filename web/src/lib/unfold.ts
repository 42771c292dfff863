// A table whose rows form a forest, as a list of the rows whose ancestors are all unfolded.
import type { Table } from './table';

export interface Node {
  row: number;
  depth: number;
  children: number;
}
const DEEPEST = 100;

/** Returns the visible rows from top to bottom. `up`: the column of the parent's id; `open`: the ids that are
    unfolded. */
export function unfold(t: Table, open: Set<number>, up: string): Node[] {
  const below = new Map<number, number[]>();
  const ids = new Set(t.nums('id'));
  for (let i = 0; i < t.rows; i++) {
    const parent = t.num(up, i);
    const at = ids.has(parent) && parent !== t.num('id', i) ? parent : 0;
    const list = below.get(at);
    if (list) list.push(i);
    else below.set(at, [i]);
  }
  const out: Node[] = [];
  const walk = (parent: number, depth: number) => {
    for (const row of below.get(parent) ?? []) {
      const id = t.num('id', row);
      out.push({ row, depth, children: below.get(id)?.length ?? 0 });
      if (open.has(id) && depth < DEEPEST) walk(id, depth + 1);
    }
  };
  walk(0, 0);
  return out;
}

/** Returns the rows that match, and the ancestors of each. */
export function withAncestors(t: Table, up: string, match: (row: number) => boolean): number[] {
  const at = new Map(Array.from(t.nums('id'), (id, i) => [id, i]));
  const kept = new Set<number>();
  for (let i = 0; i < t.rows; i++)
    for (let row: number | undefined = match(i) ? i : undefined; row !== undefined && !kept.has(row); ) {
      kept.add(row);
      row = at.get(t.num(up, row));
    }
  return [...kept].sort((a, b) => a - b);
}
