// The panel of stacks over time below lanes: of one process, or of one scheduler.
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { MOST_ROWS, StackChart } from '../draw/stack_chart';
import { rowsOf, stackOfCalls, stackOfSamples } from '../draw/stacks';
import { count, counted } from '../lib/format';
import { functionName } from '../lib/names';
import type { Answer } from '../lib/table';
import { api, useAnswer } from '../state/data';
import { elixir, rows } from '../state/info';
import { select } from '../state/moment';
import { whoIs } from '../state/people';
import { here, href, inView, own, place } from '../state/place';
import { report } from '../state/report';
import { useWindowed } from '../state/windowed';
import { Busy, Choice, MomentLink, NotSaved, Panel, Problem, SOURCES } from './bits';
import { callsOf } from './called';
import { Twin } from './grid';

const MOST = 4096; // samples
const MOST_CALLS = 60000;
const LABEL = 'Stacks in view';

/** Returns the boxes, from how many samples one was taken (0: they are calls), and how many calls are missing. */
function useBoxes(answer: Answer | null, cpu: boolean, id: number) {
  const frames = useAnswer(cpu ? api('ask/sampled_frames') : null).value?.tables;
  return useMemo(() => {
    const { call, sample } = answer?.tables ?? {};
    const missing = call?.rows ? call.num('known', 0) - call.rows : 0;
    if (!cpu) return { boxes: call ? stackOfCalls(call, id) : null, every: 0, missing };
    if (!sample || !frames) return { boxes: null, every: 0, missing: 0 };
    const every = sample.rows ? sample.num('every', 0) : 1;
    const period = frames.period!.rows ? frames.period!.num('period_ns', 0) : 0;
    return { boxes: stackOfSamples(sample, frames.frame!, 2 * every * period), every, missing: 0 };
  }, [answer, frames, cpu, id]);
}

const CALLS =
  'width = time on the stack; a row of low boxes: close calls of a function, of which only the sum is known';

function howOf(every: number): string {
  const each = every > 1 ? `1 of ${count(every)} samples is drawn, at its moment` : 'each sample at its moment';
  return `${each}; equal frames of neighbouring samples are one box`;
}

export function Stacks({
  of,
  id,
  left,
  title,
  tools,
}: {
  of: 'process' | 'scheduler';
  id: number;
  left: number;
  title: string;
  tools?: ComponentChildren;
}) {
  const called = of === 'process' && rows('activation') > 0;
  const sampled = rows('cpu_tick') > 0;
  const cpu = sampled && (!called || place.value.own.source === 'cpu');
  const route = cpu ? `ask/sampled_${of}` : 'ask/called_over_time';
  const asks = (called || sampled) && (!report || report.holds(api(route, { id })));
  const { value, error, loading } = useWindowed(
    ({ from, to }) => (asks ? api(route, { id, t0: from, t1: to, n: cpu ? MOST : MOST_CALLS }) : null),
    [route, id],
  );
  const { boxes, every, missing } = useBoxes(value, cpu, id);
  const shown = useMemo(
    () => boxes && inView(boxes, 'start', (i) => boxes.num('start', i) + boxes.num('dur', i)),
    [boxes, place.value.range],
  );
  if (!called && !sampled) return null;
  const calls = (fn: string | null) => {
    const from: Record<string, string> = cpu ? { source: 'cpu' } : {};
    const to = { ...callsOf(id), fn, own: from };
    return fn && <a href={here(of === 'process' ? to : { ...to, ticked: [] })}>{functionName(fn, elixir.value)}</a>;
  };
  const deeper = boxes ? rowsOf(boxes) - MOST_ROWS : 0;
  return (
    <Panel
      title={title}
      sub={!asks ? '' : every ? howOf(every) : CALLS}
      tools={
        <>
          {tools}
          {called && sampled && (
            <Choice label="Source" value={cpu ? 'cpu' : ''} of={SOURCES} pick={(v) => own('source', v)} />
          )}
        </>
      }
    >
      <Busy on={loading} />
      <Problem error={error} />
      {!asks && (
        <NotSaved has={`this picture of the ${of === 'process' ? 'processes that ran most' : 'first schedulers'}`} />
      )}
      {boxes && boxes.rows === 0 && <p class="body soft">Nothing of it is in this time.</p>}
      {boxes && boxes.rows > 0 && (
        <div style={{ padding: '0 12px 8px' }}>
          <StackChart
            boxes={boxes}
            sampled={cpu}
            left={left}
            label={title}
            click={(i, at) => {
              const process = boxes.num('process', i);
              if (!Number.isNaN(process)) select(process, Math.round(cpu ? boxes.num('start', i) : at));
            }}
          />
          {deeper > 0 && <p class="body faint">{counted(deeper, 'more row')} are in the table only.</p>}
          {missing > 0 && (
            <p class="body faint">
              {counted(missing, 'shorter call')} {missing === 1 ? 'is' : 'are'} not drawn
              {report ? '; a saved report holds the longest' : ': zoom in to see them'}.
            </p>
          )}
        </div>
      )}
      {shown && shown.rows > 0 && (
        <Twin
          table={shown}
          label={LABEL}
          hide={[...(cpu ? ['share'] : []), ...(of === 'process' ? ['process'] : [])]}
          instead={{
            function: (i) => calls(shown.str('function', i)),
            start: (i) => <MomentLink process={shown.num('process', i)} at={shown.num('start', i)} />,
            process: (i) => {
              const process = shown.num('process', i);
              return Number.isNaN(process) ? '–' : <a href={href('process', String(process))}>{whoIs(process)}</a>;
            },
          }}
        />
      )}
    </Panel>
  );
}
