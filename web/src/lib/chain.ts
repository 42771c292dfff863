// The links of the critical path (table critical_link): which lane each has, and the one before and after another.
import type { Table } from './table';
import type { Range } from './window';

/** The kinds of steps, as in src/why/account/critical.h. */
export const KINDS = [
  'run',
  'gc',
  'dirty',
  'queue',
  'message',
  'timer',
  'port',
  'outside',
  'shutdown',
  'unknown',
] as const;
export type Kind = (typeof KINDS)[number];

/** Returns the processes of the links, those with most time on the chain first; NaN, which
    stands for no process, is the last. */
export function lanesOf(t: Table, most: number): { ids: number[]; others: number } {
  const ns = new Map<number, number>();
  for (let i = 0; i < t.rows; i++) ns.set(t.num('process', i), (ns.get(t.num('process', i)) ?? 0) + t.num('dur', i));
  const last = (id: number) => Number(Number.isNaN(id));
  const ids = [...ns].sort((a, b) => last(a[0]) - last(b[0]) || b[1] - a[1] || a[0] - b[0]).map(([id]) => id);
  return ids.length <= most ? { ids, others: 0 } : { ids: ids.slice(0, most - 1), others: ids.length - most + 1 };
}

/** Returns the row of the link with this id; -1: it is not in the table. */
export const rowOf = (t: Table, id: number) => t.nums('id').indexOf(id);

/** Returns the row of the next link (`step` 1) or the previous one (-1) after link `id`; from none, the first link
    in the range or the last one. */
export function next(t: Table, id: number | null, step: 1 | -1, [from, to]: Range): number | null {
  if (!t.rows) return null;
  const ids = t.nums('id');
  if (id !== null) {
    const after = ids.findIndex((other) => other > id);
    const until = after < 0 ? t.rows : after;
    if (step > 0) return until < t.rows ? until : null;
    const before = (ids[until - 1] === id ? until - 1 : until) - 1;
    return before >= 0 ? before : null;
  }
  const inside = (i: number) => t.num('start', i) < to && t.num('start', i) + t.num('dur', i) >= from;
  const rows = Array.from({ length: t.rows }, (_, i) => i).filter(inside);
  return rows.length ? rows[step > 0 ? 0 : rows.length - 1]! : null;
}
