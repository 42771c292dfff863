// The program without start-up and shutdown, as the time range of all views.
import { api, useAnswer } from '../state/data';
import { scheduled } from '../state/info';
import { look, narrowed } from '../state/place';
import { grows } from '../state/recording';

/** Narrows all views to the program, where it is a part of the run that they show. */
export function ProgramAlone({ text }: { text: string }) {
  const asks = scheduled() && !grows() && !narrowed.value;
  const meta = useAnswer(asks ? api('overview', { of: 'program' }) : null).value?.meta;
  const [from, to] = [Number(meta?.from_ns ?? NaN), Number(meta?.to_ns ?? NaN)];
  if (!asks || Number.isNaN(from)) return null;
  return (
    <button type="button" class="button quiet" onClick={() => look([from, to])}>
      {text}
    </button>
  );
}
