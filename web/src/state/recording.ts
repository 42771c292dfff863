// The recording of a trace that is still being written. The server analyses it as it grows, and each profile is an
// edition. The page follows the newest one, unless it is paused, and claims the one that it shows, so that the server
// keeps it.
import { signal } from '@preact/signals';
import { decode } from '../lib/table';
import { edition } from './edition';
import { place, run } from './place';
import { atRest } from './settled';

export interface Recording {
  state: 'recording' | 'ending' | 'ended' | 'gone'; // gone: the server does not answer
  behind: number | null; // nanoseconds of the recording that the newest edition does not cover
  said: string; // how the recording ended, or what is wrong with it
}
/** Null: the trace was complete when the page opened it. */
export const recording = signal<Recording | null>(null);
export const paused = signal(false);

/** The part of a recording that goes on which the page shows beside the whole, in nanoseconds. */
export const RECENT = 10e9;
export const LAST = `${RECENT / 1e9} s`;
/** Whether the recording goes on, and is longer than that part. */
export const grows = () => recording.value?.state === 'recording' && run.value[1] > RECENT;
export const recently = () => ({ t0: run.value[1] - RECENT, t1: run.value[1] });

const PERIOD = 500; // milliseconds between two questions
let turn = 0;

export function leaveRecording() {
  turn++;
  recording.value = null;
  paused.value = false;
  edition.value = null;
}

async function news(n: number): Promise<{ now: Recording; newest: number } | null> {
  try {
    const r = await fetch(`api/recording?profile=${n}&claim=${edition.value ?? 0}`);
    const { meta } = decode(await r.arrayBuffer());
    const behind = meta.behind_ns === null ? null : Number(meta.behind_ns);
    const now = { state: meta.state as Recording['state'], behind, said: String(meta.said ?? '') };
    return { now, newest: Number(meta.edition) };
  } catch {
    return null;
  }
}

/** Follows the recording of profile `n`; `show` changes the page to an edition. It is called when no other request is
    in flight, since a slow answer to a question about an old edition would never arrive. */
export function followRecording(n: number, show: (newest: number) => Promise<void>) {
  const mine = ++turn;
  const step = async () => {
    const got = await news(n);
    if (mine !== turn || n !== place.value.profile) return;
    if (got) {
      if (got.newest > (edition.value ?? 0) && !paused.value && atRest()) await show(got.newest);
      if (mine !== turn) return;
      recording.value = got.now;
      if (got.now.state === 'ended' && (edition.value ?? 0) === got.newest) return;
    } else if (recording.value) recording.value = { ...recording.value, state: 'gone', behind: null };
    setTimeout(() => void step(), PERIOD);
  };
  void step();
}
