// Requests of pictures over time: for the range while it moves, and ahead of the next step when it rests.
import { effect, untracked } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { tiled, zoom, type Tiles } from '../lib/window';
import { askAhead, giveUpAhead, useFollowing } from './data';
import { range, run } from './place';
import { report } from './report';
import { atRest } from './settled';

const REST = 400; // milliseconds without a movement: a request made ahead would delay one that the next movement needs
/** The factor of one zoom step by key (app/keys.tsx). */
export const STEP = 0.6;

/** Requests the pictures of the next zoom steps, one by one, while nothing moves and no other request is in flight. */
function useAhead(next: () => (string | null)[]) {
  const paths = useRef(next);
  paths.current = next;
  useEffect(() => {
    if (report) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    let turn = 0;
    const ahead = async (mine: number) => {
      if (!atRest()) return wait(mine);
      for (const path of untracked(paths.current)) if (mine === turn && path) await askAhead(path);
    };
    const wait = (mine: number) => {
      timer = setTimeout(() => void ahead(mine), REST);
    };
    const stop = () => {
      turn++;
      clearTimeout(timer);
      giveUpAhead();
    };
    const off = effect(() => {
      void range.value;
      stop();
      wait(turn);
    });
    return () => {
      off();
      stop();
    };
  }, []);
}

/** Returns the answer to a question about the range and some time around it; it is asked again when the range leaves
    that. */
export function useWindowed(question: (t: Tiles) => string | null, deps: unknown[]) {
  const tiles = useRef<Tiles | null>(null);
  const shown = useFollowing(() => {
    tiles.current = tiled(range.value, run.value, tiles.current);
    return question(tiles.current);
  }, deps);
  useAhead(() =>
    [STEP, 1 / STEP].map((factor) => question(tiled(zoom(range.value, run.value, factor), run.value, tiles.current))),
  );
  return shown;
}
