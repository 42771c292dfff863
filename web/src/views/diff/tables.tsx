// The figures that differ, by what they are of.
import type { ComponentChildren } from 'preact';
import { cell, percent, SPACE } from '../../lib/format';
import { functionName } from '../../lib/names';
import { where } from '../../lib/rows';
import type { Table, Unit } from '../../lib/table';
import { elixir } from '../../state/info';
import { Panel } from '../../ui/bits';
import { TableGrid, type GridColumn, type Order } from '../../ui/grid';

/** The panels: a title, and the kinds of figures in it, as in src/answer/diff.def. */
export const PARTS: { title: string; sub: string; kinds: string[] }[] = [
  {
    title: 'The run',
    sub: 'its length, its work, its schedulers, memory',
    kinds: ['length', 'work', 'lane', 'memory'],
  },
  { title: 'Groups', sub: 'run time of the processes of a group, collections included', kinds: ['group'] },
  { title: 'Functions', sub: 'own time of traced functions', kinds: ['function'] },
  { title: 'Calls of functions', sub: 'how often traced functions were called', kinds: ['calls'] },
  { title: 'Functions by CPU samples', sub: 'samples in the function itself', kinds: ['cpu'] },
  {
    title: 'Servers',
    sub: 'round trips of requests, service times, and the work for a request',
    kinds: ['round_trip_p50', 'round_trip_p99', 'service_p50', 'service_p99', 'request_work', 'request_share'],
  },
  { title: 'Waits', sub: 'time in which processes waited in a function', kinds: ['wait'] },
  { title: 'Messages', sub: 'from one group to another', kinds: ['messages'] },
  { title: 'Sizes of messages', sub: 'words of all messages from one group to another', kinds: ['message_words'] },
  { title: 'Garbage collection', sub: 'of the processes of a group', kinds: ['gc'] },
  { title: 'Tests', sub: 'their duration', kinds: ['test'] },
];
/** The first kinds of panels whose subjects are no names of functions and groups. */
const OTHERS = new Set(['length', 'test']);
/** The names of functions and processes in a path of groups, or from one group to another. */
const subjectOf = (text: string) =>
  text
    .split(/( -> | > )/)
    .map((part, i) => (i % 2 ? part : functionName(part, elixir.value)))
    .join('');

const unitOf = (t: Table, i: number) => (t.str('unit', i) ?? 'none') as Unit;
export const signed = (v: number, text: (v: number) => string) =>
  Number.isNaN(v) ? '–' : `${v > 0 ? '+' : v < 0 ? '−' : ''}${text(Math.abs(v))}`;

/** The change as `strobe diff` writes it: what was not there before is new. */
const changeOf = (t: Table, i: number) =>
  t.num('a', i) === 0
    ? 'new'
    : signed(t.num('change', i), (v) => (v >= 9.995 ? `${cell(v, 'none')}${SPACE}×` : percent(v)));

/** A bar from the middle: to the right and red for more in B, to the left and blue for less. */
function Bar({ part }: { part: number }) {
  const width = 50 * Math.min(1, Math.abs(part));
  return (
    <span class="changed" aria-hidden="true">
      <i class={part > 0 ? 'more' : 'less'} style={{ left: `${part > 0 ? 50 : 50 - width}%`, width: `${width}%` }} />
    </span>
  );
}

/** Returns the columns before, after, difference and change; `shares`: with the parts of the whole. */
export function changes(t: Table, shares = false): ((at: Order) => GridColumn)[] {
  const largest = new Map<string, number>();
  for (let i = 0; i < t.rows; i++) {
    const unit = unitOf(t, i);
    largest.set(unit, Math.max(largest.get(unit) ?? 0, Math.abs(t.num('difference', i)) || 0));
  }
  const column = (key: string, head: string, render: (row: number) => ComponentChildren) => (at: Order) => ({
    key,
    head,
    number: true,
    sort: true,
    doc: t.column(key).doc,
    value: (i: number) => t.cell(t.column(key), at(i)),
    render: (i: number) => render(at(i)),
  });
  const amount = (key: string) => (i: number) => (
    <span title={`${t.cell(t.column(key), i) ?? 'unknown'} ${t.str('unit', i)}`}>
      {cell(t.num(key, i), unitOf(t, i))}
    </span>
  );
  const share = (key: string, head: string) =>
    shares ? [column(key, head, (i) => (Number.isNaN(t.num(key, i)) ? '–' : percent(t.num(key, i))))] : [];
  return [
    column('a', 'A, before', amount('a')),
    ...share('a_share', 'share of A'),
    column('b', 'B, after', amount('b')),
    ...share('b_share', 'share of B'),
    column('difference', 'difference', (i) => (
      <>
        <Bar part={t.num('difference', i) / largest.get(unitOf(t, i))! || 0} />
        <span>{signed(t.num('difference', i), (v) => cell(v, unitOf(t, i)))}</span>
      </>
    )),
    column('change', 'change', (i) => changeOf(t, i)),
  ];
}

/** Columns of the answer that the tables show otherwise. */
export const SHOWN = ['unit', 'a', 'b', 'difference', 'a_share', 'b_share', 'change'];

const kindColumn = (t: Table) => (at: Order) => ({
  key: 'kind',
  head: 'of what',
  sort: true,
  value: (i: number) => t.str('kind', at(i)),
  render: (i: number) => KINDS[t.str('kind', at(i))!] ?? t.str('kind', at(i))!.replace(/_/g, ' '),
});
const KINDS: Record<string, string> = { lane: 'slices of a scheduler', memory: 'largest memory' };

/** A table of the figures of some kinds that differ. */
export function Part({ t, title, sub, kinds }: { t: Table; title: string; sub: string; kinds: string[] }) {
  const all = where(t, (i) => kinds.includes(t.str('kind', i)!));
  const differ = where(all, (i) => all.num('difference', i) !== 0);
  if (!all.rows) return null;
  const same = all.rows - differ.rows;
  return (
    <Panel title={title} sub={same ? `${sub}; ${same} ${same === 1 ? 'is' : 'are'} the same in both` : sub}>
      {differ.rows > 0 && (
        <TableGrid
          table={differ}
          label={title}
          height={320}
          hide={[...SHOWN, 'kind']}
          first={[kinds.length > 1 && kindColumn(differ)]}
          last={changes(differ)}
          instead={
            OTHERS.has(kinds[0]!)
              ? undefined
              : {
                  subject: (i) => {
                    const text = differ.str('subject', i) ?? '';
                    return <span title={text}>{subjectOf(text)}</span>;
                  },
                }
          }
        />
      )}
    </Panel>
  );
}
