// Names of groups. If two groups have the same entry under different parents, their names include the parent.
import { useMemo } from 'preact/hooks';
import { groupTitle } from '../lib/names';
import type { Table } from '../lib/table';
import { api, useAnswer } from '../state/data';
import { elixir, rows } from '../state/info';
import { named } from '../state/people';

export function useGroups(): Table | null {
  return useAnswer(rows('process_group') > 0 ? api('ask/tree') : null).value?.tables.group ?? null;
}

/** Returns the name of each group by id; namesakes include the name of the parent group. */
export function groupNames(t: Table, inElixir: boolean): Map<number, string> {
  const bare = new Map<number, string>();
  const times = new Map<string, number>();
  for (let i = 0; i < t.rows; i++) {
    const name = groupTitle(named(t, i), t.str('entry', i), t.num('processes', i), inElixir);
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

/** Returns a function from the id of a group to its name, or to its id until the names arrive. */
export function useGroupNames(): (id: number) => string {
  const t = useGroups();
  const names = useMemo(() => (t ? groupNames(t, elixir.value) : null), [t, elixir.value]);
  return (id) => names?.get(id) ?? `group ${id}`;
}
