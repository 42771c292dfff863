// Garbage collections by process and over time, and the VM's memory if it was sampled.
import { useMemo } from 'preact/hooks';
import type { Box } from '../draw/axis';
import { drawScatter, nearest, type Points } from '../draw/scatter';
import { Stage, type Pen } from '../draw/stage';
import { at, count, duration, words } from '../lib/format';
import { title } from '../lib/names';
import type { Table } from '../lib/table';
import { api, useAnswer } from '../state/data';
import { elixir, rows, scheduled, timed } from '../state/info';
import { select } from '../state/moment';
import { named, PROCESS, WHO } from '../state/people';
import { asked, narrowed, range, within } from '../state/place';
import { report } from '../state/report';
import { palette } from '../state/theme';
import { Busy, Empty, Keys, MomentLink, Panel, Problem, Title } from '../ui/bits';
import { shareColumn, whoColumn } from '../ui/columns';
import { TableGrid, Twin } from '../ui/grid';
import { MomentPanel } from '../ui/moment';
import { Samples } from '../ui/samples';
import type { View } from '../ui/view';

export const gc: View = {
  route: 'gc',
  name: 'Memory & GC',
  section: 'What',
  icon: 'M3 5h10l-1 9H4zM6 5V2h4v3M2 5h12',
  key: 'y',
  body: Gc,
};

const box = (w: number, h: number): Box => ({ x: 58, y: 10, w: w - 72, h: h - 38 });

function Collections({ t }: { t: Table }) {
  const p = palette.value;
  const [from, to] = range.value;
  const points = useMemo(
    (): Points => ({ at: t.nums('start'), value: t.nums('dur'), kind: (i) => t.str('kind', i) === 'major' }),
    [t],
  );
  const draw = useMemo(
    () => (g: Pen, w: number, h: number) => drawScatter(g, points, [from, to], box(w, h), p, [p.dirty, p.gc], duration),
    [points, from, to, p],
  );
  const find = (x: number, y: number, w: number) => nearest(points, [from, to], box(w, 250), x, y);
  return (
    <Stage
      height={250}
      label="Collections: when, and how long"
      draw={draw}
      time={{ left: 58, right: 14 }}
      hover={(x, y, w) => {
        const i = find(x, y, w);
        if (i === null) return null;
        return {
          title: title(named(t, i), elixir.value),
          rows: [
            ['kind', t.str('kind', i) ?? ''],
            ['took', duration(t.num('dur', i))],
            ['at', at(t.num('start', i))],
            ['heap', `${words(t.num('heap_before', i))} → ${words(t.num('heap_after', i))}`],
          ],
        };
      }}
      click={(x, y, w) => {
        const i = find(x, y, w);
        if (i !== null) select(t.num('process', i), t.num('start', i));
      }}
    />
  );
}

/** The share of the run time; unknown if the run time is unknown or a loss hides part of it. */
const ofRunTime = (t: Table) => shareColumn('of its run time', (i) => t.num('gc_ppm', i) / 1e6, 'var(--gc)');

function Gc() {
  const any = rows('gc') > 0;
  const { value, error, loading } = useAnswer(any ? api('ask/collections', asked()) : null);
  if (!any && !rows('sample'))
    return (
      <Empty
        title="Neither collections nor memory were recorded"
        text="Record them with:"
        command="strobe record --trace gc,vm,running,procs -- CMD"
      />
    );
  const who = useAnswer(any ? api('answer/gc', { ...within(), limit: 1000 }) : null).value?.tables.answer;
  const a = value?.tables;
  const p = palette.value;
  return (
    <>
      <Busy on={loading} />
      <Title>Memory and garbage collection</Title>
      <Problem error={error} />
      {a && (
        <>
          {timed() && (
            <Panel
              title="Collections"
              sub={a.gc!.rows >= 4000 ? 'the 4,000 longest in view' : `${count(a.gc!.rows)} in view`}
              tools={
                <div class="legend">
                  <Keys
                    of={[
                      { text: 'minor', colour: p.dirty, look: 'round' },
                      { text: 'major', colour: p.gc },
                    ]}
                  />
                </div>
              }
            >
              <Collections t={a.gc!} />
              <TableGrid table={a.kind!} label="Collections by kind" height={140} />
              <Twin
                table={a.gc!}
                label="The collections"
                hide={['process', ...WHO]}
                first={[whoColumn(a.gc!, 'process')]}
                instead={{ start: (i) => <MomentLink process={a.gc!.num('process', i)} at={a.gc!.num('start', i)} /> }}
              />
            </Panel>
          )}
          <MomentPanel />
          {who && (
            <Panel
              title="Who collects"
              sub={!narrowed.value ? undefined : report ? 'in the whole run' : 'in the time range'}
            >
              <TableGrid
                table={who}
                label="Collections by process"
                height={380}
                hide={['id', 'gc_ppm', ...Object.values(PROCESS)]}
                first={[whoColumn(who, 'id', 'process', '', PROCESS), scheduled() && ofRunTime(who)]}
              />
            </Panel>
          )}
        </>
      )}
      <Samples items={['memory', 'mailbox', 'ticks_missed']} others />
    </>
  );
}
