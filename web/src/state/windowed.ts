// Pictures over time: what is asked for them as the window moves, and what is asked ahead when the hand rests.
import { effect, untracked } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { tiled, zoom, type Tiles } from '../lib/window';
import { askAhead, giveUpAhead, useFollowing } from './data';
import { range, run } from './place';
import { report } from './report';
import { atRest } from './settled';

const REST = 400; // milliseconds without a movement: a hand that goes on would wait for what was asked ahead
/** A step of the keys in, and one out (app/keys.tsx). */
export const STEP = 0.6;

/** While nothing moves and nothing else is asked, the pictures that a step of the zoom would show are asked for, one by one. */
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

/** The answer to a question about the window and some time beside it, which is not asked anew while that holds the window. */
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
