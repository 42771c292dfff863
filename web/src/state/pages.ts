// A long list whose rows remain on the server: pages of a hundred are fetched when they become visible, one at a time,
// so dragging the bar over a million rows fetches the pages where it stops, not those that it passes. Pages of the
// previous edition remain until those of the next one arrive.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Answer, Table } from '../lib/table';
import { api, ask } from './data';
import { edition } from './edition';

const PAGE = 100;
const MOST_PAGES = 200; // the most recent ones

export interface Pages {
  total: number | null;
  all: number;
  error: string | null;
  meta: Answer['meta'] | null; // of the last page that arrived
  row: (i: number) => { t: Table; at: number } | null;
  onSight: (from: number, to: number) => void;
}
interface State {
  list: string;
  pages: Map<number, Table>;
  total: number | null;
  all: number;
  error: string | null;
  meta: Answer['meta'] | null;
}

/** The fetched pages of the requested list; the screen may still show the previous list. */
interface Held {
  key: string;
  pages: Map<number, Table>;
  failed: Set<number>;
  busy: boolean;
}
const holding = (key: string): Held => ({ key, pages: new Map(), failed: new Set(), busy: false });

/** Returns the pages with one more; beyond the limit the oldest is dropped. */
export function withPage(pages: Map<number, Table>, page: number, t: Table): Map<number, Table> {
  const next = new Map(pages).set(page, t);
  if (next.size > MOST_PAGES) next.delete(next.keys().next().value!);
  return next;
}

export function usePages(
  route: string,
  params: Record<string, string | number | null | undefined>,
  table: string,
): Pages {
  const list = JSON.stringify(params);
  const key = `${list} ${edition.value}`;
  const [state, set] = useState<State>({ list, pages: new Map(), total: null, all: 0, error: null, meta: null });
  const held = useRef<Held>(holding(key));
  const sight = useRef<[number, number]>([0, 1]);
  const next = useCallback(() => {
    const h = held.current;
    const [from, to] = sight.current;
    let page = Math.floor(from / PAGE);
    while (page * PAGE < to && (h.pages.has(page) || h.failed.has(page))) page++;
    if (h.busy || h.key !== key || page * PAGE >= to) return;
    h.busy = true;
    const done = (change: (old: Map<number, Table>) => Partial<State>) => {
      if (held.current !== h) return; // the view shows another list now
      h.busy = false;
      set((s) => ({ ...s, list, ...change(s.list === list ? s.pages : new Map()) }));
      next();
    };
    ask(api(route, { ...(JSON.parse(list) as typeof params), from: page * PAGE, n: PAGE })).then(
      (a) =>
        done((old) => {
          h.pages = withPage(h.pages, page, a.tables[table]!);
          return {
            pages: withPage(old, page, a.tables[table]!),
            total: Number(a.meta.total),
            all: Number(a.meta.all),
            error: null,
            meta: a.meta,
          };
        }),
      (e: unknown) =>
        done(() => {
          h.failed.add(page);
          return { error: e instanceof Error ? e.message : String(e) };
        }),
    );
  }, [key, list, route, table]);
  useEffect(() => {
    if (held.current.key !== key) held.current = holding(key);
    next();
  }, [next]);
  const onSight = useCallback(
    (from: number, to: number) => {
      sight.current = [from, Math.max(to, from + 1)];
      next();
    },
    [next],
  );
  return {
    total: state.total,
    all: state.all,
    error: state.error,
    meta: state.meta,
    onSight,
    row: (i) => {
      const t = state.pages.get(Math.floor(i / PAGE));
      const at = i % PAGE;
      return t && at < t.rows ? { t, at } : null;
    },
  };
}
