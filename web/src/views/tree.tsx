// The process tree as a graph; siblings with the same entry share a box.
import { useMemo } from 'preact/hooks';
import type { GraphEdge, GraphNode } from '../draw/graph/arrange';
import { Graph } from '../draw/graph';
import { cell, count, duration } from '../lib/format';
import { functionName, title } from '../lib/names';
import type { Table } from '../lib/table';
import { api, useAnswer } from '../state/data';
import { elixir, rows, scheduled } from '../state/info';
import { named } from '../state/people';
import { go, view } from '../state/place';
import { groupColours } from '../state/theme';
import { Busy, Empty, Keys, Panel, Problem, Title } from '../ui/bits';
import { Twin } from '../ui/grid';
import type { View } from '../ui/view';

export const tree: View = {
  route: 'tree',
  name: 'Tree',
  section: 'Who',
  icon: 'M3 3h4m-2 0v10h4M5 8h4m1-2h4v4h-4zm0 5h4v4h-4z',
  key: 't',
  body: Tree,
};

const MOST = 160;
const SUMS = [
  ['run_ns', 'ran'],
  ['runnable_ns', 'runnable'],
  ['sends', 'sent'],
  ['receives', 'received'],
] as const;

/** Returns boxes and arrows of the groups that ran most, with their ancestors. */
function graphOf(t: Table, colours: string[]) {
  const row = new Map<number, number>();
  for (let i = 0; i < t.rows; i++) row.set(t.num('id', i), i);
  const shown = new Set<number>();
  for (let i = 0; i < t.rows && shown.size < MOST; i++)
    for (let id = t.num('id', i); row.has(id) && !shown.has(id); id = t.num('parent_group', row.get(id)!))
      shown.add(id);
  const most = Math.max(1, ...t.nums('run_ns').filter((v) => !Number.isNaN(v)));
  const nodes: GraphNode[] = [];
  const edges: GraphEdge[] = [];
  for (const id of shown) {
    const i = row.get(id)!;
    const many = t.num('processes', i);
    const name = many > 1 ? functionName(t.str('entry', i), elixir.value) : title(named(t, i), elixir.value);
    const run = t.num('run_ns', i) || 0;
    const sub = many > 1 ? `×${count(many)}` : t.str('pid', i) !== name ? t.str('pid', i) : null;
    const ran = scheduled() ? `ran ${duration(run)}` : null;
    nodes.push({
      id: String(id),
      lines: [name, [sub, ran].filter(Boolean).join(' · ')].filter(Boolean),
      colour: many > 1 ? colours[0]! : colours[1]!,
      weight: Math.sqrt(run / most),
    });
    const parent = t.num('parent_group', i);
    if (shown.has(parent) && parent !== id) edges.push({ from: String(parent), to: String(id), text: '', weight: 0.2 });
  }
  return { nodes, edges, row };
}

function Tree() {
  const { value, error, loading } = useAnswer(rows('process_group') > 0 ? api('ask/tree') : null);
  const t = value?.tables.group;
  const colours = groupColours();
  const graph = useMemo(() => (t ? graphOf(t, colours) : null), [t, colours, elixir.value]);
  if (!rows('process_group'))
    return (
      <Empty title="No process tree was recorded" text="Record it with:" command="strobe record --trace procs -- CMD" />
    );
  return (
    <>
      <Busy on={loading} />
      <Title
        sub={
          t && graph
            ? graph.nodes.length < t.rows
              ? `the ${count(graph.nodes.length)} of ${count(t.rows)} groups that ran most, with their ancestors`
              : `${count(t.rows)} groups of processes`
            : ''
        }
      >
        Process tree
      </Title>
      <Problem error={error} />
      {t && graph && (
        <Panel
          title="Who spawned whom"
          tools={
            <div class="legend">
              <Keys
                of={[
                  { text: 'one process', colour: colours[1]! },
                  { text: 'siblings with the same entry', colour: colours[0]! },
                ]}
              />
              <span class="faint">fill: time it ran</span>
            </div>
          }
        >
          <div style={{ padding: '8px 12px' }}>
            <Graph
              tree
              nodes={graph.nodes}
              edges={graph.edges}
              label="Who spawned whom"
              click={(id) => {
                const i = graph.row.get(Number(id))!;
                if (t.num('processes', i) > 1) go({ view: 'processes', id: null, group: Number(id), own: {} });
                else view('process', String(t.num('representative', i)));
              }}
              tip={(id) => {
                const i = graph.row.get(Number(id))!;
                return {
                  title: functionName(t.str('entry', i), elixir.value),
                  rows: [
                    ['processes', count(t.num('processes', i))],
                    ...SUMS.filter(([c]) => !Number.isNaN(t.num(c, i))).map(([c, what]): [string, string] => [
                      what,
                      cell(t.num(c, i), t.column(c).unit),
                    ]),
                  ],
                };
              }}
            />
          </div>
          <Twin table={t} label="The groups" />
        </Panel>
      )}
    </>
  );
}
