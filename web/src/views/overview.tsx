// The first view: a sentence that says how parallel the run was and what held it back, the activity over time, and
// up to five things worth looking at, each a click from where it shows.
import { useMemo } from 'preact/hooks';
import { drawActivity, highest, type Band } from '../draw/area';
import { timeAxis } from '../draw/axis';
import { Stage } from '../draw/stage';
import { count, duration, moment, percent, three } from '../lib/format';
import { linkOf } from '../lib/link';
import { write } from '../lib/route';
import type { Answer, Table } from '../lib/table';
import type { Range } from '../lib/window';
import { api, useAnswer } from '../state/data';
import { elixir, info, rows, scheduled, timed } from '../state/info';
import { asked, narrowed, own, place, range } from '../state/place';
import { useTimeline } from '../state/timeline';
import { drawn } from '../state/settled';
import { palette, type Palette } from '../state/theme';
import { Busy, Choice, Empty, Panel, People, Problem, Title, Who } from '../ui/bits';
import { Twin } from '../ui/grid';

const number = (a: Answer, key: string) => Number(a.meta[key] ?? NaN);

function Headline({ a, people }: { a: Answer; people: People }) {
  const span = number(a, 'span_ns');
  const schedulers = a.meta.schedulers === null ? null : number(a, 'schedulers');
  const busy = number(a, 'work_ns') / span;
  const alone = a.tables.alone!;
  const first = alone.rows ? { id: alone.num('process', 0), ns: alone.num('ns', 0) } : null;
  const serial = number(a, 'serial_ns') / span;
  const held = a.meta.held_up_ns === null ? 0 : number(a, 'held_up_ns') / span;
  const several = schedulers === null || schedulers > 1; // with one scheduler only one can run
  return (
    <>
      <h1 class="headline">
        <em>{three(busy).replace(/\.00$/, '')}</em> {busy === 1 ? 'process' : 'processes'} at work on average
        {schedulers !== null && <>, on {schedulers} {schedulers === 1 ? 'scheduler' : 'schedulers'}</>}
        {several && serial > 0.02 && (
          <>; for <em class="warm">{percent(serial)}</em> of the time only one could work</>
        )}
        .
      </h1>
      <p class="lede">
        {several && schedulers !== null && <>For <strong>{percent(number(a, 'below_ns') / span)}</strong> of the time there was less to run than schedulers. </>}
        {held > 0.005 && <>For <strong>{percent(held)}</strong> of the time a process was ready while a scheduler ran none. </>}
        {first && several && first.ns / span > 0.005 && (
          <>Most often it was <strong><Who of={people.named(first.id)} id={first.id} /></strong> that was alone at work with nobody else ready: {duration(first.ns)}, {percent(first.ns / span)} of the time.</>
        )}
      </p>
    </>
  );
}

function Figures({ a }: { a: Answer }) {
  const span = number(a, 'span_ns');
  const run_ns = number(a, 'run_ns');
  const gc = a.meta.gc_ns === null ? null : number(a, 'gc_ns');
  const ready = a.meta.runnable_ns === null ? null : number(a, 'ready_ns') / span;
  // the sums over processes are kept for the run, not for every window of it
  const all = narrowed.value ? ' in the whole run' : '';
  const figures: [string, string, string?][] = timed() ? [['Looked at', duration(span)]] : [];
  if (narrowed.value && scheduled()) figures.push(['Run time in it, summed over processes', duration(number(a, 'work_ns'))]);
  figures.push([`Processes${all}`, count(number(a, 'processes'))]);
  if (!narrowed.value && scheduled()) figures.push(['Run time, summed over processes', duration(run_ns)]);
  if (ready !== null) figures.push(['Ready but not running', three(ready), 'at a time on average']);
  if (gc !== null) figures.push([`Garbage collection${all}`, duration(gc), run_ns > 0 ? `${percent(gc / run_ns)} of run time` : undefined]);
  return (
    <dl class="figures">
      {figures.map(([name, value, note]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value} {note && <small>{note}</small>}</dd>
        </div>
      ))}
    </dl>
  );
}

const [LEFT, RIGHT] = [34, 12];

type Draw = (g: CanvasRenderingContext2D, w: number, h: number) => void;
interface Graph {
  key: string;
  name: string;
  sub: string;
  bands: (p: Palette) => (Band & { text: string })[];
  line: boolean; // at the number of schedulers
  below?: (p: Palette) => Band & { text: string }; // on a scale of its own: two hundred that wait must not hide the two that run
  of?: string; // the table that must have rows
}
const work = (p: Palette) => [{ columns: ['running_ns'], colour: p.run, text: 'running' }, { columns: ['gc_ns'], colour: p.gc, text: 'collecting garbage' }];
const ready = (p: Palette) => ({ columns: ['runnable_ns'], colour: p.ready, text: 'ready, but not running' });
const ports = (p: Palette) => ({ columns: ['ports_ns'], colour: p.dirty, text: 'ports at work' });
const GRAPHS: Graph[] = [
  { key: 'work', name: 'At work', sub: 'processes at a time', bands: work, line: true, below: ready },
  { key: 'demand', name: 'Could run', sub: 'processes that run or would, had they a scheduler', bands: (p) => [...work(p), ready(p)], line: true },
  { key: 'schedulers', name: 'Schedulers', sub: 'schedulers at work at a time', bands: (p) => [{ columns: ['schedulers_ns'], colour: p.accent, text: 'schedulers at work' }], line: true },
  { key: 'ports', name: 'Ports', sub: 'ports at a time', bands: (p) => [ports(p)], line: false, of: 'port' },
  { key: 'both', name: 'Processes and ports', sub: 'at a time', bands: (p) => [...work(p), ports(p)], line: true, of: 'port' },
];

/** Over time, for the window: means of each bucket, exact at any zoom. */
function drawing(graph: Graph, t: Table, window: Range, p: Palette, capacity: number): Draw {
  return (g, w, h) => {
    const box = { x: LEFT, y: 8, w: w - LEFT - RIGHT, h: h - (graph.below ? 124 : 42) };
    timeAxis(g, window, { ...box, h: h - 34 }, p, h - 12);
    const top = Math.max(graph.line ? capacity : 0, graph.below ? 0 : highest(t, graph.bands(p))) * 1.12 || 1;
    drawActivity(g, t, window, box, graph.bands(p), p, { capacity: graph.line ? capacity : 0, values: true, top });
    if (graph.below) drawActivity(g, t, window, { ...box, y: h - 94, h: 68 }, [graph.below(p)], p, { values: true });
  };
}

function Activity({ capacity }: { capacity: number }) {
  const [from, to] = range.value;
  const p = palette.value;
  const graphs = GRAPHS.filter((g) => !g.of || rows(g.of) > 0);
  const graph = graphs.find((g) => g.key === place.value.own.graph) ?? graphs[0]!;
  const { value, loading, fresh } = useTimeline();
  const t = value?.tables.timeline;
  const draw = useMemo(
    () => (g: CanvasRenderingContext2D, w: number, h: number) => {
      if (!t) return;
      drawn(fresh());
      drawing(graph, t, [from, to], p, capacity)(g, w, h);
    },
    [t, from, to, p, capacity, graph],
  );
  const hover = (x: number, _y: number, w: number) => {
    if (!t) return null;
    const row = bucketAt(t, from + ((x - LEFT) / (w - LEFT - RIGHT)) * (to - from));
    if (row === null) return null;
    const mean = (c: string) => three(t.num(c, row) / t.num('dur', row) || 0);
    return {
      title: `at ${moment(t.num('start', row), t.num('dur', row))}`,
      rows: [
        ['running', mean('running_ns')], ['collecting', mean('gc_ns')], ['ready, not running', mean('runnable_ns')], ['schedulers at work', mean('schedulers_ns')],
        ['ports', mean('ports_ns')], ['most running at one moment', count(t.num('peak_running', row))], ['most ready at one moment', count(t.num('peak_runnable', row))], ['mean over', duration(t.num('dur', row))],
      ] as [string, string][],
    };
  };
  return (
    <Panel
      title="Activity"
      sub={`${graph.sub}; drag to look at a part`}
      tools={<Choice label="What over time" value={graph.key} of={graphs.map((g) => [g.key, g.name] as const)} pick={(v) => own('graph', v === 'work' ? '' : v)} />}
    >
      <Busy on={loading} />
      <div class="legend body" style={{ paddingBottom: 0 }}>
        {graph.bands(p).map((b) => <span key={b.text}><i style={{ background: b.colour }} />{b.text}</span>)}
        {graph.line && <span><i class="line" />{count(capacity)} {capacity === 1 ? 'scheduler' : 'schedulers'}</span>}
        {graph.below && <span><i style={{ background: graph.below(p).colour }} />{graph.below(p).text} (below)</span>}
      </div>
      <Stage height={300} label={`${graph.name} over time`} draw={draw} hover={hover} time={{ left: LEFT, right: RIGHT }} />
      {t && <Twin table={t} label="Activity" />}
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

/** The findings of `strobe report`: the share, the sentence, and the way to where it shows. */
const looks = (t: Table) => Array.from({ length: t.rows }, (_, i) => i).filter((i) => t.str('item', i) === 'look');

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

function Looks({ t }: { t: Table }) {
  const found = looks(t);
  const nothing = Array.from({ length: t.rows }, (_, i) => i).find((i) => t.str('item', i) === 'nothing');
  if (!found.length) return <p class="body soft">{nothing === undefined ? 'Nothing stands out.' : sentence(t.str('text', nothing) ?? '')}</p>;
  return (
    <ul class="looks">
      {found.map((i) => {
        const share = t.num('value', i) / 1e6;
        const text = t.str('text', i) ?? '';
        const to = linkOf(t.str('see', i) ?? '');
        return (
          <li key={i}>
            <span class="share">{percent(share)}<small><i style={{ width: `${Math.min(100, share * 100)}%` }} /></small></span>
            <p>{text}</p>
            {to && <a class="button" href={write({ ...place.value, own: {}, fn: null, group: null, ...to })} aria-label={`Show: ${text}`}>Show</a>}
          </li>
        );
      })}
    </ul>
  );
}

function Levels({ a }: { a: Answer }) {
  const t = a.tables.level!;
  const span = number(a, 'span_ns');
  const schedulers = number(a, 'schedulers'); // unknown: NaN, below which nothing is
  // up to a dozen rows: beyond, neighbours share one
  const per = Math.max(1, Math.ceil(t.rows / 12));
  const bars: { text: string; ns: number; kind: string }[] = [];
  for (let i = 0; i < t.rows; i++) {
    const k = t.num('running', i);
    const last = bars[bars.length - 1];
    if (k > 1 && per > 1 && last && (k - 2) % per !== 0) last.ns += t.num('ns', i);
    else bars.push({ text: k === 0 ? 'none' : k === 1 ? 'one' : per > 1 ? `${k}–${k + per - 1}` : String(k), ns: t.num('ns', i), kind: k === 0 ? 'none' : k < schedulers ? 'low' : '' });
  }
  return (
    <div class="levels">
      {bars.flatMap((b) => [
        <span class="k" key={`${b.text}k`}>{b.text}</span>,
        <span class="track" key={`${b.text}t`}><i class={b.kind} style={{ width: `${(100 * b.ns) / span}%` }} /></span>,
        <span class="v" key={`${b.text}v`}>{percent(b.ns / span)}</span>,
      ])}
    </div>
  );
}

/** Normal schedulers: as the nodes say, else as many as were seen; the server counts them the same way. */
function schedulerCount(): number {
  const { node, scheduler } = info.value!.answer.tables;
  const said = node!.nums('schedulers').reduce((n, v) => n + (v > 0 ? v : 0), 0);
  const seen = Array.from({ length: scheduler!.rows }, (_, i) => scheduler!.str('kind', i)).filter((k) => k === 'normal').length;
  return said || seen || 1;
}

export function Overview() {
  const { value, error, loading } = useAnswer(api('overview', asked()));
  const people = useMemo(() => new People(value?.tables.process), [value]);
  const summary = useAnswer(api('answer/summary', elixir.value ? { elixir: 1 } : {}));
  if (!scheduled() && rows('process') === 0)
    return <Empty title="This profile is empty" text="No process was seen. Record a program that runs for a moment:" command="strobe record -- mix test" />;
  // the picture is there at once; what takes counting comes into its place when it is counted
  return (
    <>
      <Busy on={loading} />
      <Problem error={error} />
      {value ? <>{scheduled() ? <Headline a={value} people={people} /> : <Title>Overview</Title>}<Figures a={value} /></> : loading && <div class="room-for-why" />}
      <div class="columns why">
        <Panel title="Worth looking at" sub={narrowed.value ? 'in the whole run' : undefined}>
          {summary.value && !scheduled() && !looks(summary.value.tables.answer!).length ? <p class="body soft">What held the run back shows when it is known who ran when.</p> : summary.value ? <Looks t={summary.value.tables.answer!} /> : summary.loading && <div class="room-for-looks" />}
          <Problem error={summary.error} />
        </Panel>
        {scheduled() && (
          <Panel title="How many were at work at once" sub="share of the time; dirty schedulers and ports included">
            {value && <Levels a={value} />}
            {value && <Twin table={value.tables.level!} label="How many were at work at once" />}
          </Panel>
        )}
      </div>
      {scheduled() ? <Activity capacity={schedulerCount()} /> : timed() && <Empty title="When processes ran was not recorded" text="The other views show what was." command="strobe record --trace all -- CMD" />}
    </>
  );
}
