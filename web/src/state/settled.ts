// Tells the outside (tests, a screenshot) when the page shows what its address says: nothing is being asked, nothing waits
// for the hand to rest, and everything that follows from the last answer was drawn. Then the root element carries the
// address as data-settled; any change takes it away at once.
import { effect, signal, type Signal } from '@preact/signals';
import { parse, write, type Place } from '../lib/route';

/** Questions under way, and hands that have not come to rest. */
const open = signal(0);
export const begin = () => void open.value++;
export const end = () => void open.value--;
export const atRest = () => open.peek() === 0;

/** A picture over time was drawn, with what its window asks for or with what was there before: the moment it caught up is
    told too, in milliseconds since the page was asked for (bench/page.sh). */
let behind = true;
export function drawn(fresh: boolean) {
  if (fresh && behind)
    requestAnimationFrame(() => (document.documentElement.dataset.drawn = String(performance.now())));
  behind = !fresh;
}

// an answer becomes a picture, and a picture a new question, within a frame and the timeouts it sets
const ROUNDS = 3;

export function tellWhenSettled(place: Signal<Place>) {
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
  addEventListener('hashchange', begun); // another way to write the same place
}
