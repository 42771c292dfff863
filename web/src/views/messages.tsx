// Who speaks with whom: a graph with two thresholds, a matrix for many, sizes over time, between processes, groups,
// schedulers or nodes.
import { useMemo } from 'preact/hooks';
import type { GraphEdge, GraphNode } from '../draw/arrange';
import { Graph } from '../draw/graph';
import { Matrix, type MatrixCell } from '../draw/matrix';
import { count, counted, duration, percent, words } from '../lib/format';
import { functionName, title } from '../lib/names';
import type { Answer, Table } from '../lib/table';
import { api, useAnswer } from '../state/data';
import { elixir, fact, info, rows, schedulerName } from '../state/info';
import { named, People } from '../state/people';
import { asked, go, href, narrowed, own, place, view } from '../state/place';
import { report } from '../state/report';
import { groupColours, palette } from '../state/theme';
import { Busy, Choice, Empty, Panel, Problem, Title } from '../ui/bits';
import { TableGrid } from '../ui/grid';
import { groupNames, useGroups } from '../ui/groups';
import { choosePair, full, LEVELS, Singles, type Level, type NameOf } from './message_list';

const ENDS: Record<Level, (n: number) => string> = {
  process: (n) => (n === 1 ? '1 process' : `${count(n)} processes`),
  group: (n) => counted(n, 'group'),
  scheduler: (n) => counted(n, 'scheduler'),
  node: (n) => counted(n, 'node'),
};
const MOST_NODES = 300; // beyond, a matrix
const MOST_IN_MATRIX = 340;
const FEW_EDGES = 24; // of a graph that reads at a glance

function useNames(level: Level, answer: Answer | null): NameOf {
  const groups = useGroups();
  const groupName = useMemo(() => (groups ? groupNames(groups, elixir.value) : null), [groups, elixir.value]);
  return useMemo(() => {
    if (level === 'process') {
      const people = new People(answer?.tables.process);
      return (id) => {
        const [name, pid] = [people.title(id), people.named(id).pid ?? ''];
        return { name, note: pid === name ? '' : pid };
      };
    }
    const t =
      level === 'group'
        ? groups
        : level === 'scheduler'
          ? info.value!.answer.tables.scheduler!
          : info.value!.answer.tables.node!;
    const row = new Map<number, number>();
    if (t) for (let i = 0; i < t.rows; i++) row.set(t.num('id', i), i);
    return (id) => {
      const i = row.get(id);
      if (i === undefined || !t) return { name: `${level} ${id}`, note: '' };
      if (level === 'scheduler') return { name: schedulerName(id), note: '' };
      if (level === 'node') return { name: t.str('name', i) ?? `node ${id}`, note: '' };
      const many = t.num('processes', i) > 1;
      const whole = groupName?.get(id) ?? `${level} ${id}`; // with ×N, and of namesakes the parent
      const name = many ? functionName(t.str('entry', i), elixir.value) : title(named(t, i), elixir.value);
      return { name, note: many ? whole.slice(name.length).trim() : (named(t, i).pid ?? '') };
    };
  }, [level, answer, groups, groupName, elixir.value]);
}

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

/** One end that most messages go to or come from, in a sentence. */
function Funnel({ t, ids, name }: { t: Table; ids: [number, number][]; name: NameOf }) {
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
      <b>{percent((to + from) / all)}</b> of these messages go to or come from <b>{full(name(id))}</b>: {count(to)} to
      it from {counted(peers, 'sender')}, {count(from)} back.
    </p>
  );
}

function Picture({ t, level, name }: { t: Table; level: Level; name: NameOf }) {
  const ids = useMemo(() => {
    const sum = new Map<number, number>();
    for (let i = 0; i < t.rows; i++)
      for (const end of ['from', 'to']) sum.set(t.num(end, i), (sum.get(t.num(end, i)) ?? 0) + t.num('count', i));
    return [...sum].sort((a, b) => b[1] - a[1]);
  }, [t]);
  const asked = place.value.own.as;
  const as = asked === 'graph' || asked === 'matrix' ? asked : ids.length > MOST_NODES ? 'matrix' : 'graph';
  const p = palette.value;
  const colours = groupColours();
  const most = ids[0]?.[1] ?? 1;
  const groups = useGroups();
  const open = (id: number) => {
    if (level === 'process') return view('process', String(id));
    if (level !== 'group') return undefined;
    const row = groups ? groups.nums('id').indexOf(id) : -1;
    if (row >= 0 && groups!.num('processes', row) === 1)
      return view('process', String(groups!.num('representative', row)));
    return go({ view: 'processes', id: null, group: id, own: {} });
  };
  const rowOfEdge = useMemo(
    () => new Map(Array.from({ length: t.rows }, (_, i) => [`${t.num('from', i)} ${t.num('to', i)}`, i])),
    [t],
  );
  const graph = useMemo(() => {
    const drawn = place.value.own.edges === 'all' ? t.rows : Math.min(t.rows, FEW_EDGES); // the strongest come first
    const ends = new Set<number>();
    for (let i = 0; i < drawn; i++) for (const end of ['from', 'to']) ends.add(t.num(end, i));
    const shown = new Set(
      ids
        .map(([id]) => id)
        .filter((id) => ends.has(id))
        .slice(0, 300),
    );
    const sum = new Map(ids);
    const nodes: GraphNode[] = [...shown].map((id, i) => ({
      id: String(id),
      lines: [name(id).name, `${name(id).note}${name(id).note && ' · '}${counted(sum.get(id)!, 'message')}`],
      colour: colours[i < 9 ? i : 9]!,
      weight: Math.sqrt(sum.get(id)! / most),
    }));
    const loud = Math.max(1, ...t.nums('count'));
    const edges: GraphEdge[] = [];
    for (let i = 0; i < drawn; i++)
      if (shown.has(t.num('from', i)) && shown.has(t.num('to', i)))
        edges.push({
          from: String(t.num('from', i)),
          to: String(t.num('to', i)),
          text: drawn <= FEW_EDGES ? edgeText(t, i) : '',
          weight: Math.sqrt(t.num('count', i) / loud),
        });
    return { nodes, edges };
  }, [t, ids, name, colours, place.value.own.edges]);
  const matrix = useMemo(() => {
    const shown = ids.slice(0, MOST_IN_MATRIX).map(([id]) => id); // most traffic first: a funnel is a cross in the corner
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
      title={as === 'graph' ? 'Graph' : 'Matrix'}
      sub={`${as === 'matrix' && ids.length > MOST_IN_MATRIX ? `the ${MOST_IN_MATRIX} busiest of ` : ''}${ENDS[level](ids.length)}, ${counted(t.rows, 'connection')}${t.leftOut ? `; ${count(t.leftOut)} weaker connections left out` : ''}`}
      tools={
        <>
          {as === 'graph' && t.rows > FEW_EDGES && (
            <Choice
              label="Edges"
              value={place.value.own.edges === 'all' ? 'all' : 'few'}
              of={
                [
                  ['few', `Top ${FEW_EDGES}`],
                  ['all', 'All'],
                ] as const
              }
              pick={(v) => own('edges', v === 'all' ? v : '')}
            />
          )}
          <Choice
            label="Draw as"
            value={as}
            of={
              [
                ['graph', 'Graph'],
                ['matrix', 'Matrix'],
              ] as const
            }
            pick={(v) => own('as', v)}
          />
        </>
      }
    >
      <Funnel t={t} ids={ids} name={name} />
      <div style={{ padding: '0 12px 12px', background: p.panel }}>
        {as === 'graph' ? (
          <Graph
            nodes={graph.nodes}
            edges={graph.edges}
            label="Who sends to whom"
            click={(id) => open(Number(id))}
            edgeTip={(e) => {
              const i = rowOfEdge.get(`${e.from} ${e.to}`);
              return i === undefined ? null : edgeTip(t, i, name);
            }}
            tip={(id) => {
              const n = Number(id);
              let [sent, received] = [0, 0];
              for (let i = 0; i < t.rows; i++) {
                if (t.num('from', i) === n) sent += t.num('count', i);
                if (t.num('to', i) === n) received += t.num('count', i);
              }
              return {
                title: full(name(n)),
                rows: [
                  ['sent', count(sent)],
                  ['received', count(received)],
                ],
              };
            }}
          />
        ) : (
          <Matrix
            names={matrix.names}
            cells={matrix.cells}
            label="Who sends to whom"
            tip={(c) => edgeTip(t, rowOf(c), name)}
            click={(c) => choosePair(level, matrix.ids[c.from]!, matrix.ids[c.to]!)}
          />
        )}
      </div>
    </Panel>
  );
}

function Threshold({ name, text, after }: { name: 'min_count' | 'min_words'; text: string; after: string }) {
  return (
    <label class="with">
      {text}
      <input
        class="field"
        type="number"
        min="0"
        style={{ width: '68px' }}
        value={place.value.own[name] ?? (name === 'min_count' ? '1' : '0')}
        onChange={(e) => own(name, e.currentTarget.value)}
      />
      {after}
    </label>
  );
}

function End({ level, id, name }: { level: Level; id: number; name: NameOf }) {
  const { name: text, note } = name(id);
  const body = (
    <>
      <span>{text}</span>
      {note && <span class="pid">{note}</span>}
    </>
  );
  const to =
    level === 'process'
      ? href('process', String(id))
      : level === 'group'
        ? href('processes', null, { group: id })
        : null;
  return to ? (
    <a class="who" href={to}>
      {body}
    </a>
  ) : (
    <span class="who">{body}</span>
  );
}

export function Messages() {
  const { own: o, ticked } = place.value;
  const nodes = info.value!.answer.tables.node?.rows ?? 1;
  // groups first where processes would make a hairball
  const usual: Level = rows('process') > 60 && rows('process_group') < rows('process') / 2 ? 'group' : 'process';
  const level = LEVELS.find((l) => l === o.level) ?? usual;
  const any = rows('message_edge') > 0;
  const { value, error, loading } = useAnswer(
    any
      ? api('messages', {
          level,
          min_count: o.min_count,
          min_words: o.min_words,
          p: ticked.join(','),
          n: 1000,
          ...asked(),
        })
      : null,
  );
  const name = useNames(level, value);
  if (!any)
    return fact('messages') ? (
      <Empty title="No message went from one process to another" text="Messages were recorded, and there was none." />
    ) : (
      <Empty
        title="Messages were not recorded"
        text="The content of messages is never recorded, only their sizes. Record them with:"
        command="strobe record --trace messages,running,procs -- CMD"
      />
    );
  const t = value?.tables.edge;
  const of = [
    ['process', 'Processes'],
    ['group', 'Groups'],
    ['scheduler', 'Schedulers'],
    ...(nodes > 1 ? [['node', 'Nodes'] as const] : []),
  ] as const;
  return (
    <>
      <Busy on={loading} />
      <Title
        sub={
          value
            ? `${counted(Number(value.meta.messages), 'message')} on ${counted(Number(value.meta.edges), 'connection')}`
            : ''
        }
        tools={
          <>
            <Threshold name="min_count" text="at least" after="messages" />
            <Threshold name="min_words" text="of" after="words on average" />
            <Choice label="Between" value={level} of={of} pick={(v) => go({ own: { ...o, level: v, pair: '' } })} />
          </>
        }
      >
        Messages
      </Title>
      <Problem error={error} />
      {narrowed.value && value && !value.meta.narrowed && (
        <div class="notice">
          <b>The whole run.</b>
          <span>
            {value.meta.kept
              ? 'Between schedulers and nodes only sums were kept.'
              : 'Single messages were not kept in this profile, so the window cannot narrow them.'}
          </span>
        </div>
      )}
      {t && t.rows === 0 && <Empty title="No connection is that strong" text="Lower the thresholds to see more." />}
      {t && t.rows > 0 && <Picture t={t} level={level} name={name} />}
      <Singles level={level} name={name} />
      {t && t.rows > 0 && (
        <Panel title="Connections">
          <TableGrid
            table={t}
            label="Message edges"
            height={360}
            hide={['from', 'to', 'matched', 'ext_bytes']}
            first={[
              (at) => ({
                key: 'from',
                head: 'sender',
                sort: true,
                value: (i) => t.num('from', at(i)),
                render: (i) => <End level={level} id={t.num('from', at(i))} name={name} />,
              }),
              (at) => ({
                key: 'to',
                head: 'receiver',
                sort: true,
                value: (i) => t.num('to', at(i)),
                render: (i) => <End level={level} id={t.num('to', at(i))} name={name} />,
              }),
            ]}
            last={
              level === 'scheduler' || !rows('message') || report
                ? []
                : [
                    (at) => ({
                      key: 'pair',
                      head: <span class="hidden-text">messages</span>,
                      render: (i) => (
                        <button
                          type="button"
                          class="button quiet"
                          style={{ height: '22px' }}
                          onClick={() => choosePair(level, t.num('from', at(i)), t.num('to', at(i)))}
                        >
                          Show messages
                        </button>
                      ),
                    }),
                  ]
            }
          />
        </Panel>
      )}
    </>
  );
}
