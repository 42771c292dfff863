// The profiles that are served, and the facts of the current one; asked at the start and after an analysis.
import { batch, computed, effect, signal, untracked } from '@preact/signals';
import type { Answer, Table } from '../lib/table';
import { api, ask, forget, known } from './data';
import { edition } from './edition';
import { grow, opened, place, run } from './place';
import { followRecording, leaveRecording } from './recording';

export interface Info {
  answer: Answer;
  end: number;
  version: string;
  tables: Map<string, number>;
  meta: Map<string, string>;
}
export const info = signal<Info | null>(null);
/** The profiles that are served; the address selects one. */
export const profiles = signal<Table | null>(null);
/** The profile as a word of a command line. */
export const argument = () => profiles.value?.str('argument', place.value.profile) ?? 'P';
export const failure = signal<string | null>(null);
/** The finished share of a running analysis; null if none runs. */
export const analysing = signal<number | null>(null);
/** Whether the trace is being recorded, and has no profile yet. */
export const coming = signal(false);
/** Whether names are written as in Elixir: the address decides, else whether an Elixir application runs. */
export const elixir = computed(() =>
  place.value.names ? place.value.names === 'elixir' : Boolean(info.value?.answer.meta.elixir),
);

function pairs(t: Table | undefined, key: string, value: string): [string, string | number][] {
  return t
    ? Array.from({ length: t.rows }, (_, i) => [
        t.str(key, i) ?? '',
        t.column(value).text ? (t.str(value, i) ?? '') : t.num(value, i),
      ])
    : [];
}

function factsOf(a: Answer): Info {
  return {
    answer: a,
    end: Math.max(1, Number(a.meta.end_ns)),
    version: String(a.meta.version),
    tables: new Map(pairs(a.tables.table, 'name', 'rows') as [string, number][]),
    meta: new Map(pairs(a.tables.known, 'key', 'value') as [string, string][]),
  };
}

/** Changes the page to another edition of its profile; the answers of the old one remain until the new ones arrive. */
async function change(n: number, newest: number) {
  const a = await ask(api('info', { edition: newest })).catch(() => null);
  if (!a || n !== place.value.profile) return;
  const facts = factsOf(a);
  batch(() => {
    edition.value = newest;
    grow(facts.end);
    info.value = facts;
  });
  document.documentElement.dataset.edition = String(newest);
}

/** Asks again which profiles are served: files come to a folder. */
export async function lookAgain() {
  forget();
  profiles.value = (await ask(api('info'))).tables.served!;
}

function loadAgain(n: number): Promise<void> {
  forget();
  return load(n);
}

async function load(n: number) {
  const current = () => n === place.value.profile;
  try {
    const a = known(api('info')) ?? (await ask(api('info')));
    if (!current()) return;
    const listed = a.tables.served!;
    profiles.value = listed;
    if (!a.meta.ready) {
      const failed = n < listed.rows ? listed.str('error', n) : null;
      if (failed) throw new Error(failed);
      coming.value = Boolean(a.meta.followed);
      if (coming.value) followRecording(n, () => loadAgain(n));
      else follow(n);
      return;
    }
    const facts = factsOf(a);
    batch(() => {
      if (a.meta.followed) edition.value = Number(a.meta.edition);
      run.value = [0, facts.end];
      opened.value = n;
      info.value = facts;
    });
    if (a.meta.followed) followRecording(n, (newest) => change(n, newest));
  } catch (e) {
    if (current()) failure.value = e instanceof Error ? e.message : String(e);
  }
}

interface Progress {
  state: string;
  done_bytes: number;
  total_bytes: number;
}
/** Follows the progress of the analysis of profile `n`. */
function follow(n: number) {
  analysing.value = 0;
  const source = new EventSource('api/events');
  source.addEventListener('progress', (event) => {
    const p = (JSON.parse((event as MessageEvent<string>).data) as Progress[])[n];
    if (n === place.value.profile && p?.state === 'analysing') {
      analysing.value = p.total_bytes ? p.done_bytes / p.total_bytes : 0;
      return;
    }
    source.close();
    if (n !== place.value.profile) return;
    analysing.value = null;
    void loadAgain(n);
  });
}

/** Loads the facts of the profile in the address, now and at each change of it. */
export function followPlace() {
  let loaded: number | null = null;
  effect(() => {
    const n = place.value.profile;
    if (n === loaded) return;
    loaded = n;
    untracked(() => {
      leaveRecording();
      info.value = null;
      analysing.value = null;
      coming.value = false;
      failure.value = null;
      void load(n);
    });
  });
}

export const rows = (table: string) => info.value?.tables.get(table) ?? 0;
export const fact = (key: string) => info.value?.answer.meta[key] ?? null;
/** Whether the trace had time stamps. Without them counts are known, but no times and durations. */
export const timed = () => info.value?.meta.has('span_ns') ?? false;
/** Whether slices were recorded, with their times. */
export const scheduled = () => timed() && rows('slice') > 0;
/** Returns the number of nodes with a trace. The others are known because a traced node talked to them. */
export function tracedNodes(): number {
  const t = info.value?.answer.tables.node;
  return t ? Array.from(t.nums('trace_start')).filter((at) => !Number.isNaN(at)).length : 0;
}
/** Returns the name of a node, since two nodes may have the same pids; '' for the only one with a trace. */
export function nodeName(id: number): string {
  const t = info.value?.answer.tables.node;
  if (!t || t.rows < 2) return '';
  if (tracedNodes() === 1 && !Number.isNaN(t.num('trace_start', Array.from(t.nums('id')).indexOf(id)))) return '';
  const row = Array.from(t.nums('id')).indexOf(id);
  return row < 0 ? '' : (t.str('name', row) ?? `node ${id}`);
}
const KINDS: Record<string, string> = {
  normal: 'Scheduler',
  dirty_cpu: 'Dirty CPU',
  dirty_io: 'Dirty IO',
  unknown: 'Unknown',
};
/** Returns the name of a scheduler: its kind and number, and its node if there are several. */
export function schedulerName(id: number): string {
  const t = info.value!.answer.tables.scheduler!;
  const row = Array.from(t.nums('id')).indexOf(id);
  if (row < 0) return '–';
  const kind = t.str('kind', row) ?? '';
  return `${nodeName(t.num('node', row))} ${KINDS[kind] ?? kind} ${t.num('number', row)}`.trim();
}
