// Reports to tests and screenshots when the page shows what its address says: no request is in flight, no movement is
// unfinished, and everything that follows from the last answer was drawn. Then the root element has the address as
// data-settled; any change removes it at once.
import { effect, signal, type Signal } from '@preact/signals';
import { parse, write, type Place } from '../lib/route';

/** The number of requests in flight and of unfinished movements. */
const open = signal(0);
export const begin = () => void open.value++;
export const end = () => void open.value--;
export const atRest = () => open.peek() === 0;

/** Called when a picture over time was drawn, with the answer for its range (`fresh`) or with the previous one. The
    moment at which it catches up is reported in milliseconds since the page was requested (bench/page.sh). */
let behind = true;
export function drawn(fresh: boolean) {
  if (fresh && behind)
    requestAnimationFrame(() => (document.documentElement.dataset.drawn = String(performance.now())));
  behind = !fresh;
}

// an answer leads to a picture, and a picture to a new question, within one frame and its timeouts
const ROUNDS = 3;

export function reportSettled(place: Signal<Place>) {
  let turn = 0;
  const root = document.documentElement;
  const round = (mine: number, left: number) => {
    if (mine !== turn) return;
    if (left > 0) requestAnimationFrame(() => setTimeout(() => round(mine, left - 1)));
    else if (write(parse(location.hash)) === write(place.value)) root.dataset.settled = location.hash;
  };
  const begun = () => {
    delete root.dataset.settled;
    turn++;
    if (open.peek() === 0) round(turn, ROUNDS);
  };
  effect(() => {
    void open.value;
    void place.value;
    begun();
  });
  addEventListener('hashchange', begun); // also if the address is another spelling of the same place
}
