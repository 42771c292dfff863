// The panel of what is selected in the lanes: its times, what woke it, what it did, and steps to all of these.
import type { ComponentChildren } from 'preact';
import { cell, counted, duration, exactly, precise } from '../lib/format';
import { functionName } from '../lib/names';
import type { Moment } from '../lib/route';
import { where } from '../lib/rows';
import type { Table } from '../lib/table';
import { aroundSpan } from '../lib/window';
import { elixir, schedulerName } from '../state/info';
import { selected, selecting } from '../state/moment';
import { named, PROCESS } from '../state/people';
import { go, here, look, place } from '../state/place';
import { report } from '../state/report';
import { MomentLink, NotSaved, Panel, Problem, Who } from './bits';
import { whoColumn } from './columns';
import { TableGrid, type GridColumn, type Order } from './grid';
import type { Key } from './view';

const WORDS: Record<string, string> = {
  woken_by: 'woken by',
  before: 'before',
  after: 'after',
  collected: 'collected garbage',
  marked: 'marked',
  received: 'received from',
  sent: 'sent to',
  woke: 'woke',
  owner: 'owned by',
};

const isPort = (t: Table, i = 0) => t.str('state', i) === 'port';
/** Returns the moment that a row leads to: of the process or port itself for its states, else of the other process. */
function target(t: Table, i: number): Moment | null {
  const relation = t.str('relation', i)!;
  const own = relation === 'before' || relation === 'after';
  const from = t.num(own ? 'at' : 'other_at', i);
  const process = t.num('id', i);
  const scheduler = own && isPort(t, i) ? t.num('scheduler', i) : undefined;
  const known = !Number.isNaN(from) && (scheduler !== undefined || !Number.isNaN(process));
  return known ? { process, scheduler, from, to: null } : null;
}

/** Goes to the first row of some relations that leads anywhere. */
const step =
  (...relations: string[]) =>
  () => {
    const t = selected.value.table;
    for (let i = 0; t && i < t.rows; i++) {
      const to = relations.includes(t.str('relation', i)!) && target(t, i);
      if (to) return go(selecting(to));
    }
  };
const span = (t: Table): [number, number] => [t.num('at', 0), t.num('at', 0) + t.num('dur', 0)];
const zoomIn = () => {
  const t = selected.value.table;
  if (t?.rows) look(aroundSpan(t.num('at', 0), t.num('dur', 0)));
};

/** The keys while something is selected, each with a button. */
const STEPS: (Key & { name: string })[] = [
  { keys: [','], name: 'Before', what: 'the state before the selected one', act: step('before') },
  { keys: ['.'], name: 'After', what: 'the state after it', act: step('after') },
  { keys: ['u'], name: 'Who woke it', what: 'who woke what is selected', act: step('woken_by') },
  { keys: ['i'], name: 'Whom it woke', what: 'the first that it woke, or sent to', act: step('woke', 'sent') },
  { keys: ['z'], name: 'Zoom', what: 'zoom to what is selected', act: zoomIn },
];
export const momentKeys = (): Key[] => (place.value.at ? STEPS : []);

function Facts({ t }: { t: Table }) {
  const [from, to] = span(t);
  const mfa = (c: string) => t.str(c, 0) && functionName(t.str(c, 0), elixir.value);
  const on = t.num('scheduler', 0);
  const ran = Boolean(t.str('text', 0));
  const [low, high] = [t.num('low_ns', 0), t.num('high_ns', 0)];
  const facts: [string, ComponentChildren | null][] = [
    [isPort(t) ? 'port' : 'process', <Who key="who" of={named(t, 0, PROCESS)} id={t.num('id', 0)} />],
    ['from', precise(from)],
    ['to', precise(to)],
    ['took', `${duration(to - from)} (${exactly(to - from, 'ns')})`],
    ['between', low < high ? `${duration(low)} and ${duration(high)}` : null],
    ['on', Number.isNaN(on) ? null : schedulerName(on)],
    ...(isPort(t)
      ? [['driver', t.str('text', 0) ?? 'unknown'] as [string, string]]
      : [
          ['began in', ran ? (mfa('function') ?? 'unknown') : null] as [string, string | null],
          [
            ran ? 'ended in' : 'in',
            [mfa('out_function') ?? 'unknown', t.str('place', 0)].filter(Boolean).join(' at '),
          ] as [string, string],
        ]),
  ];
  return (
    <dl class="moment">
      {facts.map(
        ([k, v]) =>
          v !== null && (
            <div key={k}>
              <dt>{k}</dt>
              <dd>{v}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

const relationColumn =
  (t: Table) =>
  (o: Order): GridColumn => ({
    key: 'relation',
    head: 'relation',
    value: (i) => t.str('relation', o(i)),
    render: (i) => {
      const to = target(t, o(i));
      const text = WORDS[t.str('relation', o(i))!];
      return to ? <a href={here(selecting(to))}>{text}</a> : text;
    },
  });

function Related({ t: all }: { t: Table }) {
  const t = where(all, (i) => i > 0);
  const on = (c: string) => (i: number) => (Number.isNaN(t.num(c, i)) ? '–' : schedulerName(t.num(c, i)));
  return (
    <>
      <TableGrid
        table={t}
        label="What led to it, and what came of it"
        height={260}
        lead="cause"
        hide={['relation', 'process', 'pid', 'id', 'node', 'function', 'out_function', 'place']}
        first={[relationColumn(t), whoColumn(t, 'id', 'process', '–', PROCESS)]}
        instead={{
          at: (i) => <MomentLink process={NaN} at={t.num('at', i)} />,
          other_at: (i) => <MomentLink process={t.num('id', i)} at={t.num('other_at', i)} />,
          scheduler: on('scheduler'),
          other_scheduler: on('other_scheduler'),
          cause: (i) => cell(t.cell(t.column('cause'), i), 'none'),
        }}
      />
      {all.leftOut > 0 && <p class="body faint">{counted(all.leftOut, 'more row')} are not listed.</p>}
    </>
  );
}

function Body({ t }: { t: Table }) {
  if (!t.rows) return <p class="body soft">Nothing is known of this process at that moment.</p>;
  return (
    <>
      <Facts t={t} />
      <Related t={t} />
    </>
  );
}

export function MomentPanel() {
  if (!place.value.at) return null;
  const { table, error } = selected.value;
  const title = table?.rows ? `Selected: ${table.str('state', 0)}` : 'Selected';
  const tools = (
    <>
      {table?.rows
        ? STEPS.map(({ keys, name, what, act }) => (
            <button key={name} type="button" class="button quiet" title={what} onClick={act}>
              {name} <kbd>{keys[0]}</kbd>
            </button>
          ))
        : null}
      <button type="button" class="button quiet" onClick={() => go({ at: null })} aria-label="Clear what is selected">
        ×
      </button>
    </>
  );
  return (
    <Panel title={title} tools={tools}>
      <Problem error={error} />
      {report ? <NotSaved has="no single slices" /> : table && <Body t={table} />}
    </Panel>
  );
}
