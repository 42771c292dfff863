// Where the page is: the address, as a signal. Views read the parts, and `go` changes them.
import { batch, computed, signal } from '@preact/signals';
import { parse, write, type Place } from '../lib/route';
import { clamp, isWhole, type Range } from '../lib/window';
import { begin, end } from './settled';

export const place = signal<Place>(parse(location.hash));
addEventListener('hashchange', () => {
  if (write(place.value) === location.hash) return;
  live.value = null;
  place.value = parse(location.hash);
});

export const run = signal<Range>([0, 1]);
/** The window while it moves: pictures follow it, whatever else depends on the place waits until the hand rests. */
const live = signal<Range | null>(null);
/** The time looked at: the window of the address, or the whole run. */
const rested = computed<Range>(() => (place.value.range ? clamp(place.value.range, run.value) : run.value));
export const range = computed<Range>(() => live.value ?? rested.value);
/** What a question about the window carries: nothing for the whole run. */
export const asked = (): { t0?: number; t1?: number } =>
  isWhole(rested.value, run.value) ? {} : { t0: rested.value[0], t1: rested.value[1] };
export const narrowed = computed(() => !isWhole(range.value, run.value));

/** The parts of a place are numbers, texts, and lists and records of them. */
const same = (a: unknown, b: unknown) => a === b || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b));

const REST = 120; // milliseconds without a movement
let later: ReturnType<typeof setTimeout> | undefined;
let moving = false; // the entry of the history belongs to the movement that goes on
function soon(next: Place) {
  if (!moving) history.pushState(null, '', write(next));
  moving = true;
  if (later !== undefined) clearTimeout(later);
  else begin();
  later = setTimeout(hurry, REST);
}
/** Changes part of the place. `quiet` steps (a running drag or zoom) share one entry of the history, and the address
    follows them at its own pace: browsers let nobody write it sixty times a second. */
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
const windowOf = (r: Range): Range | null => (isWhole(r, run.value) ? null : r);
/** The movement is over: the place, and the address, say where it led. */
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
/** To another view; the selection comes along, what belonged to the old view stays behind. */
export const view = (name: string, id: string | null = null, own: Record<string, string> = {}) =>
  go({ view: name, id, own });
export const own = (key: string, value: string) => go({ own: { ...place.value.own, [key]: value } });
/** Whether a part of the view is unfolded: the address lists those that are. */
export const isOpen = (part: string) => (place.value.own.open ?? '').split('.').includes(part);
export function unfoldPart(part: string, open: boolean) {
  const rest = (place.value.own.open ?? '').split('.').filter((p) => p && p !== part);
  own('open', (open ? [...rest, part] : rest).join('.'));
}
/** The address of this view with a change. */
export const here = (change: Partial<Place>) => write({ ...place.value, ...change });
export const href = (name: string, id: string | null = null, change: Partial<Place> = {}) =>
  write({ ...place.value, own: {}, ...change, view: name, id });

export function tick(id: number, on = !place.value.ticked.includes(id)) {
  const rest = place.value.ticked.filter((p) => p !== id);
  go({ ticked: on ? [...rest, id] : rest });
}
