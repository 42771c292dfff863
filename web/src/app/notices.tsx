// Notices that apply to every view: unknown times, losses, counted calls, a saved report, a replaced profile.
import { count, duration } from '../lib/format';
import type { Table } from '../lib/table';
import { useAnswer } from '../state/data';
import { fact, info, timed } from '../state/info';
import { narrowed, place } from '../state/place';
import { recording } from '../state/recording';
import { report } from '../state/report';
import { wholeTimeline } from '../state/timeline';

/** Returns the class of lost events, or "events" if the class is unknown. */
const kindOf = (t: Table, i: number) => (t.str('class', i) ?? 'any').replace(/^any$/, 'events');

/** Returns a sentence about lost events by class, and one about places of the trace that could not be read. */
function lossText(t: Table): string {
  const sums = new Map<string, number>();
  for (let i = 0; i < t.rows; i++) sums.set(kindOf(t, i), (sums.get(kindOf(t, i)) ?? 0) + (t.num('events', i) || 0));
  const damage = sums.get('damage') ?? 0;
  sums.delete('damage');
  const lost = sums.size ? `Lost while recording: ${[...sums].map(([k, n]) => `${count(n)} ${k}`).join(', ')}. ` : '';
  const places = damage === 1 ? '1 place of the trace is' : `${count(damage)} places of the trace are`;
  return lost + (damage ? `${places} damaged; their events are missing. ` : '');
}

/** The resolution of a saved report: shorter times are averaged over a bucket. */
function Finest() {
  const t = useAnswer(report ? wholeTimeline() : null).value?.tables.timeline;
  return t?.rows ? <>Its finest resolution is {duration(t.num('dur', 0))}; shorter times are averaged. </> : null;
}

/** Facts that a reader must know before any view. */
export function Notices() {
  const t = info.value?.answer.tables.loss;
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
  if (t && t.rows > 0)
    notices.push(
      <div class="notice" key="loss" role="status">
        <b>Part of the run is missing.</b>
        <span>{lossText(t)} States around a loss are unknown.</span>
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
