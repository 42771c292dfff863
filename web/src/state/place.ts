// Where the page is: the address, as a signal. Views read the parts, and `go` changes them.
import { computed, signal } from '@preact/signals';
import { parse, write, type Place } from '../lib/route';
import { clamp, isWhole, type Range } from '../lib/window';
import { begin, end } from './settled';

export const place = signal<Place>(parse(location.hash));
addEventListener('hashchange', () => {
  if (write(place.value) !== location.hash) place.value = parse(location.hash);
});

export const run = signal<Range>([0, 1]);
/** The time looked at: the window of the address, or the whole run. */
export const range = computed<Range>(() => (place.value.range ? clamp(place.value.range, run.value) : run.value));
export const narrowed = computed(() => !isWhole(range.value, run.value));

/** The parts of a place are numbers, texts, and lists and records of them. */
const same = (a: unknown, b: unknown) => a === b || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b));

let later: ReturnType<typeof setTimeout> | undefined;
let moving = false; // the entry of the history belongs to the movement that goes on
/** Changes part of the place. `quiet` steps (a running drag or zoom) share one entry of the history, and the address
    follows them at its own pace: browsers let nobody write it sixty times a second. */
export function go(change: Partial<Place>, quiet = false) {
  const next = { ...place.value, ...change };
  if (Object.keys(change).every((k) => same(next[k as keyof Place], place.value[k as keyof Place]))) return;
  if (!quiet) {
    hurry();
    place.value = next;
    history.pushState(null, '', write(next));
    return;
  }
  place.value = next;
  if (!moving) history.pushState(null, '', write(next));
  moving = true;
  if (later !== undefined) clearTimeout(later);
  else begin();
  later = setTimeout(hurry, 250);
}
/** The movement is over: the address says where it led. */
function hurry() {
  moving = false;
  if (later === undefined) return;
  clearTimeout(later);
  later = undefined;
  end();
  history.replaceState(null, '', write(place.value));
}
export function look(r: Range | null, quiet = false) {
  const to = r ? clamp(r, run.value) : null;
  go({ range: to && !isWhole(to, run.value) ? to : null }, quiet);
}
/** To another view; the selection comes along, what belonged to the old view stays behind. */
export const view = (name: string, id: string | null = null, own: Record<string, string> = {}) => go({ view: name, id, own });
export const own = (key: string, value: string) => go({ own: { ...place.value.own, [key]: value } });
export const href = (name: string, id: string | null = null, change: Partial<Place> = {}) =>
  write({ ...place.value, own: {}, ...change, view: name, id });

export function tick(id: number, on = !place.value.ticked.includes(id)) {
  const rest = place.value.ticked.filter((p) => p !== id);
  go({ ticked: on ? [...rest, id] : rest });
}
