// A call tree joined by function: the calls between functions, and the time of each function with its callees.
import type { Table } from './table';

export interface CallGraph {
  total: number; // of all roots
  time: Map<string, number>; // of a function's outermost calls
  calls: Map<string, number>;
  edges: { from: string; to: string; calls: number }[]; // recursion is an edge from a function to itself
}

/** `value` is the time of each row with its callees. */
export function joined(t: Table, value: ArrayLike<number>): CallGraph {
  const place = new Map(Array.from(t.nums('id'), (id, row) => [id, row]));
  const g: CallGraph = { total: 0, time: new Map(), calls: new Map(), edges: [] };
  const edge = new Map<string, CallGraph['edges'][number]>();
  const add = (from: string, to: string, calls: number) => {
    const key = `${from}\n${to}`;
    const old = edge.get(key);
    if (old) old.calls += calls;
    else edge.set(key, { from, to, calls });
  };
  for (let i = 0; i < t.rows; i++) {
    const f = t.str('mfa', i) ?? '';
    const up = place.get(t.num('parent', i));
    g.calls.set(f, (g.calls.get(f) ?? 0) + t.num('calls', i));
    if (up === undefined) g.total += value[i]!;
    // calls include the recursive ones, which are an edge of their own
    else add(t.str('mfa', up) ?? '', f, t.num('calls', i) - t.num('recursive', i));
    if (t.num('recursive', i) > 0) add(f, f, t.num('recursive', i));
    let above = up;
    while (above !== undefined && t.str('mfa', above) !== f) above = place.get(t.num('parent', above));
    if (above === undefined) g.time.set(f, (g.time.get(f) ?? 0) + value[i]!);
  }
  g.edges = [...edge.values()];
  return g;
}
