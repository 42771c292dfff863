// A call tree as a table that unfolds, and as a graph of the functions above a share of the time.
import { useMemo, useState } from 'preact/hooks';
import type { GraphEdge, GraphNode } from '../draw/graph/arrange';
import { Graph } from '../draw/graph';
import { frameName } from '../draw/flame';
import { amountOf, count, percent } from '../lib/format';
import { functionName } from '../lib/names';
import { pick } from '../lib/rows';
import type { Answer, Table } from '../lib/table';
import { unfold } from '../lib/unfold';
import { api, useAnswer } from '../state/data';
import { elixir } from '../state/info';
import { go, own, place } from '../state/place';
import { groupColours } from '../state/theme';
import { Empty, Fold, FunctionLink, Problem, Share } from '../ui/bits';
import { Grid, type GridColumn } from '../ui/grid';

const LEAST = '1'; // percent
const MOST = 300;

function LeastShare({ hidden, of, sampled }: { hidden: number; of: number; sampled: boolean }) {
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
        % of the {sampled ? 'samples' : 'time'}, with the number of {sampled ? 'samples' : 'calls'} between them; ↻ of
        itself
        {hidden > 0 && `; ${count(hidden)} of ${count(of)} functions are below that and not drawn`}
      </label>
    </p>
  );
}

/** The functions of at least a share of the time, as nodes; what is below is counted. */
function nodesOf(t: Table, edges: Table, waits: boolean, total: number, least: number) {
  const value = t.nums(waits ? 'acc' : 'run');
  const share = (row: number) => value[row]! / (total || 1);
  const shown = Array.from({ length: t.rows }, (_, i) => i)
    .filter((i) => value[i]! > 0 && share(i) >= least)
    .sort((a, b) => value[b]! - value[a]! || a - b)
    .slice(0, MOST);
  return { value, share, row: new Map(shown.map((i) => [t.str('mfa', i)!, i])), made: madeOf(edges) };
}

/** The number of calls by "caller\ncallee". */
const madeOf = (t: Table) =>
  new Map(
    Array.from({ length: t.rows }, (_, i) => [`${t.str('caller', i)}\n${t.str('callee', i)}`, t.num('calls', i)]),
  );

/** `asked`: of which calls. */
export function CallGraph({
  asked,
  waits,
  sampled,
}: {
  asked: Parameters<typeof api>[1];
  waits: boolean;
  sampled: boolean;
}) {
  const { value: answer, error } = useAnswer(api('call_graph', asked));
  if (!answer) return <Problem error={error} />;
  return <Drawn answer={answer} waits={waits} sampled={sampled} />;
}

function Drawn({ answer, waits, sampled }: { answer: Answer; waits: boolean; sampled: boolean }) {
  const amount = amountOf(sampled);
  const unit = sampled ? 'samples' : 'calls';
  const least = Number(place.value.own.least ?? LEAST) / 100 || 0;
  const t = answer.tables.function!;
  const g = useMemo(
    () => nodesOf(t, answer.tables.edge!, waits, Number(waits ? answer.meta.total : answer.meta.total_run), least),
    [answer, waits, least],
  );
  const graph = useMemo(() => {
    const nodes: GraphNode[] = [...g.row].map(([f, i]) => {
      const self = g.made.get(`${f}\n${f}`);
      return {
        id: f,
        lines: [
          functionName(f, elixir.value),
          `${percent(g.share(i))} · ${amount(g.value[i]!)}${self ? ` · ↻ ${count(self)}` : ''}`,
        ],
        colour: groupColours()[0]!,
        weight: g.share(i),
      };
    });
    const edges: GraphEdge[] = [...g.made].flatMap(([pair, calls]) => {
      const [from = '', to = ''] = pair.split('\n');
      const known = from !== to && g.row.has(from) && g.row.has(to);
      return known ? { from, to, text: `×${count(calls)}`, weight: g.share(g.row.get(to)!) } : [];
    });
    return { nodes, edges };
  }, [g, elixir.value]);
  const edgeTip = ({ from, to }: GraphEdge) => {
    const made = g.made.get(`${from}\n${to}`)!;
    return {
      title: `${functionName(from, elixir.value)} → ${functionName(to, elixir.value)}`,
      rows: [
        [unit, count(made)],
        [`share of its ${unit}`, percent(made / t.num('calls', g.row.get(to)!))],
      ] as [string, string][],
    };
  };
  const hidden = Number(answer.meta.functions) - graph.nodes.filter((n) => n.id.includes(':')).length;
  return (
    <>
      <LeastShare hidden={hidden} of={Number(answer.meta.functions)} sampled={sampled} />
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
                ['total', amount(g.value[g.row.get(f)!]!)],
                [`of the ${sampled ? 'samples' : 'time'}`, percent(g.share(g.row.get(f)!))],
                ...(sampled ? [] : [['calls', count(t.num('calls', g.row.get(f)!))] as [string, string]]),
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

export function CallTree({ answer, waits }: { answer: Answer; waits: boolean }) {
  const all = answer.tables.call!;
  const sampled = Boolean(answer.meta.sampled);
  const amount = amountOf(sampled);
  const of = all.nums(waits ? 'acc' : 'run');
  const { t, value, order } = useMemo(() => {
    const key = (i: number) => (all.num('more', i) ? -1 : of[i]!);
    const rows = Array.from({ length: all.rows }, (_, i) => i).sort((a, b) => key(b) - key(a) || a - b);
    return { t: pick(all, rows), value: rows.map((i) => of[i]!), order: rows };
  }, [all, of]);
  const total = Number(waits ? answer.meta.total : answer.meta.total_run) || 1;
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
        const [id, mfa] = [t.num('id', row(i)), t.str('mfa', row(i))];
        return (
          <span style={{ paddingLeft: `${depth * 16}px` }}>
            <Fold open={open.has(id)} children={children} turn={() => turn(id)} />
            {mfa ? <FunctionLink mfa={mfa} /> : frameName(answer, order[row(i)]!, waits, elixir.value)}
          </span>
        );
      },
    },
    {
      key: 'share',
      head: `of the ${sampled ? 'samples' : 'time'}`,
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
  const shown = sampled ? columns.filter((c) => c.key !== 'calls') : columns;
  return <Grid label="The calls, unfolded" columns={shown} rows={nodes.length} height={520} />;
}
