// Groups of processes by name. Two groups may run the same function under different parents: then the parent tells them apart.
import { useMemo } from 'preact/hooks';
import { groupTitle } from '../lib/names';
import type { Table } from '../lib/table';
import { api, useAnswer } from '../state/data';
import { elixir, rows } from '../state/info';
import { named } from '../state/people';

export function useGroups(): Table | null {
  return useAnswer(rows('process_group') > 0 ? api('ask/tree') : null).value?.tables.group ?? null;
}

/** The name of each group by its id; of namesakes with the name of the parent group. */
export function groupNames(t: Table, inElixir: boolean): Map<number, string> {
  const bare = new Map<number, string>();
  const times = new Map<string, number>();
  for (let i = 0; i < t.rows; i++) {
    const name = groupTitle(named(t, i), t.num('processes', i), inElixir);
    bare.set(t.num('id', i), name);
    times.set(name, (times.get(name) ?? 0) + 1);
  }
  const names = new Map<number, string>();
  for (let i = 0; i < t.rows; i++) {
    const [id, parent] = [t.num('id', i), t.num('parent_group', i)];
    const above = parent === id ? undefined : bare.get(parent);
    names.set(id, times.get(bare.get(id)!)! > 1 && above ? `${bare.get(id)} of ${above}` : bare.get(id)!);
  }
  return names;
}

/** What a group is called; its number until the names are there. */
export function useGroupNames(): (id: number) => string {
  const t = useGroups();
  const names = useMemo(() => (t ? groupNames(t, elixir.value) : null), [t, elixir.value]);
  return (id) => names?.get(id) ?? `group ${id}`;
}
