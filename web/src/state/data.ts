// Requests to the server, or to the data inside a report. The last 60 answers are cached. A view that asks again
// cancels its request in flight; the old answer remains on the screen until the new one arrives. A question that is
// asked again about the next edition shows no sign of loading, and its answer remains if the new one fails.
import { effect, untracked } from '@preact/signals';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { bytesOf, inDocument } from '../lib/document';
import { decode, type Answer } from '../lib/table';
import { edition, question } from './edition';
import { opened, place } from './place';
import { report } from './report';
import { begin, end } from './settled';

export interface Loaded<T> {
  value: T | null;
  error: string | null;
  loading: boolean;
}

export class Refused extends Error {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

async function refusal(r: Response): Promise<Refused> {
  const text = await r.text();
  try {
    const e = JSON.parse(text) as { error: string; advice?: string };
    return new Refused(e.advice ? `${e.error}: ${e.advice}` : e.error, r.status);
  } catch {
    return new Refused(text.slice(0, 300) || `the server answered ${r.status}`, r.status);
  }
}

const kept = new Map<string, Answer>();
const MOST_KEPT = 60;
function keep(path: string, a: Answer) {
  kept.delete(path);
  kept.set(path, a);
  if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value!);
}
export const forget = () => kept.clear();
/** Returns a cached answer. */
export const known = (path: string): Answer | null => kept.get(path) ?? null;
// the document holds the answers for the first picture
for (const [path, base64] of Object.entries(inDocument<Record<string, string>>('first') ?? {}))
  keep(path, decode(bytesOf(base64)));

async function fetched(path: string, options: RequestInit): Promise<Answer> {
  const r = await fetch(path, options);
  if (!r.ok) throw await refusal(r);
  const a = decode(await r.arrayBuffer());
  if (options.method !== 'POST') keep(path, a);
  return a;
}

/** A request made ahead of its use. A view that needs the answer waits for it; otherwise the request is cancelled. */
let coming: { path: string; answer: Promise<Answer>; stop: AbortController } | null = null;
export async function askAhead(path: string) {
  if (known(path)) return;
  const stop = new AbortController();
  const mine = { path, answer: fetched(path, { signal: stop.signal, priority: 'low' }), stop };
  coming = mine;
  await mine.answer.catch(() => null); // a view that needs it asks again, and shows the error
  if (coming === mine) coming = null;
}
export function giveUpAhead() {
  coming?.stop.abort();
  coming = null;
}
/** Takes the request over: it is no longer cancelled. */
function claimed(path: string): Promise<Answer | null> | null {
  if (coming?.path !== path) return null;
  const { answer } = coming;
  coming = null;
  return answer.catch(() => null);
}

export async function ask(path: string, signal?: AbortSignal, body?: string): Promise<Answer> {
  const old = body === undefined ? known(path) : null;
  if (old) return old;
  begin();
  try {
    if (report) return await report.answer(path);
    if (body !== undefined) return await fetched(path, { method: 'POST', body, signal });
    return (await claimed(path)) ?? (await fetched(path, { signal }));
  } finally {
    end();
  }
}

export const messageOf = (e: unknown) =>
  e instanceof TypeError && /fetch/i.test(e.message)
    ? 'The server does not answer. Is `strobe serve` still running?'
    : e instanceof Error
      ? e.message
      : String(e);

const present = (value: Answer | null, asked: boolean): Loaded<Answer> => ({
  value,
  error: null,
  loading: asked && !value,
});
const failed = (e: unknown): Loaded<Answer> => ({ value: null, error: messageOf(e), loading: false });

/** Returns the answer to a question that follows the time range. One request runs at a time, then the newest. An
    answer is shown even if the range has moved on, because it is nearer than the previous one. `pathOf` reads
    signals, outside of renders. */
export function useFollowing(pathOf: () => string | null, deps: unknown[]): Loaded<Answer> & { fresh: () => boolean } {
  const path = useRef(pathOf);
  path.current = pathOf;
  const shown = useRef<string | null>(null);
  const [state, set] = useState<Loaded<Answer>>(() => {
    const first = untracked(pathOf);
    const value = first === null ? null : known(first);
    if (value) shown.current = first;
    return present(value, true);
  });
  useLayoutEffect(() => {
    let busy = false;
    let over = false;
    const show = (wanted: string, answer: Loaded<Answer>) => {
      shown.current = wanted;
      set(answer);
    };
    const next = (wanted: string | null) => {
      if (busy || over || wanted === null || wanted === shown.current) return;
      const old = known(wanted);
      if (old) return show(wanted, present(old, true));
      busy = true;
      const again = shown.current !== null && question(shown.current) === question(wanted);
      if (!again) set((s) => ({ ...s, loading: true }));
      const done = (answer: Loaded<Answer>) => {
        busy = false;
        if (over) return;
        if (again && answer.error !== null) shown.current = wanted;
        else show(wanted, answer);
        next(untracked(pathOf));
      };
      ask(wanted).then(
        (value) => done(present(value, true)),
        (e: unknown) => done(failed(e)),
      );
    };
    const stop = effect(() => {
      const wanted = opened.value === place.value.profile ? pathOf() : null;
      untracked(() => next(wanted));
    });
    return () => {
      over = true;
      stop();
    };
  }, deps);
  return { ...state, fresh: () => shown.current === untracked(path.current) };
}

const NOTHING = present(null, false);
/** Returns the answer to a path; null asks nothing. */
export function useAnswer(path: string | null): Loaded<Answer> {
  const [state, set] = useState<Loaded<Answer>>(() => present(path ? known(path) : null, path !== null));
  const shown = useRef<string | null>(state.value ? path : null);
  useLayoutEffect(() => {
    if (path === null || shown.current === path) return undefined;
    const show = (value: Answer) => {
      shown.current = path;
      set(present(value, true));
    };
    const old = known(path);
    if (old) return show(old);
    const stop = new AbortController();
    const again = shown.current !== null && question(shown.current) === question(path);
    if (!again) set((s) => ({ ...s, loading: true }));
    ask(path, stop.signal).then(show, (e: unknown) => {
      if (!stop.signal.aborted && !again) set(failed(e));
    });
    return () => stop.abort();
  }, [path]);
  return path === null ? NOTHING : state;
}

/** Returns the path of a question about the current profile. Empty parameters are omitted, so equal questions have
    equal paths. */
export function api(route: string, params: Record<string, string | number | null | undefined> = {}): string {
  const all: typeof params = {
    edition: edition.value,
    ...params,
    profile: params.profile ?? (place.value.profile || null),
  };
  const q = Object.entries(all)
    .filter(([, v]) => v !== null && v !== undefined && v !== '')
    .map(([k, v]) => `${k}=${encodeURIComponent(String(v))}`);
  return `api/${route}${q.length ? `?${q.join('&')}` : ''}`;
}
