// A call tree as a table that unfolds, and as a graph of the functions above a share of the time.
import { useMemo, useState } from 'preact/hooks';
import type { GraphEdge, GraphNode } from '../draw/arrange';
import { Graph } from '../draw/graph';
import { joined } from '../lib/callgraph';
import { count, percent } from '../lib/format';
import { functionName } from '../lib/names';
import { pick } from '../lib/rows';
import type { Table } from '../lib/table';
import { unfold } from '../lib/unfold';
import { elixir } from '../state/info';
import { go, own, place } from '../state/place';
import { groupColours } from '../state/theme';
import { Empty, Fold, FunctionLink, Share } from '../ui/bits';
import { Grid, type GridColumn } from '../ui/grid';

interface Props {
  t: Table;
  value: ArrayLike<number>; // of each row with its callees
  amount: (v: number) => string;
}
const LEAST = '1'; // percent
const MOST = 300;

function LeastShare() {
  return (
    <p class="body" style={{ margin: 0 }}>
      <label class="with">
        functions of at least
        <input
          class="field"
          type="number"
          min="0"
          max="100"
          step="0.5"
          style={{ width: '68px' }}
          value={place.value.own.least ?? LEAST}
          onChange={(e) => own('least', e.currentTarget.value)}
        />
        % of the time, with the number of calls between them; ↻ of itself
      </label>
    </p>
  );
}

export function CallGraph({ t, value, amount }: Props) {
  const least = Number(place.value.own.least ?? LEAST) / 100 || 0;
  const g = useMemo(() => joined(t, value), [t, value]);
  const graph = useMemo(() => {
    const share = (f: string) => (g.time.get(f) ?? 0) / (g.total || 1);
    const shown = new Set(
      [...g.time.keys()]
        .filter((f) => share(f) >= least)
        .sort((a, b) => share(b) - share(a))
        .slice(0, MOST),
    );
    const self = new Map(g.edges.filter((e) => e.from === e.to).map((e) => [e.from, e.calls]));
    const nodes: GraphNode[] = [...shown].map((f) => ({
      id: f,
      lines: [
        functionName(f, elixir.value),
        `${percent(share(f))} · ${amount(g.time.get(f)!)}${self.has(f) ? ` · ↻ ${count(self.get(f)!)}` : ''}`,
      ],
      colour: groupColours()[0]!,
      weight: share(f),
    }));
    const edges: GraphEdge[] = g.edges
      .filter((e) => e.from !== e.to && shown.has(e.from) && shown.has(e.to))
      .map((e) => ({ from: e.from, to: e.to, text: e.calls > 0 ? `×${count(e.calls)}` : '', weight: share(e.to) }));
    return { nodes, edges };
  }, [g, least, elixir.value]);
  const edgeTip = ({ from, to }: GraphEdge) => {
    const made = g.edges.find((e) => e.from === from && e.to === to)!.calls;
    return {
      title: `${functionName(from, elixir.value)} → ${functionName(to, elixir.value)}`,
      rows: (made > 0
        ? [
            ['calls', count(made)],
            ['share of its calls', percent(made / g.calls.get(to)!)],
          ]
        : []) as [string, string][],
    };
  };
  return (
    <>
      <LeastShare />
      {graph.nodes.length ? (
        <div style={{ padding: '0 12px 12px' }}>
          <Graph
            nodes={graph.nodes}
            edges={graph.edges}
            layers={160}
            label="Who calls whom"
            click={(f) => go({ fn: f })}
            tip={(f) => ({
              title: functionName(f, elixir.value),
              rows: [
                ['total', amount(g.time.get(f) ?? 0)],
                ['of the time', percent((g.time.get(f) ?? 0) / (g.total || 1))],
                ['calls', count(g.calls.get(f) ?? 0)],
              ],
              note: 'Click for its callers and callees',
            })}
            edgeTip={edgeTip}
          />
        </div>
      ) : (
        <Empty title="No function reaches this share" text="Lower the share to see more." />
      )}
    </>
  );
}

export function CallTree({ t: all, value: of, amount }: Props) {
  const { t, value } = useMemo(() => {
    const rows = Array.from({ length: all.rows }, (_, i) => i).sort((a, b) => of[b]! - of[a]! || a - b);
    return { t: pick(all, rows), value: rows.map((i) => of[i]!) };
  }, [all, of]);
  const total = useMemo(() => joined(t, value).total || 1, [t, value]);
  // the heaviest path is unfolded at first
  const [open, setOpen] = useState<Set<number>>(
    () =>
      new Set(
        Array.from({ length: t.rows }, (_, i) => i)
          .filter((i) => value[i]! > 0.1 * total)
          .map((i) => t.num('id', i)),
      ),
  );
  const nodes = useMemo(() => unfold(t, open, 'parent').filter((n) => value[n.row]! > 0), [t, open, value]);
  const turn = (id: number) => {
    const next = new Set(open);
    if (!next.delete(id)) next.add(id);
    setOpen(next);
  };
  const row = (i: number) => nodes[i]!.row;
  const deepest = nodes.reduce((most, n) => Math.max(most, n.depth), 0);
  const columns: GridColumn[] = [
    {
      key: 'function',
      head: 'function',
      room: `${deepest * 16 + 330}px`, // so that the deepest name is readable
      render: (i) => {
        const { depth, children } = nodes[i]!;
        const [id, mfa] = [t.num('id', row(i)), t.str('mfa', row(i)) ?? ''];
        return (
          <span style={{ paddingLeft: `${depth * 16}px` }}>
            <Fold open={open.has(id)} children={children} turn={() => turn(id)} />
            <FunctionLink mfa={mfa} />
          </span>
        );
      },
    },
    {
      key: 'share',
      head: 'of the time',
      width: '170px',
      render: (i) => (
        <>
          <Share of={value[row(i)]! / total} colour="var(--accent)" />
          {percent(value[row(i)]! / total)}
        </>
      ),
    },
    { key: 'acc', head: 'total', number: true, value: (i) => value[row(i)]!, render: (i) => amount(value[row(i)]!) },
    {
      key: 'own',
      head: 'self',
      number: true,
      value: (i) => t.num('own', row(i)),
      render: (i) => amount(t.num('own', row(i))),
    },
    {
      key: 'calls',
      head: 'calls',
      number: true,
      value: (i) => t.num('calls', row(i)),
      render: (i) => count(t.num('calls', row(i))),
    },
  ];
  return <Grid label="The calls, unfolded" columns={columns} rows={nodes.length} height={520} />;
}
