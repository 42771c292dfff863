// The sign of a recording that the page follows: how far it is behind, and whether it stands still.
import { duration } from '../lib/format';
import { info } from '../state/info';
import { look, range, run } from '../state/place';
import { grows, LAST, paused, RECENT, recently, recording } from '../state/recording';

function text(): string {
  const { state, behind } = recording.value!;
  if (state === 'gone') return 'strobe serve has ended';
  if (paused.value) return `Paused at ${duration(info.value!.end)}`;
  if (state === 'ended') return 'The recording has ended';
  if (state === 'ending') return 'The recording has ended; the rest is being read';
  return behind === null ? 'Live' : `Live, ${duration(behind)} behind`;
}

/** Narrows all views to the end of the recording, and back; the range follows the recording. */
function Recent() {
  const { t0, t1 } = recently();
  const on = range.value[0] > run.value[0] && range.value[0] >= t0 - RECENT / 10 && range.value[1] >= t1;
  return (
    <button type="button" class="button quiet" onClick={() => look(on ? null : [t0, t1])}>
      {on ? 'Since the start' : `Last ${LAST}`}
    </button>
  );
}

export function Live() {
  const now = recording.value;
  if (!now) return null;
  const follows = now.state === 'recording' && !paused.value;
  return (
    <span class="live">
      <span class={follows ? 'sign on' : 'sign'} data-state={paused.value ? 'paused' : now.state}>
        {text()}
      </span>
      {grows() && <Recent />}
      {(paused.value || now.state === 'recording') && (
        <button
          type="button"
          class="button quiet"
          onClick={() => (paused.value = !paused.value)}
          title={paused.value ? 'Show what was recorded since' : 'Let the page stand still while the recording goes on'}
        >
          {paused.value ? 'Resume' : 'Pause'}
        </button>
      )}
    </span>
  );
}
