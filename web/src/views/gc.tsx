// Collections and memory: who collects, how long, how much it gives back; the VM's memory over time where sampled.
import { useMemo } from 'preact/hooks';
import type { Box } from '../draw/axis';
import { drawScatter, nearest, type Points } from '../draw/scatter';
import { Stage, type Pen } from '../draw/stage';
import { at, count, duration, percent, words } from '../lib/format';
import { title } from '../lib/names';
import type { Table } from '../lib/table';
import { api, useAnswer } from '../state/data';
import { elixir, rows, timed } from '../state/info';
import { asked, range, view } from '../state/place';
import { palette } from '../state/theme';
import { Busy, Empty, named, Panel, Problem, Share, Title, WHO, Who } from '../ui/bits';
import { TableGrid, Twin } from '../ui/grid';
import { Samples } from '../ui/samples';

const box = (w: number, h: number): Box => ({ x: 58, y: 10, w: w - 72, h: h - 38 });

function Collections({ t }: { t: Table }) {
  const p = palette.value;
  const [from, to] = range.value;
  const points = useMemo((): Points => ({ at: t.nums('start'), value: t.nums('dur'), kind: (i) => t.str('kind', i) === 'major' }), [t]);
  const draw = useMemo(() => (g: Pen, w: number, h: number) => drawScatter(g, points, [from, to], box(w, h), p, [p.dirty, p.gc], duration), [points, from, to, p]);
  const find = (x: number, y: number, w: number) => nearest(points, [from, to], box(w, 250), x, y);
  return (
    <Stage
      height={250} label="Collections: when, and how long" draw={draw} time={{ left: 58, right: 14 }}
      hover={(x, y, w) => {
        const i = find(x, y, w);
        if (i === null) return null;
        return {
          title: title(named(t, i), elixir.value),
          rows: [['kind', t.str('kind', i) ?? ''], ['took', duration(t.num('dur', i))], ['at', at(t.num('start', i))], ['heap', `${words(t.num('heap_before', i))} → ${words(t.num('heap_after', i))}`]],
        };
      }}
      click={(x, y, w) => {
        const i = find(x, y, w);
        if (i !== null) view('process', String(t.num('process', i)));
      }}
    />
  );
}

export function Gc() {
  const any = rows('gc') > 0;
  const { value, error, loading } = useAnswer(any ? api('ask/gc', asked()) : null);
  if (!any && !rows('sample')) return <Empty title="Neither collections nor memory were recorded" text="Record them with:" command="strobe record --trace gc,vm,running,procs -- CMD" />;
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
              title="Collections" sub={a.gc!.rows >= 4000 ? 'the 4,000 longest in view' : `${count(a.gc!.rows)} in view`}
              tools={<div class="legend"><span><i style={{ background: p.dirty, borderRadius: '6px' }} />minor</span><span><i style={{ background: p.gc }} />major</span></div>}
            >
              <Collections t={a.gc!} />
              <TableGrid table={a.kind!} label="Collections by kind" height={140} />
              <Twin table={a.gc!} label="The collections" hide={['process', ...WHO]} first={[(o) => ({ key: 'who', head: 'process', render: (i) => <Who of={named(a.gc!, o(i))} id={a.gc!.num('process', o(i))} /> })]} />
            </Panel>
          )}
          <Panel title="Who collects" sub="of the whole run">
            <TableGrid
              table={a.process!} label="Collections by process" height={380} hide={['id', ...WHO]}
              first={[
                (o) => ({ key: 'who', head: 'process', render: (i) => <Who of={named(a.process!, o(i))} id={a.process!.num('id', o(i))} /> }),
                timed() && ((o) => ({ key: 'share', head: 'of its run time', render: (i) => { const s = a.process!.num('gc_ns', o(i)) / (a.process!.num('run_ns', o(i)) || 1); return <><Share of={s} colour="var(--gc)" />{percent(s)}</>; } })),
              ]}
            />
          </Panel>
        </>
      )}
      <Samples items={['memory']} others />
    </>
  );
}
