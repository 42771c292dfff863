// Activity over time: running and runnable processes, schedulers and ports at work.
import { useMemo } from 'preact/hooks';
import { binned, drawActivity, highest, type Band } from '../draw/area';
import { FONT, fit, scaleX, timeAxis, type Box } from '../draw/axis';
import { MARK, areDense } from '../draw/over';
import { Stage, type Pen } from '../draw/stage';
import { count, counted, duration, moment, three } from '../lib/format';
import type { Table } from '../lib/table';
import type { Range } from '../lib/window';
import { api, useAnswer } from '../state/data';
import { rows } from '../state/info';
import { inView, own, place, range } from '../state/place';
import { drawn } from '../state/settled';
import { palette, type Palette } from '../state/theme';
import { useTimeline } from '../state/timeline';
import { Busy, Choice, Keys, Panel, type Key } from '../ui/bits';
import { Twin } from '../ui/grid';

const [LEFT, RIGHT] = [34, 12];

type Draw = (g: Pen, w: number, h: number) => void;
interface Graph {
  key: string;
  name: string;
  sub: string;
  bands: (p: Palette) => (Band & { text: string })[];
  line: boolean; // whether the number of schedulers is marked
  below?: (p: Palette) => Band & { text: string }; // on its own scale: more may be runnable than run
  of?: string; // shown only if this table has rows
  ratio?: Range; // drawn for each scheduler, with a band
}
const work = (p: Palette) => [
  { columns: ['running_ns'], colour: p.run, text: 'running' },
  { columns: ['gc_ns'], colour: p.gc, text: 'collecting garbage' },
];
const ready = (p: Palette) => ({ columns: ['runnable_ns'], colour: p.ready, text: 'runnable' });
const ports = (p: Palette) => ({ columns: ['ports_ns'], colour: p.dirty, text: 'ports at work' });
const GRAPHS: Graph[] = [
  { key: 'work', name: 'At work', sub: 'processes at a time', bands: work, line: true, below: ready },
  {
    key: 'demand',
    name: 'Could run',
    sub: 'running and runnable processes at a time',
    bands: (p) => [...work(p), ready(p)],
    line: true,
  },
  {
    key: 'ratio',
    name: 'Per scheduler',
    sub: 'running and runnable processes for each scheduler',
    bands: (p) => [...work(p), ready(p)],
    line: true,
    ratio: [1, 2],
  },
  {
    key: 'schedulers',
    name: 'Schedulers',
    sub: 'schedulers at work at a time',
    bands: (p) => [{ columns: ['schedulers_ns'], colour: p.accent, text: 'schedulers at work' }],
    line: true,
  },
  { key: 'ports', name: 'Ports', sub: 'ports at a time', bands: (p) => [ports(p)], line: false, of: 'port' },
  {
    key: 'both',
    name: 'Processes and ports',
    sub: 'at a time',
    bands: (p) => [...work(p), ports(p)],
    line: true,
    of: 'port',
  },
];

/** Draws marks (strobe:mark/1): a line each, with as many texts as there is room for. */
function drawMarks(g: Pen, marks: Table, window: Range, box: Box, p: Palette) {
  const x = scaleX(window, box);
  const dense = areDense(marks, window, box.w);
  let free = -Infinity;
  g.font = FONT;
  g.textAlign = 'left';
  g.textBaseline = 'middle';
  for (let i = 0; i < marks.rows; i++) {
    const at = marks.num('at', i);
    if (at < window[0] || at > window[1]) continue;
    const px = Math.round(x(at));
    const text = fit(g, marks.str('text', i) ?? '', 160);
    g.fillStyle = MARK;
    g.fillRect(px, box.y, 1.5, dense ? 6 : box.h);
    if (dense || px < free) continue;
    const width = g.measureText(text).width;
    g.fillStyle = p.panel;
    g.fillRect(px + 2, box.y, width + 4, 13);
    g.fillStyle = p.ink;
    g.fillText(text, px + 4, box.y + 7);
    free = px + width + 10;
  }
}

/** Returns the picture of a graph over the range: means of buckets, exact at any zoom. */
function drawing(graph: Graph, t: Table, window: Range, p: Palette, capacity: number, marks: Table | undefined): Draw {
  return (g, w, h) => {
    const box = { x: LEFT, y: 8, w: w - LEFT - RIGHT, h: h - (graph.below ? 124 : 42) };
    timeAxis(g, window, { ...box, h: h - 34 }, p, h - 12);
    const per = graph.ratio ? capacity || 1 : 1;
    const line = graph.line ? capacity / per : 0;
    const most = highest(binned(t, window, box.w), graph.bands(p)) / per;
    const top = Math.max(graph.ratio?.[1] ?? line, most) * 1.08 || 1;
    const options = { capacity: line, values: true, top, per, ideal: graph.ratio };
    drawActivity(g, t, window, box, graph.bands(p), p, options);
    if (marks) drawMarks(g, marks, window, { ...box, h: h - 34 }, p);
    if (graph.below) drawActivity(g, t, window, { ...box, y: h - 94, h: 68 }, [graph.below(p)], p, { values: true });
  };
}

/** `capacity`: the number of schedulers; 0: unknown, null: not known yet. */
export function Activity({ capacity: known }: { capacity: number | null }) {
  const capacity = known ?? 0;
  const [from, to] = range.value;
  const p = palette.value;
  const graphs = GRAPHS.filter((g) => (!g.of || rows(g.of) > 0) && !(g.ratio && known === 0));
  const graph = graphs.find((g) => g.key === place.value.own.graph) ?? graphs[0]!;
  const { value, loading, fresh } = useTimeline();
  const t = value?.tables.timeline;
  const marks = useAnswer(rows('mark') > 0 ? api('answer/marks', { limit: 2000 }) : null).value?.tables.answer;
  const draw = useMemo(
    () => (g: Pen, w: number, h: number) => {
      if (!t) return;
      drawn(fresh());
      drawing(graph, t, [from, to], p, capacity, marks)(g, w, h);
    },
    [t, from, to, p, capacity, graph, marks],
  );
  const hover = (x: number, _y: number, w: number) => {
    if (!t) return null;
    const row = bucketAt(t, from + ((x - LEFT) / (w - LEFT - RIGHT)) * (to - from));
    if (row === null) return null;
    const sum = (...of: string[]) => of.reduce((all, c) => all + (t.num(c, row) || 0), 0) / t.num('dur', row);
    const mean = (c: string) => three(sum(c));
    const ratio = [['for each scheduler', three(sum('running_ns', 'gc_ns', 'runnable_ns') / capacity)]];
    return {
      title: `at ${moment(t.num('start', row), t.num('dur', row))}`,
      rows: [
        ...(graph.ratio && capacity ? ratio : []),
        ['running', mean('running_ns')],
        ['collecting', mean('gc_ns')],
        ['runnable', mean('runnable_ns')],
        ['schedulers at work', mean('schedulers_ns')],
        ['ports', mean('ports_ns')],
        ['most running at one moment', count(t.num('peak_running', row))],
        ['most runnable at one moment', count(t.num('peak_runnable', row))],
        ['mean over', duration(t.num('dur', row))],
      ] as [string, string][],
    };
  };
  const below = graph.below?.(p);
  const keys: Key[] = graph.bands(p);
  if (marks) keys.push({ text: 'marks', colour: MARK });
  if (graph.line && capacity > 0)
    keys.push({ text: graph.ratio ? '1 for each' : counted(capacity, 'scheduler'), colour: '', look: 'line' });
  if (graph.ratio) keys.push({ text: 'all can work, at most one waits for each', colour: p.accent });
  if (below) keys.push({ text: `${below.text} (below)`, colour: below.colour });
  return (
    <Panel
      title="Activity"
      sub={`${graph.sub}; drag to narrow the time range`}
      tools={
        <Choice
          label="What over time"
          value={graph.key}
          of={graphs.map((g) => [g.key, g.name] as const)}
          pick={(v) => own('graph', v === 'work' ? '' : v)}
        />
      }
    >
      <Busy on={loading} />
      <div class="legend body" style={{ paddingBottom: 0 }}>
        <Keys of={keys} />
      </div>
      <Stage
        height={300}
        label={`${graph.name} over time`}
        draw={draw}
        hover={hover}
        time={{ left: LEFT, right: RIGHT }}
      />
      {t && (
        <Twin
          table={t}
          as={(all) => inView(all, 'start', (i) => all.num('start', i) + all.num('dur', i))}
          label="Activity"
        />
      )}
    </Panel>
  );
}

export function bucketAt(t: Table, at: number): number | null {
  const start = t.nums('start');
  let low = 0;
  let high = t.rows - 1;
  while (low < high) {
    const mid = (low + high + 1) >> 1;
    if (start[mid]! <= at) low = mid;
    else high = mid - 1;
  }
  return t.rows && start[low]! <= at && at < start[low]! + t.num('dur', low) ? low : null;
}
