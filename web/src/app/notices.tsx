// What holds for every view: unknown times, losses, a saved report, a profile that was replaced.
import { count, duration } from '../lib/format';
import type { Table } from '../lib/table';
import { useAnswer } from '../state/data';
import { fact, info, timed } from '../state/info';
import { narrowed, place } from '../state/place';
import { report } from '../state/report';
import { wholeTimeline } from '../state/timeline';

/** What was lost: a class of events, or ("any") events of which nothing is known. */
const kindOf = (t: Table, i: number) => (t.str('class', i) ?? 'any').replace(/^any$/, 'events');

/** Events that were dropped, by class; places that could not be read are another matter. */
function lossText(t: Table): string {
  const sums = new Map<string, number>();
  for (let i = 0; i < t.rows; i++) sums.set(kindOf(t, i), (sums.get(kindOf(t, i)) ?? 0) + (t.num('events', i) || 0));
  const damage = sums.get('damage') ?? 0;
  sums.delete('damage');
  const lost = sums.size ? `Lost while recording: ${[...sums].map(([k, n]) => `${count(n)} ${k}`).join(', ')}. ` : '';
  return (
    lost +
    (damage
      ? `${damage === 1 ? '1 place of the trace is' : `${count(damage)} places of the trace are`} damaged, and what they held is not here. `
      : '')
  );
}

/** How fine a saved report is: what is shorter than its buckets is an average over one. */
function Finest() {
  const t = useAnswer(report ? wholeTimeline() : null).value?.tables.timeline;
  return t?.rows ? (
    <>Its finest resolution is {duration(t.num('dur', 0))}: anything shorter is an average over that time. </>
  ) : null;
}

/** What everybody has to know of the run before looking at any view of it. */
export function Notices() {
  const t = info.value?.answer.tables.loss;
  const notices = [];
  if (!timed())
    notices.push(
      <div class="notice" key="timed" role="status">
        <b>No times are known.</b>
        <span>
          The trace has no time stamps: what can be counted is told, in the order of the file; when things happened and
          how long they took is not.
        </span>
      </div>,
    );
  if (t && t.rows > 0)
    notices.push(
      <div class="notice" key="loss" role="status">
        <b>Part of the run is missing.</b>
        <span>{lossText(t)} Times around a gap count as unknown.</span>
      </div>,
    );
  if (report && (narrowed.value || place.value.ticked.length))
    notices.push(
      <div class="notice" key="report" role="status">
        <b>A saved report.</b>
        <span>
          Pictures over time follow the time range and the selected processes; sums, calls and messages are of the whole
          run and of all processes. <Finest />
          strobe serve narrows all of them.
        </span>
      </div>,
    );
  if (fact('replaced'))
    notices.push(
      <div class="notice" key="replaced" role="status">
        <b>The profile was replaced on disk.</b>
        <span>This page still shows the one that was opened; start strobe serve again for the new one.</span>
      </div>,
    );
  return <>{notices}</>;
}
