// A table of any answer, with units and sorting. The document holds only the visible rows, so a million rows scroll
// like ten.
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { cell as show, count, exactly } from '../lib/format';
import { headOf } from '../lib/heads';
import { functionName, slug } from '../lib/names';
import { MOST, leapt, scrolled, type Scroll } from '../lib/scroll';
import type { Column, Table } from '../lib/table';
import { elixir, info, nodeName } from '../state/info';
import { isOpen, own, place, unfoldPart } from '../state/place';
import { TakeTable } from './take';

const ROW = 28;

export interface GridColumn {
  key: string;
  head: ComponentChildren;
  number?: boolean;
  doc?: string;
  width?: string;
  room?: string; // the most that its cells take; wider contents are cut
  sort?: boolean;
  render: (row: number) => ComponentChildren;
  value?: (row: number) => number | string | null; // read by tests and copies
}
export interface Sort {
  key: string;
  down: boolean;
}
interface Props {
  label: string;
  columns: GridColumn[];
  rows: number;
  height?: number;
  sort?: Sort;
  onSort?: (key: string) => void;
  rowClass?: (row: number) => string;
  onSight?: (from: number, to: number) => void;
}

function Head({ c, sort, onSort }: { c: GridColumn; sort?: Sort; onSort?: (key: string) => void }) {
  const mine = sort?.key === c.key;
  return (
    <th
      class={c.number ? 'number' : ''}
      title={c.doc}
      style={c.width ? { width: c.width } : undefined}
      aria-sort={mine ? (sort.down ? 'descending' : 'ascending') : undefined}
    >
      {c.sort && onSort ? (
        <button type="button" onClick={() => onSort(c.key)}>
          {c.head}
          {mine && <span aria-hidden="true">{sort.down ? '↓' : '↑'}</span>}
        </button>
      ) : (
        <span>{c.head}</span>
      )}
    </th>
  );
}

const Gap = ({ height, columns }: { height: number; columns: number }) =>
  height > 0 ? (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row of a table cannot get the focus
    <tr aria-hidden="true">
      <td colSpan={columns} style={{ height: `${height}px`, padding: 0, border: 0 }} />
    </tr>
  ) : null;

/** Returns the visible rows, and the pixels above and below them. */
function useScroll(rows: number, room: number) {
  const box = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<Scroll>({ top: 0, shift: 0 });
  const now = useRef(at); // events come faster than renders
  const tall = rows * ROW;
  const put = (next: Scroll) => {
    if (Math.abs(next.top - box.current!.scrollTop) >= 1) box.current!.scrollTop = next.top;
    now.current = { ...next, top: box.current!.scrollTop };
    setAt(now.current);
  };
  const onScroll = () => put(scrolled(now.current, box.current!.scrollTop, tall, room));
  // another list: the state follows from the position of the box
  useLayoutEffect(() => put(leapt(box.current!.scrollTop, tall)), [tall]);
  const first = Math.floor((at.top + at.shift) / ROW);
  const from = Math.max(0, Math.min(first - 8, rows - 8));
  const to = Math.max(from, Math.min(rows, first + Math.ceil(room / ROW) + 9));
  const above = Math.max(0, from * ROW - at.shift);
  return { box, onScroll, from, to, above, below: Math.max(0, Math.min(tall, MOST) - above - (to - from) * ROW) };
}

export function Grid({ label, columns, rows, height = 420, sort, onSort, rowClass, onSight }: Props) {
  const room = Math.min(height, rows * ROW + 34);
  const { box, onScroll, from, to, above, below } = useScroll(rows, room);
  useLayoutEffect(() => onSight?.(from, to), [from, to, onSight]);
  return (
    <div
      class="grid"
      ref={box}
      style={{ maxHeight: `${height}px` }}
      tabIndex={0}
      role="region"
      aria-label={label}
      onScroll={onScroll}
    >
      <table aria-rowcount={rows + 1}>
        <thead>
          <tr>
            {columns.map((c) => (
              <Head key={c.key} c={c} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          <Gap height={above} columns={columns.length} />
          {Array.from({ length: Math.max(0, to - from) }, (_, k) => from + k).map((i) => (
            <tr key={i} class={rowClass?.(i)} aria-rowindex={i + 2}>
              {columns.map((c) => {
                const value = c.value?.(i);
                return (
                  <td
                    key={c.key}
                    class={c.number ? 'number' : ''}
                    data-column={c.key}
                    data-value={value === undefined ? undefined : (value ?? 'null')}
                    style={c.room ? { maxWidth: c.room } : undefined}
                  >
                    {c.render(i)}
                  </td>
                );
              })}
            </tr>
          ))}
          <Gap height={below} columns={columns.length} />
        </tbody>
      </table>
    </div>
  );
}

/** Columns of functions, and of processes with names that may be functions or modules. */
const NAMES = new Set(
  'function mfa entry spawn_mfa in_function out_function caller callee process peer server waits_for asks_most'.split(
    ' ',
  ),
);
const areNodesSeveral = () => (info.value?.answer.tables.node?.rows ?? 0) > 1;

const LONG = 300; // characters of a cell; longer texts are cut, with their length
const Text = ({ text }: { text: string }) =>
  text.length > LONG ? (
    <span title={text.slice(0, 2000)}>
      {text.slice(0, LONG)}… <span class="faint">{count(text.length)} characters</span>
    </span>
  ) : (
    <span title={text}>{text}</span>
  );

/** A rounded number with all digits in its tooltip; `raw`: not rounded, unless it is a time. */
function Amount({ t, c, row, raw }: { t: Table; c: Column; row: number; raw: boolean }) {
  const v = t.num(c.name, row);
  const full = exactly(v, c.unit, t.exact(c, row)!);
  return (
    <span title={full}>
      {raw && (c.unit === 'none' || c.unit === 'count' || c.unit === 'id') ? full : show(v, c.unit)}
    </span>
  );
}

export function columnOf(t: Table, c: Column, order: (row: number) => number, raw = false): GridColumn {
  return {
    key: c.name,
    head: headOf(c.name, c.unit),
    number: !c.text,
    doc: c.doc || undefined,
    sort: true,
    value: (i) => (c.digits ? c.digits(order(i)) : t.cell(c, order(i))),
    render: (i) => {
      const v = t.cell(c, order(i));
      if (v === null) return <span class="null">{raw ? 'NULL' : '–'}</span>;
      if (c.text && NAMES.has(c.name)) return <span title={String(v)}>{functionName(String(v), elixir.value)}</span>;
      if (c.name === 'node' && !c.text && !raw) return nodeName(Number(v)) || String(v);
      return typeof v === 'string' ? <Text text={v} /> : <Amount t={t} c={c} row={order(i)} raw={raw} />;
    },
  };
}

/** Whether a column is all NULL: what was not recorded is not shown. */
function isNothing(t: Table, c: Column): boolean {
  for (let i = 0; i < t.rows; i++) if (t.cell(c, i) !== null) return false;
  return t.rows > 0;
}

export type Order = (row: number) => number; // from the rows shown to those of the table
type Made = false | ((order: Order) => GridColumn); // of columns that are not the table's; false: it is not shown
interface TableProps {
  table: Table;
  label: string;
  height?: number;
  first?: Made[]; // columns before those of the table
  last?: Made[];
  hide?: string[];
  lead?: string; // the column of the table that comes first
  instead?: Record<string, (row: number) => ComponentChildren>; // renders the cells of a column
  asNamed?: boolean; // heads are the names of the columns, as in the statement
}

/** Returns the order of a table in the address: "run_ns" is descending, "run_ns.up" ascending. */
function sortOf(key: string): Sort | null {
  const [column = '', way] = (place.value.own[key] ?? '').split('.');
  return column ? { key: column, down: way !== 'up' } : null;
}

/** A table of an answer, sorted by the page. */
export function TableGrid({
  table,
  label,
  height,
  first = [],
  last = [],
  hide = [],
  lead,
  instead = {},
  asNamed = false,
}: TableProps) {
  const key = `sort-${slug(label)}`;
  const written = place.value.own[key];
  const sort = useMemo(() => sortOf(key), [key, written]);
  const order = useMemo(() => sorted(table, sort), [table, sort]);
  const at: Order = (i) => (order ? order[i]! : i);
  const shown = useMemo(() => {
    const some = table.columns.filter(
      (c) => asNamed || (!isNothing(table, c) && (c.name !== 'node' || c.text || areNodesSeveral())),
    );
    return [...some.filter((c) => c.name === lead), ...some.filter((c) => c.name !== lead)];
  }, [table, asNamed, lead]);
  const made = (list: Made[]) => list.flatMap((f) => (f ? [f(at)] : []));
  const columns = [
    ...made(first),
    ...shown.filter((c) => !hide.includes(c.name)).map((c) => columnOf(table, c, at, asNamed)),
    ...made(last),
  ];
  for (const c of columns) {
    if (asNamed) c.head = c.key;
    const render = instead[c.key];
    if (!render) continue;
    c.render = (i) => render(at(i));
    c.number = false; // it is a name
  }
  return (
    <>
      <Grid
        label={label}
        columns={columns}
        rows={table.rows}
        height={height}
        sort={sort ?? undefined}
        onSort={(c) => table.has(c) && own(key, (sort?.key === c ? sort.down : table.column(c).text) ? `${c}.up` : c)}
      />
      <TakeTable table={table} label={label} name={slug(label)} />
    </>
  );
}

function sorted(t: Table, sort: Sort | null): Uint32Array | null {
  if (!sort || !t.has(sort.key)) return null;
  const c = t.column(sort.key);
  const order = Uint32Array.from({ length: t.rows }, (_, i) => i);
  const sign = sort.down ? -1 : 1;
  return order.sort((a, b) => {
    const x = t.cell(c, a);
    const y = t.cell(c, b);
    if (x === null || y === null) return x === y ? a - b : x === null ? 1 : -1;
    return (typeof x === 'string' ? x.localeCompare(String(y)) : x - Number(y)) * sign || a - b;
  });
}

/** The answer behind a picture as a table, for keyboards, screen readers and copies. `one`: of several of a picture, so
    it shows its label. */
export function Twin({
  table,
  label,
  as,
  one = false,
  ...rest
}: { table: Table; label: string; as?: (t: Table) => Table; one?: boolean } & Pick<
  TableProps,
  'hide' | 'instead' | 'first'
>) {
  const part = slug(label);
  const open = isOpen(part);
  const shown = useMemo(() => (open && as ? as(table) : table), [open, as, table]);
  return (
    <details
      class="twin"
      open={open}
      onToggle={(e) => e.currentTarget.open !== open && unfoldPart(part, e.currentTarget.open)}
    >
      <summary aria-label={`Show as table: ${label}`}>Show as table{one && `: ${label.toLowerCase()}`}</summary>
      {open && <TableGrid table={shown} label={label} height={320} {...rest} />}
    </details>
  );
}
