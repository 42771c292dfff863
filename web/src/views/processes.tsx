// All processes: a flat list that sorts and searches on the server, or a tree with siblings folded into groups.
import { useMemo, useState } from 'preact/hooks';
import { cell, count } from '../lib/format';
import { headOf as columnHead } from '../lib/heads';
import { functionName } from '../lib/names';
import type { Table } from '../lib/table';
import { pick } from '../lib/rows';
import { unfold, withAncestors } from '../lib/unfold';
import { api, ask, useAnswer } from '../state/data';
import { elixir, fact, rows, scheduled, timed } from '../state/info';
import { asked, go, here, narrowed, own, place, run, tick, view } from '../state/place';
import { usePages, type Pages } from '../state/pages';
import { named } from '../state/people';
import { report } from '../state/report';
import { Choice, Empty, Fold, Panel, Problem, Title, Who } from '../ui/bits';
import { callsOf, useCalled } from '../ui/called';
import { Grid, type GridColumn, type Sort } from '../ui/grid';
import type { View } from '../ui/view';

export const processes: View = {
  route: 'processes',
  name: 'Processes',
  section: 'Who',
  icon: 'M2 4h12M2 8h12M2 12h12',
  key: 'p',
  body: Processes,
};

const USUAL = ['run_ns', 'runnable_ns', 'wait_ns', 'gc_ns', 'sends', 'receives', 'migrations', 'max_queue'];
const LIVES = ['end', 'exit_reason', 'spawned', 'entry']; // if nothing else was recorded
const MORE = [
  'gc_count',
  'send_words',
  'mean_send_words',
  'receive_words',
  'mean_receive_words',
  'send_ext_bytes',
  'receive_ext_bytes',
  'timeouts',
  'dirty_ns',
  'handover_ns',
  'dirty_gc_ns',
  'unknown_ns',
  'runnable_low_ns',
  'runnable_high_ns',
  'slices',
  'spawned',
  'peak_heap_words',
  'reclaimed_words',
  'start',
  'end',
  'exit_reason',
  'entry',
  'parent',
  'node',
  'group_id',
];
const MOST_TICKED = 1000; // the limit of the view Compare
const TEXTS = new Set(['entry', 'exit_reason']);
/** Columns that depend on a class of events; without it they are shown only on request. */
const OF: Record<string, string> = { gc_ns: 'gc', sends: 'messages', receives: 'messages', max_queue: 'messages' };
const recorded = (c: string) => (OF[c] ? fact(OF[c]!) : c.endsWith('_ns') ? scheduled() : rows('slice') > 0);
function usual(): string[] {
  const shown = USUAL.filter(recorded);
  return shown.length ? shown : LIVES;
}
const headOf = (c: string) => columnHead(c, c.endsWith('_words') ? 'words' : 'none');

function Life({ t, at }: { t: Table; at: number }) {
  const [first, last] = run.value;
  const start = t.num('start', at);
  const end = t.num('end', at);
  const [a, b] = [Number.isNaN(start) ? first : start, Number.isNaN(end) ? last : end];
  const when = (at_ns: number) => cell(Number.isNaN(at_ns) ? null : at_ns, 'at_ns');
  return (
    <span class="life" title={`from ${when(start)} to ${when(end)}`}>
      <i style={{ left: `${(100 * a) / last}%`, width: `${(100 * (b - a)) / last}%` }} />
    </span>
  );
}

/** Times by state cover the selected range; all other numbers are known for the whole run only. */
const WITHIN = new Set(['run_ns', 'runnable_ns', 'wait_ns', 'gc_ns', 'dirty_ns', 'handover_ns', 'unknown_ns']);
const FIXED = new Set(['start', 'end', 'exit_reason', 'entry', 'parent', 'node', 'group_id']);
const ofWhole = (c: string) => narrowed.value && !FIXED.has(c) && (report !== null || !WITHIN.has(c));

function Columns({ shown }: { shown: string[] }) {
  const [open, setOpen] = useState(false);
  const turn = (c: string) => own('cols', (shown.includes(c) ? shown.filter((x) => x !== c) : [...shown, c]).join('.'));
  return (
    <span style={{ position: 'relative' }}>
      <button type="button" class="button" aria-expanded={open} onClick={() => setOpen(!open)}>
        Columns
      </button>
      {open && (
        <div
          class="dialog"
          style={{
            position: 'absolute',
            right: 0,
            top: '34px',
            zIndex: 20,
            width: '360px',
            padding: '12px 16px',
            display: 'grid',
            gridTemplateColumns: '1fr 1fr',
            gap: '4px',
            overflow: 'auto',
          }}
        >
          {[...USUAL, ...MORE].map((c) => (
            <label class="with" key={c}>
              <input type="checkbox" checked={shown.includes(c)} onChange={() => turn(c)} />
              {headOf(c)}
            </label>
          ))}
        </div>
      )}
    </span>
  );
}

const callsColumn = (idOf: (i: number) => number | string | null, called: Set<number>): GridColumn => ({
  key: 'calls',
  head: 'calls',
  width: '48px',
  render: (i) => {
    const id = Number(idOf(i));
    return called.has(id) ? <a href={here(callsOf(id))}>calls</a> : null;
  },
});

/** A figure of a process, with a note if it covers the whole run while a range is selected. */
const amountColumn = (
  key: string,
  value: (i: number) => number | string | null,
  render: GridColumn['render'],
): GridColumn => ({
  key,
  head: ofWhole(key) ? (
    <>
      {headOf(key)} <span class="whole">whole run</span>
    </>
  ) : (
    headOf(key)
  ),
  number: !TEXTS.has(key),
  value,
  render,
});

const lifeColumn = (width: string, row: (i: number) => ReturnType<Pages['row']>): GridColumn => ({
  key: 'start',
  head: 'life',
  width,
  render: (i) => {
    const r = row(i);
    return r && <Life t={r.t} at={r.at} />;
  },
});

/** Returns the parameters of the list: order, search, group, range. */
function useWanted() {
  const o = place.value.own;
  const sort = { key: o.sort ?? (!scheduled() && fact('messages') ? 'sends' : 'run_ns'), down: o.dir !== 'up' };
  const wanted = {
    sort: sort.key,
    dir: sort.down ? 'down' : 'up',
    find: o.find?.toLowerCase(),
    group: place.value.group,
    parent: o.parent,
    ...asked(),
  };
  return { sort, wanted };
}

/** Returns the chosen columns, and the one that the list is sorted by. */
function shownColumns(sortedBy: string): string[] {
  const { cols } = place.value.own;
  const chosen = cols ? cols.split('.') : usual();
  const more = [...USUAL, ...MORE].includes(sortedBy) && !chosen.includes(sortedBy);
  return more ? [sortedBy, ...chosen] : chosen;
}

const isTicked = (id: number | string | null) => place.value.ticked.includes(Number(id));

const tickColumn = (idOf: (i: number) => number | string | null): GridColumn => ({
  key: 'tick',
  head: <span class="hidden-text">selected</span>,
  width: '42px',
  render: (i) => {
    const id = idOf(i);
    return (
      id !== null && (
        <input
          type="checkbox"
          aria-label={`Select process ${id}`}
          checked={isTicked(id)}
          onChange={() => tick(Number(id))}
        />
      )
    );
  },
});

const Search = () => (
  <input
    class="field"
    type="search"
    style={{ width: '300px' }}
    placeholder="Name, label, entry or pid"
    aria-label="Search processes"
    value={place.value.own.find ?? ''}
    onInput={(e) => go({ own: { ...place.value.own, find: e.currentTarget.value } }, true)}
  />
);

/** What there is to see of the selected processes. */
const OfTicked = () =>
  place.value.ticked.length > 0 ? (
    <>
      <button type="button" class="button main" onClick={() => view('compare')}>
        Compare {place.value.ticked.length}
      </button>
      <button type="button" class="button" onClick={() => view('messages')}>
        Their messages
      </button>
    </>
  ) : null;

/** Sorts by a column, or the other way round if the list is sorted by it. */
const sortBy = (sort: Sort) => (key: string) =>
  go({ own: { ...place.value.own, sort: key, dir: sort.key === key && sort.down ? 'up' : '' } });

function listColumns(pages: Pages, shown: string[], called: Set<number> | null): GridColumn[] {
  const value = (c: string) => (i: number) => {
    const r = pages.row(i);
    return r ? r.t.cell(r.t.column(c), r.at) : null;
  };
  const render = (c: string) => (i: number) => {
    const r = pages.row(i);
    if (!r) return <span class="faint">…</span>;
    const v = value(c)(i);
    if (v === null) return <span class="null">–</span>;
    return c === 'entry' ? functionName(String(v), elixir.value) : cell(v, r.t.column(c).unit);
  };
  const who = (i: number) => {
    const r = pages.row(i);
    return r ? <Who of={named(r.t, r.at)} id={r.t.num('id', r.at)} /> : '…';
  };
  return [
    tickColumn(value('id')),
    { key: 'name', head: 'process', sort: true, render: who, value: value('pid') },
    ...(timed() ? [{ ...lifeColumn('90px', pages.row), sort: true }] : []),
    ...(called ? [callsColumn(value('id'), called)] : []),
    ...shown.filter((c) => c !== 'start').map((c) => ({ ...amountColumn(c, value(c), render(c)), sort: true })),
  ];
}

function ListTools({ pages, wanted, shown }: { pages: Pages; wanted: object; shown: string[] }) {
  const tickAll = async () => {
    const { processes } = (await ask(api('processes', { ...wanted, n: MOST_TICKED }))).tables;
    go({ ticked: [...new Set([...place.value.ticked, ...processes!.nums('id')])].slice(0, MOST_TICKED) });
  };
  return (
    <div class="tools">
      <OfTicked />
      {pages.total !== null && pages.total > 0 && (
        <button type="button" class="button" onClick={() => void tickAll()}>
          {pages.total > MOST_TICKED ? `Select the first ${count(MOST_TICKED)}` : 'Select all'}
        </button>
      )}
      <Columns shown={shown} />
    </div>
  );
}

const howMany = ({ total, all }: Pages) =>
  total === null ? '' : `${total === all ? '' : `${count(total)} of `}${count(all)} processes`;

function Flat() {
  const { sort, wanted } = useWanted();
  const pages = usePages('processes', wanted, 'processes');
  const shown = shownColumns(sort.key);
  const columns = listColumns(pages, shown, useCalled());
  const ticked = (i: number) => {
    const r = pages.row(i);
    return r !== null && isTicked(r.t.num('id', r.at));
  };
  return (
    <>
      <div class="title">
        <Search />
        <span class="sub">{howMany(pages)}</span>
        <ListTools pages={pages} wanted={wanted} shown={shown} />
      </div>
      <Problem error={pages.error} />
      {pages.meta?.sorted_whole && (
        <div class="notice">
          <b>Sorted by the whole run.</b>
          <span>There are too many processes to sort them by their times in this range.</span>
        </div>
      )}
      <Panel>
        {pages.total === 0 ? (
          <Empty title="No process matches" text="Nothing matches the search in this time range." />
        ) : (
          <Grid
            label="Processes"
            columns={columns}
            rows={pages.total ?? 0}
            height={Math.max(320, innerHeight - 250)}
            sort={sort}
            onSort={sortBy(sort)}
            onSight={pages.onSight}
            rowClass={(i) => (ticked(i) ? 'ticked' : '')}
          />
        )}
      </Panel>
    </>
  );
}

/** The groups that match the search, in the wanted order; groups above a match stay. */
function soughtGroups(all: Table, find: string, sort: Sort): Table {
  const text = (i: number) => ['entry', 'who', 'pid'].map((c) => all.str(c, i) ?? '').join('\n');
  const rows = find
    ? withAncestors(all, 'parent_group', (i) => text(i).toLowerCase().includes(find))
    : Array.from({ length: all.rows }, (_, i) => i);
  const key = (i: number) => (sort.down ? -1 : 1) * (all.num(sort.key, i) || 0);
  return pick(
    all,
    rows.sort((a, b) => key(a) - key(b) || a - b),
  );
}

const TREE_COLUMNS = ['run_ns', 'runnable_ns', 'wait_ns', 'gc_ns', 'sends', 'receives'];

function Folded() {
  const { value, error } = useAnswer(api('ask/tree'));
  const { sort } = useWanted();
  const find = place.value.own.find?.toLowerCase() ?? '';
  const all = value?.tables.group;
  const order = [...TREE_COLUMNS, 'start'].includes(sort.key) ? sort : { key: 'run_ns', down: true };
  const t = useMemo(() => all && soughtGroups(all, find, order), [all, find, order.key, order.down]);
  const [open, setOpen] = useState<Set<number> | null>(null);
  const opened = useMemo(() => {
    if (t && find) return new Set(t.nums('id'));
    if (open || !t) return open ?? new Set<number>();
    return t.rows <= 400 ? new Set(t.nums('id')) : new Set<number>();
  }, [open, t, find]);
  const nodes = useMemo(() => (t ? unfold(t, opened, 'parent_group') : []), [t, opened]);
  if (!t) return <Problem error={error} />;
  const turn = (id: number) => {
    const next = new Set(opened);
    if (!next.delete(id)) next.add(id);
    setOpen(next);
  };
  const amount = (c: string) => {
    const value = (i: number) => t.cell(t.column(c), nodes[i]!.row);
    return { ...amountColumn(c, value, (i) => cell(value(i), t.column(c).unit)), sort: true };
  };
  const deepest = nodes.reduce((most, n) => Math.max(most, n.depth), 0);
  const columns: GridColumn[] = [
    tickColumn((i) => t.num('representative', nodes[i]!.row)),
    {
      key: 'name',
      head: 'process (siblings grouped)',
      room: `${deepest * 18 + 330}px`, // so that the deepest name is readable
      render: (i) => {
        const { row, depth, children } = nodes[i]!;
        const id = t.num('id', row);
        const many = t.num('processes', row) > 1;
        return (
          <span class="indented" style={{ paddingLeft: `${depth * 18}px` }}>
            <Fold open={opened.has(id)} children={children} turn={() => turn(id)} />
            {many ? (
              <a href={here({ group: id, own: {} })}>
                {functionName(t.str('entry', row), elixir.value)} <b>×{count(t.num('processes', row))}</b>
              </a>
            ) : (
              <Who of={named(t, row)} id={t.num('representative', row)} />
            )}
          </span>
        );
      },
    },
    ...(timed() ? [{ ...lifeColumn('130px', (i) => ({ t, at: nodes[i]!.row })), sort: true }] : []),
    ...TREE_COLUMNS.filter(recorded).map(amount),
  ];
  return (
    <>
      <div class="title">
        <Search />
        <div class="tools">
          <OfTicked />
        </div>
      </div>
      <Panel title={narrowed.value ? 'In the whole run' : undefined}>
        {nodes.length === 0 ? (
          <Empty title="No process matches" text="Nothing matches the search." />
        ) : (
          <Grid
            label="Groups of processes"
            columns={columns}
            rows={nodes.length}
            height={Math.max(320, innerHeight - 250)}
            sort={order}
            onSort={sortBy(order)}
            rowClass={(i) => (isTicked(t.num('representative', nodes[i]!.row)) ? 'ticked' : '')}
          />
        )}
      </Panel>
    </>
  );
}

const WAYS = [
  ['list', 'List'],
  ['tree', 'Folded tree'],
] as const;

function Processes() {
  const as = place.value.own.as === 'tree' && place.value.group === null ? 'tree' : 'list';
  if (!rows('process'))
    return (
      <Empty
        title="No process was seen"
        text="Record a program that runs for a moment."
        command="strobe record -- CMD"
      />
    );
  return (
    <>
      <Title
        tools={
          <Choice
            label="Show as"
            value={as}
            of={WAYS}
            pick={(v) => go({ group: null, own: v === 'tree' ? { as: 'tree' } : {} })}
          />
        }
      >
        Processes
      </Title>
      {as === 'tree' ? <Folded /> : <Flat />}
    </>
  );
}
