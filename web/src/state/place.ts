// The address of the page as a signal. Views read its parts, and `go` changes them.
import { batch, computed, signal } from '@preact/signals';
import { parse, write, type Place } from '../lib/route';
import { where } from '../lib/rows';
import type { Table } from '../lib/table';
import { clamp, isWhole, type Range } from '../lib/window';
import { begin, end } from './settled';

export const place = signal<Place>(parse(location.hash));
addEventListener('hashchange', () => {
  if (write(place.value) === location.hash) return;
  live.value = null;
  place.value = parse(location.hash);
});

/** The profile that is open: that of the address, unless the page still waits for it. */
export const opened = signal<number | null>(null);
export const run = signal<Range>([0, 1]);
/** The range during a movement: pictures follow it; everything else waits until the pointer rests. */
const live = signal<Range | null>(null);
/** The range of the address where nothing of the run is in it: an address of another profile, or written by hand. */
export const outside = computed<Range | null>(() =>
  place.value.range && place.value.range[0] >= run.value[1] ? place.value.range : null,
);
/** The selected range: that of the address, or the whole run. */
const rested = computed<Range>(() =>
  place.value.range && !outside.value ? clamp(place.value.range, run.value) : run.value,
);
export const range = computed<Range>(() => live.value ?? rested.value);
/** Returns the parameters of a question about the range: none for the whole run. */
export const asked = (): { t0?: number; t1?: number } =>
  isWhole(rested.value, run.value) ? {} : { t0: rested.value[0], t1: rested.value[1] };
/** Returns the same for an answer of `strobe report`. */
export const within = (): { since?: number; until?: number } => {
  const { t0, t1 } = asked();
  return { since: t0, until: t1 };
};
/** Returns the rows of a table whose span is in the selected range, by the rule of src/profile/range.h. */
export function inView(t: Table, start: string, endOf: (row: number) => number): Table {
  const [from, to] = range.value;
  const open = to >= run.value[1];
  return where(t, (i) => (open || t.num(start, i) < to) && (endOf(i) > from || t.num(start, i) >= from));
}
export const narrowed = computed(() => !isWhole(range.value, run.value));

/** Compares two parts of a place: numbers, texts, or lists and records of them. */
const same = (a: unknown, b: unknown) => a === b || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b));

const REST = 120; // milliseconds without a movement
let later: ReturnType<typeof setTimeout> | undefined;
let moving = false; // the last entry of the history belongs to the current movement
function soon(next: Place) {
  if (!moving) history.pushState(null, '', write(next));
  moving = true;
  if (later !== undefined) clearTimeout(later);
  else begin();
  later = setTimeout(hurry, REST);
}
/** Changes part of the place. `quiet` steps (of a drag or a zoom) share one entry of the history, and the address
    follows later: browsers limit how often a page may change it. */
export function go(change: Partial<Place>, quiet = false) {
  if (!quiet) hurry();
  const next = { ...place.value, ...change };
  if (Object.keys(change).every((k) => same(next[k as keyof Place], place.value[k as keyof Place]))) return;
  if (!quiet) {
    place.value = next;
    history.pushState(null, '', write(next));
    return;
  }
  place.value = next;
  soon(next);
}
/** Sets the end of a run that grows. A selected range that touches the end follows it; any other stays. */
export function grow(end: number) {
  const [first, last] = run.value;
  const selected = place.value.range;
  run.value = [first, end];
  if (!selected || selected[1] < last || live.value) return;
  place.value = { ...place.value, range: [Math.max(first, selected[0] + end - last), end] };
  history.replaceState(null, '', write(place.value));
}
/** Returns the range that shows a span: the current one if the span is inside, else one of its width or wider. */
export function showing([from, to]: Range): Range | null {
  const [first, last] = range.value;
  if (!narrowed.value || (from >= first && to <= last)) return place.value.range;
  const half = Math.max(last - first, 2 * (to - from)) / 2;
  const middle = (from + to) / 2;
  return clamp([middle - half, middle + half], run.value);
}
const windowOf = (r: Range): Range | null => (isWhole(r, run.value) ? null : r);
/** Ends a movement: sets the place and the address to its last range. */
function hurry() {
  moving = false;
  if (later === undefined) return;
  clearTimeout(later);
  later = undefined;
  batch(() => {
    if (live.value) place.value = { ...place.value, range: windowOf(live.value) };
    live.value = null;
  });
  history.replaceState(null, '', write(place.value));
  end();
}
export function look(r: Range | null, quiet = false) {
  const to = r ? clamp(r, run.value) : run.value;
  if (!quiet) return go({ range: windowOf(to) });
  if (same(to, range.value)) return;
  live.value = to;
  soon({ ...place.value, range: windowOf(to) });
}
/** Goes to another view, with the selection but without the parameters of the old view. */
export const view = (name: string, id: string | null = null, own: Record<string, string> = {}) =>
  go({ view: name, id, own });
export const own = (key: string, value: string) => go({ own: { ...place.value.own, [key]: value } });
/** Whether messages are arrows between lanes. */
export const showsFlows = () => place.value.own.flows !== 'no';
/** Whether a part of the view is unfolded; the address lists these parts. */
export const isOpen = (part: string) => (place.value.own.open ?? '').split('.').includes(part);
export function unfoldPart(part: string, open: boolean) {
  const rest = (place.value.own.open ?? '').split('.').filter((p) => p && p !== part);
  own('open', (open ? [...rest, part] : rest).join('.'));
}
/** Returns the address of this view with a change. */
export const here = (change: Partial<Place>) => write({ ...place.value, ...change });
export const href = (name: string, id: string | null = null, change: Partial<Place> = {}) =>
  write({ ...place.value, own: {}, ...change, view: name, id });

export function tick(id: number, on = !place.value.ticked.includes(id)) {
  const rest = place.value.ticked.filter((p) => p !== id);
  go({ ticked: on ? [...rest, id] : rest });
}
