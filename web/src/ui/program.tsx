// The program without start-up and shutdown, as the time range of all views.
import { api, useAnswer } from '../state/data';
import { scheduled } from '../state/info';
import { look, narrowed } from '../state/place';
import { grows } from '../state/recording';
import type { Range } from '../lib/window';

/** The time of the program, where it is a part of the run; null: it is the whole of it, or unknown. */
export function useProgram(asks: boolean): Range | null {
  const meta = useAnswer(asks ? api('overview', { of: 'program' }) : null).value?.meta;
  const [from, to] = [Number(meta?.from_ns ?? NaN), Number(meta?.to_ns ?? NaN)];
  return Number.isNaN(from) ? null : [from, to];
}

/** Narrows all views to the program, where it is a part of the run that they show. */
export function ProgramAlone({ text }: { text: string }) {
  const program = useProgram(scheduled() && !grows() && !narrowed.value);
  if (!program) return null;
  return (
    <button type="button" class="button quiet" onClick={() => look(program)}>
      {text}
    </button>
  );
}
