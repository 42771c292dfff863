// What is served, asked once at the start (and again when an analysis is done).
import { computed, effect, signal, untracked } from '@preact/signals';
import type { Answer, Table } from '../lib/table';
import { api, ask, forget, known } from './data';
import { place, run } from './place';

export interface Info {
  answer: Answer;
  end: number;
  version: string;
  tables: Map<string, number>;
  meta: Map<string, string>;
}
export const info = signal<Info | null>(null);
/** The profiles that are served; the address says which one is looked at. */
export const profiles = signal<Table | null>(null);
export const failure = signal<string | null>(null);
/** Share done of an analysis that still runs; null when none does. */
export const analysing = signal<number | null>(null);
/** Names as Elixir writes them: where an Elixir application runs, unless the address says otherwise. */
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
      follow(n);
      return;
    }
    const end = Math.max(1, Number(a.meta.end_ns));
    run.value = [0, end];
    info.value = {
      answer: a,
      end,
      version: String(a.meta.version),
      tables: new Map(pairs(a.tables.table, 'name', 'rows') as [string, number][]),
      meta: new Map(pairs(a.tables.known, 'key', 'value') as [string, string][]),
    };
  } catch (e) {
    if (current()) failure.value = e instanceof Error ? e.message : String(e);
  }
}

interface Progress {
  state: string;
  done_bytes: number;
  total_bytes: number;
}
/** How far the analysis of profile `n` is, until it is done. */
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
    forget();
    void load(n);
  });
}

/** Loads what is known of the profile in the address, now and whenever another one is chosen. */
export function followPlace() {
  let loaded: number | null = null;
  effect(() => {
    const n = place.value.profile;
    if (n === loaded) return;
    loaded = n;
    untracked(() => {
      info.value = null;
      analysing.value = null;
      failure.value = null;
      void load(n);
    });
  });
}

export const rows = (table: string) => info.value?.tables.get(table) ?? 0;
export const fact = (key: string) => info.value?.answer.meta[key] ?? null;
/** Whether the trace had time stamps. Without them what was counted is known, and nothing of when and how long. */
export const timed = () => info.value?.meta.has('span_ns') ?? false;
/** Whether it is known when processes ran. */
export const scheduled = () => timed() && rows('slice') > 0;
/** What a node is called, where there are several: pids of two nodes may be the same. */
export function nodeName(id: number): string {
  const t = info.value?.answer.tables.node;
  if (!t || t.rows < 2) return '';
  const row = Array.from(t.nums('id')).indexOf(id);
  return row < 0 ? '' : (t.str('name', row) ?? `node ${id}`);
}
const KINDS: Record<string, string> = {
  normal: 'Scheduler',
  dirty_cpu: 'Dirty CPU',
  dirty_io: 'Dirty IO',
  unknown: 'Unknown',
};
/** What a scheduler is called: by its kind and number, and its node where there are several. */
export function schedulerName(id: number): string {
  const t = info.value!.answer.tables.scheduler!;
  const row = Array.from(t.nums('id')).indexOf(id);
  if (row < 0) return '–';
  const kind = t.str('kind', row) ?? '';
  return `${nodeName(t.num('node', row))} ${KINDS[kind] ?? kind} ${t.num('number', row)}`.trim();
}
