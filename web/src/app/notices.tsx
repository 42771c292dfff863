// Notices that apply to every view: unknown times, losses, counted calls, a saved report, a replaced profile.
import { duration } from '../lib/format';
import { useAnswer } from '../state/data';
import { fact, timed } from '../state/info';
import { narrowed, outside, place, run } from '../state/place';
import { recording } from '../state/recording';
import { report } from '../state/report';
import { wholeTimeline } from '../state/timeline';

/** The resolution of a saved report: shorter times are averaged over a bucket. */
function Finest() {
  const t = useAnswer(report ? wholeTimeline() : null).value?.tables.timeline;
  return t?.rows ? <>Its finest resolution is {duration(t.num('dur', 0))}; shorter times are averaged. </> : null;
}

/** Facts that a reader must know before any view. */
export function Notices() {
  const lost = fact('lost');
  const notices = [];
  if (!timed())
    notices.push(
      <div class="notice" key="timed" role="status">
        <b>No times are known.</b>
        <span>
          The trace has no time stamps. Counts are shown, in the order of the file; times and durations are unknown.
        </span>
      </div>,
    );
  if (outside.value)
    notices.push(
      <div class="notice" key="outside" role="status">
        <b>The time range is outside the run.</b>
        <span>
          The run lasts {duration(run.value[1])}, and the range begins at {duration(outside.value[0])}; the whole run is
          shown.
        </span>
      </div>,
    );
  if (lost)
    notices.push(
      <div class="notice" key="loss" role="status">
        <b>Part of the run is missing.</b>
        <span>Lost: {lost}. States around a loss are unknown.</span>
      </div>,
    );
  const counted = String(fact('counted') ?? '').replace(/^COUNTED: /, '');
  if (counted)
    notices.push(
      <div class="notice" key="counted" role="status">
        <b>Some calls were only counted.</b>
        <span>{counted.replace(/^from/, 'From')}.</span>
      </div>,
    );
  if (report && (narrowed.value || place.value.ticked.length))
    notices.push(
      <div class="notice" key="report" role="status">
        <b>A saved report.</b>
        <span>
          Pictures over time follow the time range and the selected processes; sums, calls and messages cover the whole
          run and all processes. <Finest />
          Use strobe serve to narrow all of them.
        </span>
      </div>,
    );
  if (recording.value?.said)
    notices.push(
      <div class="notice" key="recording" role="status">
        <span>{recording.value.said}</span>
      </div>,
    );
  if (fact('replaced'))
    notices.push(
      <div class="notice" key="replaced" role="status">
        <b>The profile was replaced on disk.</b>
        <span>This page shows the profile that was opened. Restart strobe serve to see the new one.</span>
      </div>,
    );
  return <>{notices}</>;
}
