// The ends of messages: processes, groups, schedulers or nodes; their names, and the pair that is selected.
import { useMemo } from 'preact/hooks';
import { functionName, title } from '../lib/names';
import type { Answer, Table } from '../lib/table';
import { elixir, info, schedulerName } from '../state/info';
import { named, People } from '../state/people';
import { go, place } from '../state/place';
import { report } from '../state/report';
import { groupNames, useGroups } from '../ui/groups';

export const LEVELS = ['process', 'group', 'scheduler', 'node'] as const;
export type Level = (typeof LEVELS)[number];
/** The name of an end, and the note that distinguishes it from others of the same name. */
export type Name = { name: string; note: string };
export type NameOf = (id: number) => Name;
export const full = ({ name, note }: Name) => (note ? `${name} ${note}` : name);

/** Returns the two ends whose messages are shown one by one; null: all messages. */
export function pairOf(level: Level): [number, number] | null {
  const m = level === 'scheduler' || report ? null : /^(\d+)-(\d+)$/.exec(place.value.own.pair ?? '');
  return m ? [Number(m[1]), Number(m[2])] : null;
}
export const choosePair = (level: Level, from: number, to: number) =>
  level !== 'scheduler' && !report && go({ own: { ...place.value.own, level, pair: `${from}-${to}` } });

function processNames(answer: Answer | null): NameOf {
  const people = new People(answer?.tables.process);
  return (id) => {
    const [name, pid] = [people.title(id), people.named(id).pid ?? ''];
    return { name, note: pid === name ? '' : pid };
  };
}

function groupNamesOf(groups: Table | null): NameOf {
  const names = groups ? groupNames(groups, elixir.value) : null;
  const row = new Map(Array.from(groups?.nums('id') ?? [], (id, i) => [id, i]));
  return (id) => {
    const i = row.get(id);
    if (i === undefined || !groups) return { name: `group ${id}`, note: '' };
    if (groups.num('processes', i) === 1)
      return { name: title(named(groups, i), elixir.value), note: named(groups, i).pid ?? '' };
    const name = functionName(groups.str('entry', i), elixir.value);
    const whole = names?.get(id) ?? `group ${id}`; // with the number of processes; namesakes include the parent
    return { name, note: whole.slice(name.length).trim() };
  };
}

function nodeNames(): NameOf {
  const t = info.value!.answer.tables.node!;
  const row = new Map(Array.from(t.nums('id'), (id, i) => [id, i]));
  return (id) => ({ name: (row.has(id) ? t.str('name', row.get(id)!) : null) ?? `node ${id}`, note: '' });
}

/** Returns a function from the id of an end to its name. */
export function useNames(level: Level, answer: Answer | null): NameOf {
  const groups = useGroups();
  return useMemo(() => {
    if (level === 'process') return processNames(answer);
    if (level === 'group') return groupNamesOf(groups);
    return level === 'node' ? nodeNames() : (id) => ({ name: schedulerName(id), note: '' });
  }, [level, answer, groups, elixir.value]);
}
