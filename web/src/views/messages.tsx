// Who speaks with whom: a graph with two thresholds, a matrix for many, sizes over time, between processes, groups,
// schedulers or nodes.
import { useMemo } from 'preact/hooks';
import { Graph, type GraphEdge, type GraphNode } from '../draw/graph';
import { Matrix, type MatrixCell } from '../draw/matrix';
import { drawScatter, nearest, type Points } from '../draw/scatter';
import { Stage, type Pen } from '../draw/stage';
import { at, cell, count, duration, percent, words } from '../lib/format';
import { groupTitle } from '../lib/names';
import type { Answer, Table } from '../lib/table';
import { api, useAnswer } from '../state/data';
import { elixir, fact, info, rows } from '../state/info';
import { asked, go, narrowed, own, place, range, view } from '../state/place';
import { groupColours, palette } from '../state/theme';
import { Busy, Choice, Empty, named, Panel, People, Problem, Title } from '../ui/bits';
import { TableGrid, Twin } from '../ui/grid';
import { useGroups } from './schedulers';

type Level = 'process' | 'group' | 'scheduler' | 'node';
const MOST_NODES = 300; // beyond, a matrix
const FEW_EDGES = 24; // of a graph that reads at a glance

function useNames(level: Level, answer: Answer | null): (id: number) => string {
  const groups = useGroups();
  return useMemo(() => {
    if (level === 'process') {
      const people = new People(answer?.tables.process);
      return (id) => people.title(id);
    }
    const t = level === 'group' ? groups : level === 'scheduler' ? info.value!.answer.tables.scheduler! : info.value!.answer.tables.node!;
    const row = new Map<number, number>();
    if (t) for (let i = 0; i < t.rows; i++) row.set(t.num('id', i), i);
    return (id) => {
      const i = row.get(id);
      if (i === undefined || !t) return `${level} ${id}`;
      if (level === 'scheduler') return `${t.str('kind', i) === 'normal' ? 'scheduler' : (t.str('kind', i) ?? '').replace('_', ' ')} ${t.num('number', i)}`;
      if (level === 'node') return t.str('name', i) ?? `node ${id}`;
      return groupTitle(named(t, i), t.num('processes', i), elixir.value);
    };
  }, [level, answer, groups, elixir.value]);
}

const meanWords = (t: Table, i: number) => t.num('words', i) / t.num('count', i);
const edgeText = (t: Table, i: number) => `${count(t.num('count', i))}${Number.isNaN(t.num('words', i)) ? '' : ` · ${words(Math.round(meanWords(t, i)))}`}`;

function edgeTip(t: Table, i: number, name: (id: number) => string) {
  const list: [string, string][] = [['messages', count(t.num('count', i))]];
  if (!Number.isNaN(t.num('words', i))) list.push(['on average', words(Math.round(meanWords(t, i)))], ['in all', words(t.num('words', i))], ['largest', words(t.num('max_words', i))]);
  if (!Number.isNaN(t.num('latency_ns', i))) list.push(['until received, mean', duration(t.num('latency_ns', i))], ['longest', duration(t.num('max_latency_ns', i))]);
  return { title: `${name(t.num('from', i))} → ${name(t.num('to', i))}`, rows: list };
}

/** One end that most messages go to or come from, in a sentence. */
function Funnel({ t, ids, name }: { t: Table; ids: [number, number][]; name: (id: number) => string }) {
  const all = t.nums('count').reduce((s, v) => s + v, 0);
  const [id] = ids[0] ?? [NaN];
  let [to, from, peers] = [0, 0, 0];
  for (let i = 0; i < t.rows; i++) {
    if (t.num('to', i) === id) {
      to += t.num('count', i);
      peers++;
    } else if (t.num('from', i) === id) from += t.num('count', i);
  }
  if (ids.length < 3 || to + from < 0.6 * all) return null;
  return (
    <p class="body soft" style={{ margin: 0 }}>
      <b>{percent((to + from) / all)}</b> of these messages go to or come from <b>{name(id)}</b>: {count(to)} to it from {count(peers)} {peers === 1 ? 'sender' : 'senders'}, {count(from)} back.
    </p>
  );
}

function Picture({ t, level, name }: { t: Table; level: Level; name: (id: number) => string }) {
  const ids = useMemo(() => {
    const sum = new Map<number, number>();
    for (let i = 0; i < t.rows; i++) for (const end of ['from', 'to']) sum.set(t.num(end, i), (sum.get(t.num(end, i)) ?? 0) + t.num('count', i));
    return [...sum].sort((a, b) => b[1] - a[1]);
  }, [t]);
  const asked = place.value.own.as;
  const as = asked === 'graph' || asked === 'matrix' ? asked : ids.length > MOST_NODES ? 'matrix' : 'graph';
  const p = palette.value;
  const colours = groupColours();
  const most = ids[0]?.[1] ?? 1;
  const open = (id: number) => level === 'process' ? view('process', String(id)) : level === 'group' ? go({ view: 'processes', id: null, group: id, own: {} }) : undefined;
  const graph = useMemo(() => {
    const drawn = place.value.own.edges === 'all' ? t.rows : Math.min(t.rows, FEW_EDGES); // the strongest come first
    const ends = new Set<number>();
    for (let i = 0; i < drawn; i++) for (const end of ['from', 'to']) ends.add(t.num(end, i));
    const shown = new Set(ids.map(([id]) => id).filter((id) => ends.has(id)).slice(0, 300));
    const sum = new Map(ids);
    const nodes: GraphNode[] = [...shown].map((id, i) => ({ id: String(id), lines: [name(id), `${count(sum.get(id)!)} ${sum.get(id) === 1 ? 'message' : 'messages'}`], colour: colours[i < 9 ? i : 9]!, weight: Math.sqrt(sum.get(id)! / most) }));
    const loud = Math.max(1, ...t.nums('count'));
    const edges: GraphEdge[] = [];
    for (let i = 0; i < drawn; i++)
      if (shown.has(t.num('from', i)) && shown.has(t.num('to', i)))
        edges.push({ from: String(t.num('from', i)), to: String(t.num('to', i)), text: drawn <= FEW_EDGES ? edgeText(t, i) : '', weight: Math.sqrt(t.num('count', i) / loud) });
    return { nodes, edges };
  }, [t, ids, name, colours, place.value.own.edges]);
  const matrix = useMemo(() => {
    const shown = ids.slice(0, 340).map(([id]) => id); // most traffic first: a funnel is a cross in the corner
    const index = new Map(shown.map((id, i) => [id, i]));
    const cells: (MatrixCell & { row: number })[] = [];
    for (let i = 0; i < t.rows; i++) {
      const [from, to] = [index.get(t.num('from', i)), index.get(t.num('to', i))];
      if (from !== undefined && to !== undefined) cells.push({ from, to, value: t.num('count', i), row: i });
    }
    return { names: shown.map(name), cells, ids: shown };
  }, [t, ids, name]);
  const rowOf = (c: MatrixCell) => (c as MatrixCell & { row: number }).row;
  return (
    <Panel
      title={as === 'graph' ? 'Graph' : 'Matrix'} sub={`${count(ids.length)} ends, ${count(t.rows)} edges${t.leftOut ? `; ${count(t.leftOut)} weaker edges left out` : ''}`}
      tools={<>{as === 'graph' && t.rows > FEW_EDGES && <Choice label="Edges" value={place.value.own.edges === 'all' ? 'all' : 'few'} of={[['few', `The ${FEW_EDGES} strongest`], ['all', 'All edges']] as const} pick={(v) => own('edges', v === 'all' ? v : '')} />}<Choice label="Draw as" value={as} of={[['graph', 'Graph'], ['matrix', 'Matrix']] as const} pick={(v) => own('as', v)} /></>}
    >
      <Funnel t={t} ids={ids} name={name} />
      <div style={{ padding: '0 12px 12px', background: p.panel }}>
        {as === 'graph' ? (
          <Graph
            nodes={graph.nodes} edges={graph.edges} label="Who sends to whom" click={(id) => open(Number(id))}
            tip={(id) => {
              const n = Number(id);
              let [sent, received] = [0, 0];
              for (let i = 0; i < t.rows; i++) {
                if (t.num('from', i) === n) sent += t.num('count', i);
                if (t.num('to', i) === n) received += t.num('count', i);
              }
              return { title: name(n), rows: [['sent', count(sent)], ['received', count(received)]] };
            }}
          />
        ) : (
          <Matrix names={matrix.names} cells={matrix.cells} label="Who sends to whom" tip={(c) => edgeTip(t, rowOf(c), name)} click={(c) => open(matrix.ids[c.to]!)} />
        )}
      </div>
    </Panel>
  );
}

function Sizes() {
  const [from, to] = range.value;
  const p = palette.value;
  const answer = useAnswer(rows('message') > 0 ? api('ask/latency', asked()) : null).value;
  const t = answer?.tables.message;
  const points = useMemo((): Points | null => (t ? { at: t.nums('sent'), value: t.nums('words') } : null), [t]);
  const draw = useMemo(
    () => (g: Pen, w: number, h: number) => points && drawScatter(g, points, [from, to], { x: 58, y: 10, w: w - 72, h: h - 38 }, p, [p.accent, p.accent], words),
    [points, from, to, p],
  );
  if (!t || !t.rows) return null;
  const hover = (x: number, y: number, w: number) => {
    const i = points && nearest(points, [from, to], { x: 58, y: 10, w: w - 72, h: 162 }, x, y);
    if (i === null) return null;
    const [who, whom] = [t.str('sender_name', i), t.str('receiver_name', i)];
    return { title: `${who ?? '?'} → ${whom ?? '?'}`, rows: [['size', words(t.num('words', i))], ['sent', at(t.num('sent', i))], ['until received', cell(t.cell(t.column('latency_ns'), i), 'ns')]] as [string, string][] };
  };
  return (
    <Panel title="Sizes over time" sub={t.rows >= 4000 ? 'the 4,000 largest messages in view' : `${count(t.rows)} messages in view`}>
      <Stage height={200} label="Message sizes over time" draw={draw} time={{ left: 58, right: 14 }} hover={hover} />
      <Twin table={t} label="The messages" />
    </Panel>
  );
}

function Threshold({ name, text, after }: { name: 'min_count' | 'min_words'; text: string; after: string }) {
  return (
    <label class="with">
      {text}
      <input class="field" type="number" min="0" style={{ width: '68px' }} value={place.value.own[name] ?? (name === 'min_count' ? '1' : '0')} onChange={(e) => own(name, e.currentTarget.value)} />
      {after}
    </label>
  );
}

export function Messages() {
  const { own: o, ticked } = place.value;
  const nodes = info.value!.answer.tables.node?.rows ?? 1;
  // groups first where processes would make a hairball
  const usual: Level = rows('process') > 60 && rows('process_group') < rows('process') / 2 ? 'group' : 'process';
  const level = (o.level as Level) || usual;
  const any = rows('message_edge') > 0;
  const { value, error, loading } = useAnswer(
    any ? api('messages', { level, min_count: o.min_count, min_words: o.min_words, p: ticked.join(','), n: 1000, ...asked() }) : null,
  );
  const name = useNames(level, value);
  if (!any)
    return fact('messages')
      ? <Empty title="No message went from one process to another" text="Messages were recorded, and there was none." />
      : <Empty title="Messages were not recorded" text="It takes the class messages; their content is never kept, only sizes." command="strobe record --trace messages,running,procs -- CMD" />;
  const t = value?.tables.edge;
  const of = [['process', 'Processes'], ['group', 'Groups'], ['scheduler', 'Schedulers'], ...(nodes > 1 ? [['node', 'Nodes'] as const] : [])] as const;
  return (
    <>
      <Busy on={loading} />
      <Title
        sub={value ? `${count(Number(value.meta.messages))} messages on ${count(Number(value.meta.edges))} edges` : ''}
        tools={
          <>
            <Threshold name="min_count" text="at least" after="messages" />
            <Threshold name="min_words" text="of" after="words on average" />
            <Choice label="Between" value={level} of={of} pick={(v) => own('level', v)} />
          </>
        }
      >
        Messages
      </Title>
      <Problem error={error} />
      {narrowed.value && value && !value.meta.narrowed && (
        <div class="notice"><b>The whole run.</b><span>{value.meta.kept ? 'Between schedulers and nodes only sums were kept.' : 'Single messages were not kept in this profile, so the window cannot narrow them.'}</span></div>
      )}
      {t && t.rows === 0 && <Empty title="No edge is that strong" text="Lower the thresholds to see more." />}
      {t && t.rows > 0 && <Picture t={t} level={level} name={name} />}
      <Sizes />
      {t && t.rows > 0 && (
        <Panel title="Edges">
          <TableGrid
            table={t} label="Message edges" height={360} hide={['from', 'to']}
            first={[
              (at) => ({ key: 'from', head: 'sender', sort: true, value: (i) => t.num('from', at(i)), render: (i) => name(t.num('from', at(i))) }),
              (at) => ({ key: 'to', head: 'receiver', sort: true, value: (i) => t.num('to', at(i)), render: (i) => name(t.num('to', at(i))) }),
            ]}
          />
        </Panel>
      )}
    </>
  );
}
