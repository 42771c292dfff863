// The selected slice or state of a process: in the address as `at`, with what the server knows of it.
import { computed, effect, signal, untracked } from '@preact/signals';
import type { Moment } from '../lib/route';
import type { Table } from '../lib/table';
import { api, ask, messageOf } from './data';
import { info } from './info';
import { go, place, showing } from './place';
import { report } from './report';

export interface Selected {
  table: Table | null; // rows of the answer `moment`; the first is the slice or state
  error: string | null;
}
const NOTHING: Selected = { table: null, error: null };
export const selected = signal<Selected>(NOTHING);

const question = computed(() => {
  const at = place.value.at;
  if (!at || !info.value || report) return null;
  const of = at.scheduler === undefined ? { process: at.process } : { subject: at.scheduler };
  return api('answer/moment', { ...of, since: at.from, until: at.to ?? at.from + 1, limit: 1000 });
});
effect(() => {
  const path = question.value;
  if (path === null) {
    selected.value = NOTHING;
    return undefined;
  }
  const stop = new AbortController();
  untracked(() =>
    ask(path, stop.signal).then(
      (a) => {
        if (!stop.signal.aborted) selected.value = { table: a.tables.answer!, error: null };
      },
      (e: unknown) => {
        if (!stop.signal.aborted) selected.value = { table: null, error: messageOf(e) };
      },
    ),
  );
  return () => stop.abort();
});

/** The processes of the lanes that the view shows; null: its lanes are schedulers. */
export const lanes = signal<number[] | null>(null);

/** Returns the place with another slice or state selected. The range follows, and so do lanes of processes: the view of
    one process changes to that of the other, and a comparison gets a further lane. */
export function selecting(at: Moment): Partial<typeof place.value> {
  const to = { at, range: showing([at.from, at.to ?? at.from]) };
  if (!lanes.value || at.scheduler !== undefined || lanes.value.includes(at.process)) return to;
  return place.value.view === 'process'
    ? { ...to, id: String(at.process), own: {} }
    : { ...to, ticked: [...lanes.value, at.process] };
}
/** Selects what ran on a scheduler. */
export const selectOn = (scheduler: number, from: number, to: number | null) =>
  go(selecting({ process: NaN, scheduler, from, to }));
export const select = (process: number, from: number, to: number | null = null) => go(selecting({ process, from, to }));
