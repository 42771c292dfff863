// Frames of two call trees with the same functions above them, and what part of all each has in both.
import type { Answer, Table } from '../../lib/table';

/** The share of a frame in the other tree. */
export interface Share {
  share: number; // 0: it is not there
  below: boolean; // it may be among frames that are too narrow for the answer: `share` is the most that it can have
}

/** The time without waiting, or the samples of stacks. */
const valueColumn = (a: Answer) => (a.meta.sampled ? 'acc' : 'run');
export const values = (a: Answer) => a.tables.call!.nums(valueColumn(a));
const totalOf = (a: Answer) => Number(a.meta.sampled ? a.meta.total : a.meta.total_run) || 1;
export const shareOf = (a: Answer, row: number) => values(a)[row]! / totalOf(a);

const rowsById = (t: Table) => new Map(Array.from(t.nums('id'), (id, i) => [id, i]));

/** Returns the path of each row from its root. A row for several frames has that of its parent and an empty name. */
export function pathsOf(t: Table): string[] {
  const row = rowsById(t);
  const known: string[] = [];
  const path = (i: number): string => {
    const up = row.get(t.num('parent', i));
    known[i] ??= `${up === undefined ? '' : path(up)}\n${t.num('more', i) ? '' : t.str('mfa', i)}`;
    return known[i];
  };
  return Array.from({ length: t.rows }, (_, i) => path(i));
}

/** Returns for each row of `of` its share in `other`. */
export function sharesIn(of: Answer, other: Answer): Share[] {
  const at = new Map(pathsOf(other.tables.call!).map((path, i) => [path, i]));
  const least = Number(other.meta.sampled ? other.meta.least_acc : other.meta.least_run) / totalOf(other);
  const t = of.tables.call!;
  return pathsOf(t).map((path, i) => {
    const row = at.get(path);
    if (row !== undefined && !t.num('more', i)) return { share: shareOf(other, row), below: false };
    // the nearest frame above that is there tells whether narrow ones are left out below it
    let up = path;
    do up = up.slice(0, up.lastIndexOf('\n'));
    while (up && !at.has(up));
    return at.has(`${up}\n`) ? { share: least, below: true } : { share: 0, below: false };
  });
}

/** The difference of shares, from A to B, as far as it is known: of frames too narrow for one answer the least. */
export function difference(mine: number, theirs: Share, mineIsB: boolean): number {
  const more = theirs.below ? Math.max(0, mine - theirs.share) : mine - theirs.share;
  return mineIsB ? more : -more;
}
