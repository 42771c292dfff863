// The connections as a picture: a graph of the strongest, or a matrix of many.
import { useMemo } from 'preact/hooks';
import type { GraphEdge, GraphNode } from '../draw/graph/arrange';
import { Graph } from '../draw/graph';
import { Matrix, type MatrixCell } from '../draw/matrix';
import { count, counted, duration, percent, words } from '../lib/format';
import type { Table } from '../lib/table';
import { go, own, place, view } from '../state/place';
import { groupColours } from '../state/theme';
import { Choice, Panel } from '../ui/bits';
import { useGroups } from '../ui/groups';
import { choosePair, full, type Level, type NameOf } from './message_names';

const ENDS: Record<Level, (n: number) => string> = {
  process: (n) => (n === 1 ? '1 process' : `${count(n)} processes`),
  group: (n) => counted(n, 'group'),
  scheduler: (n) => counted(n, 'scheduler'),
  node: (n) => counted(n, 'node'),
};
const MOST_NODES = 300; // of a graph; more are a matrix
const MOST_IN_MATRIX = 340;
const FEW_EDGES = 24; // of a graph that is readable at a glance

const meanWords = (t: Table, i: number) => t.num('words', i) / t.num('count', i);
const edgeText = (t: Table, i: number) =>
  `${count(t.num('count', i))}${Number.isNaN(t.num('words', i)) ? '' : ` × ${words(meanWords(t, i))}`}`;

function edgeTip(t: Table, i: number, name: NameOf) {
  const list: [string, string][] = [['messages', count(t.num('count', i))]];
  if (!Number.isNaN(t.num('words', i)))
    list.push(
      ['on average', words(meanWords(t, i))],
      ['in all', words(t.num('words', i))],
      ['largest', words(t.num('max_words', i))],
    );
  if (!Number.isNaN(t.num('latency_ns', i)))
    list.push(
      ['mean latency', duration(t.num('latency_ns', i))],
      ['longest latency', duration(t.num('max_latency_ns', i))],
    );
  return { title: `${full(name(t.num('from', i)))} → ${full(name(t.num('to', i)))}`, rows: list };
}

/** The messages of one end. */
interface Traffic {
  id: number;
  sent: number;
  received: number;
  self: number; // sent to itself: part of both
  senders: number;
}
/** Returns the traffic of each end, the busiest first. */
function useTraffic(t: Table): Traffic[] {
  return useMemo(() => {
    const all = new Map<number, Traffic>();
    const of = (id: number) => {
      const old = all.get(id) ?? { id, sent: 0, received: 0, self: 0, senders: 0 };
      all.set(id, old);
      return old;
    };
    for (let i = 0; i < t.rows; i++) {
      const [from, to] = [of(t.num('from', i)), of(t.num('to', i))];
      from.sent += t.num('count', i);
      to.received += t.num('count', i);
      to.senders++;
      if (from === to) to.self += t.num('count', i);
    }
    return [...all.values()].sort((a, b) => b.sent + b.received - a.sent - a.received);
  }, [t]);
}
const sum = (e: Traffic) => e.sent + e.received;

/** A sentence about an end that most messages go to or come from. */
function Hub({ t, level, ends, name }: { t: Table; level: Level; ends: Traffic[]; name: NameOf }) {
  const all = t.nums('count').reduce((s, v) => s + v, 0);
  const hub = ends[0];
  const its = hub ? sum(hub) - hub.self : 0;
  if (!hub || ends.length < 3 || its < 0.6 * all) return null;
  return (
    <p class="body soft" style={{ margin: 0 }}>
      <b>{percent(its / all)}</b> of these messages go to or come from <b>{full(name(hub.id))}</b>:{' '}
      {count(hub.received)} to it from {counted(hub.senders, level === 'process' ? 'sender' : level)},{' '}
      {count(hub.sent - hub.self)} back.
    </p>
  );
}

/** Returns the boxes and arrows: of the strongest connections, or of all. */
function useGraph(t: Table, ends: Traffic[], name: NameOf): { nodes: GraphNode[]; edges: GraphEdge[] } {
  const colours = groupColours();
  const few = place.value.own.edges !== 'all';
  return useMemo(() => {
    const drawn = few ? Math.min(t.rows, FEW_EDGES) : t.rows; // the strongest come first
    const touched = new Set<number>();
    for (let i = 0; i < drawn; i++) touched.add(t.num('from', i)).add(t.num('to', i));
    const shown = ends.filter((e) => touched.has(e.id)).slice(0, MOST_NODES);
    const most = ends[0] ? sum(ends[0]) : 1;
    const nodes = shown.map((e, i) => ({
      id: String(e.id),
      lines: [name(e.id).name, [name(e.id).note, counted(sum(e), 'message')].filter(Boolean).join(' · ')],
      colour: colours[i < 9 ? i : 9]!,
      weight: Math.sqrt(sum(e) / most),
    }));
    const loud = Math.max(1, ...t.nums('count'));
    const known = new Set(shown.map((e) => e.id));
    const edges: GraphEdge[] = [];
    for (let i = 0; i < drawn; i++) {
      const [from, to] = [t.num('from', i), t.num('to', i)];
      if (!known.has(from) || !known.has(to)) continue;
      const text = drawn <= FEW_EDGES ? edgeText(t, i) : '';
      edges.push({ from: String(from), to: String(to), text, weight: Math.sqrt(t.num('count', i) / loud) });
    }
    return { nodes, edges };
  }, [t, ends, name, colours, few]);
}

/** Opens a process, or the processes of a group; schedulers and nodes have no page of their own. */
function useOpen(level: Level): (id: number) => void {
  const groups = useGroups();
  return (id) => {
    if (level === 'process') return view('process', String(id));
    if (level !== 'group') return undefined;
    const row = groups ? groups.nums('id').indexOf(id) : -1;
    if (row >= 0 && groups!.num('processes', row) === 1)
      return view('process', String(groups!.num('representative', row)));
    return go({ view: 'processes', id: null, group: id, own: {} });
  };
}

interface Props {
  t: Table;
  ends: Traffic[];
  level: Level;
  name: NameOf;
}

function GraphOf({ t, ends, level, name }: Props) {
  const { nodes, edges } = useGraph(t, ends, name);
  const open = useOpen(level);
  const row = useMemo(
    () => new Map(Array.from({ length: t.rows }, (_, i) => [`${t.num('from', i)} ${t.num('to', i)}`, i])),
    [t],
  );
  const byId = useMemo(() => new Map(ends.map((e) => [e.id, e])), [ends]);
  return (
    <Graph
      nodes={nodes}
      edges={edges}
      label="Who sends to whom"
      click={(id) => open(Number(id))}
      edgeTip={(e) => {
        const i = row.get(`${e.from} ${e.to}`);
        return i === undefined ? null : edgeTip(t, i, name);
      }}
      tip={(id) => {
        const end = byId.get(Number(id))!;
        return {
          title: full(name(end.id)),
          rows: [
            ['sent', count(end.sent)],
            ['received', count(end.received)],
          ],
        };
      }}
    />
  );
}

function MatrixOf({ t, ends, level, name }: Props) {
  const { ids, names, cells } = useMemo(() => {
    const shown = ends.slice(0, MOST_IN_MATRIX).map((e) => e.id); // the busiest first: a hub is a cross in the corner
    const index = new Map(shown.map((id, i) => [id, i]));
    const list: (MatrixCell & { row: number })[] = [];
    for (let i = 0; i < t.rows; i++) {
      const [from, to] = [index.get(t.num('from', i)), index.get(t.num('to', i))];
      if (from !== undefined && to !== undefined) list.push({ from, to, value: t.num('count', i), row: i });
    }
    return { ids: shown, names: shown.map(name), cells: list };
  }, [t, ends, name]);
  return (
    <Matrix
      names={names}
      cells={cells}
      label="Who sends to whom"
      tip={(c) => edgeTip(t, (c as (typeof cells)[number]).row, name)}
      click={(c) => choosePair(level, ids[c.from]!, ids[c.to]!)}
    />
  );
}

const HOW_MANY = [
  ['few', `Top ${FEW_EDGES}`],
  ['all', 'All'],
] as const;
const WAYS = [
  ['graph', 'Graph'],
  ['matrix', 'Matrix'],
] as const;

export function Picture({ t, level, name }: { t: Table; level: Level; name: NameOf }) {
  const ends = useTraffic(t);
  const { as: chosen, edges } = place.value.own;
  const as = WAYS.find(([way]) => way === chosen)?.[0] ?? (ends.length > MOST_NODES ? 'matrix' : 'graph');
  const busiest = as === 'matrix' && ends.length > MOST_IN_MATRIX ? `the ${MOST_IN_MATRIX} busiest of ` : '';
  const weaker = t.leftOut ? `; ${count(t.leftOut)} weaker connections left out` : '';
  return (
    <Panel
      title={as === 'graph' ? 'Graph' : 'Matrix'}
      sub={`${busiest}${ENDS[level](ends.length)}, ${counted(t.rows, 'connection')}${weaker}`}
      tools={
        <>
          {as === 'graph' && t.rows > FEW_EDGES && (
            <Choice
              label="Edges"
              value={edges === 'all' ? 'all' : 'few'}
              of={HOW_MANY}
              pick={(v) => own('edges', v === 'all' ? v : '')}
            />
          )}
          <Choice label="Draw as" value={as} of={WAYS} pick={(v) => own('as', v)} />
        </>
      }
    >
      <Hub t={t} level={level} ends={ends} name={name} />
      <div style={{ padding: '0 12px 12px' }}>
        {as === 'graph' ? (
          <GraphOf t={t} ends={ends} level={level} name={name} />
        ) : (
          <MatrixOf t={t} ends={ends} level={level} name={name} />
        )}
      </div>
    </Panel>
  );
}
