// Rows that stay on the server: pages of a hundred, fetched as they come into sight.
import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Table } from '../lib/table';
import { api, ask } from './data';

const PAGE = 100;

export interface Pages {
  total: number | null;
  all: number;
  error: string | null;
  row: (i: number) => { t: Table; at: number } | null;
  onSight: (from: number, to: number) => void;
}

export function usePages(route: string, params: Record<string, string | number | null | undefined>, table: string): Pages {
  const key = JSON.stringify(params);
  const [state, set] = useState<{ key: string; pages: Map<number, Table>; total: number | null; all: number; error: string | null }>(
    { key, pages: new Map(), total: null, all: 0, error: null });
  const load = useCallback(
    (page: number) => {
      void ask(api(route, { ...(JSON.parse(key) as typeof params), from: page * PAGE, n: PAGE })).then(
        (a) => set((s) => ({ key, pages: new Map(s.key === key ? s.pages : []).set(page, a.tables[table]!), total: Number(a.meta.total), all: Number(a.meta.all), error: null })),
        (e: unknown) => set((s) => ({ ...s, error: e instanceof Error ? e.message : String(e) })),
      );
    },
    [key, route, table],
  );
  useEffect(() => load(0), [load]);
  const onSight = useCallback(
    (from: number, to: number) => {
      for (let page = Math.floor(from / PAGE); page * PAGE < to; page++) if (page > 0 && !(state.key === key && state.pages.has(page))) load(page);
    },
    [load, key, state],
  );
  return {
    total: state.total, all: state.all, error: state.error, onSight,
    row: (i) => {
      const t = state.pages.get(Math.floor(i / PAGE));
      const at = i % PAGE;
      return t && at < t.rows ? { t, at } : null;
    },
  };
}
