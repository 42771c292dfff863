// All processes: a flat list that sorts and searches on the server, or a tree with siblings folded into groups.
import { useMemo, useState } from 'preact/hooks';
import { cell, count } from '../lib/format';
import { headOf as columnHead } from '../lib/heads';
import { functionName } from '../lib/names';
import type { Table } from '../lib/table';
import { api, ask, useAnswer } from '../state/data';
import { elixir, fact, rows, scheduled, timed } from '../state/info';
import { asked, go, here, narrowed, own, place, run, tick, view } from '../state/place';
import { usePages } from '../state/pages';
import { named } from '../state/people';
import { report } from '../state/report';
import { Choice, Empty, Panel, Problem, Title, Who } from '../ui/bits';
import { Grid, type GridColumn } from '../ui/grid';

const USUAL = ['run_ns', 'runnable_ns', 'wait_ns', 'gc_ns', 'sends', 'receives', 'migrations', 'max_queue'];
const LIVES = ['end', 'exit_reason', 'spawned', 'entry']; // where nothing else was recorded
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
const MOST_TICKED = 1000; // Compare shows so many
const TEXTS = new Set(['entry', 'exit_reason']);
/** What was not recorded takes no room unless somebody asks for it. */
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
  return (
    <span
      class="life"
      title={`from ${cell(Number.isNaN(start) ? null : start, 'at_ns')} to ${cell(Number.isNaN(end) ? null : end, 'at_ns')}`}
    >
      <i style={{ left: `${(100 * a) / last}%`, width: `${(100 * (b - a)) / last}%` }} />
    </span>
  );
}

/** Times in a state are those of the window; all other numbers are kept for the whole run only. */
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

/** Those that have a call tree; null where no calls were recorded. */
export function useCalled(): Set<number> | null {
  const t = useAnswer(rows('call_node') > 0 ? api('ask/called') : null).value?.tables.called;
  return useMemo(() => (t ? new Set(t.nums('process')) : null), [t]);
}
export const callsOf = (id: number) => ({ view: 'calls', id: null, ticked: [id], group: null, fn: null, own: {} });

const callsColumn = (idOf: (i: number) => number | string | null, called: Set<number>): GridColumn => ({
  key: 'calls',
  head: 'calls',
  width: '48px',
  render: (i) => {
    const id = Number(idOf(i));
    return called.has(id) ? <a href={here(callsOf(id))}>calls</a> : null;
  },
});

function Flat() {
  const o = place.value.own;
  const sort = { key: o.sort ?? (!scheduled() && fact('messages') ? 'sends' : 'run_ns'), down: o.dir !== 'up' };
  const chosen = o.cols ? o.cols.split('.') : usual();
  const sorts = [...USUAL, ...MORE].includes(sort.key) && !chosen.includes(sort.key);
  const shown = sorts ? [sort.key, ...chosen] : chosen; // what it is sorted by shows
  const wanted = {
    sort: sort.key,
    dir: sort.down ? 'down' : 'up',
    find: o.find?.toLowerCase(),
    group: place.value.group,
    parent: o.parent,
    ...asked(),
  };
  const pages = usePages('processes', wanted, 'processes');
  const tickAll = async () => {
    const { processes } = (await ask(api('processes', { ...wanted, n: MOST_TICKED }))).tables;
    go({ ticked: [...new Set([...place.value.ticked, ...processes!.nums('id')])].slice(0, MOST_TICKED) });
  };
  const ticked = place.value.ticked;
  const called = useCalled();
  const render = (c: string, i: number) => {
    const r = pages.row(i);
    if (!r) return <span class="faint">…</span>;
    const column = r.t.column(c);
    const v = r.t.cell(column, r.at);
    if (v === null) return <span class="null">–</span>;
    return c === 'entry' ? functionName(String(v), elixir.value) : cell(v, column.unit);
  };
  const value = (c: string, i: number) => {
    const r = pages.row(i);
    return r ? r.t.cell(r.t.column(c), r.at) : null;
  };
  const numeric = (c: string): GridColumn => ({
    key: c,
    head: ofWhole(c) ? (
      <>
        {headOf(c)} <span class="whole">whole run</span>
      </>
    ) : (
      headOf(c)
    ),
    number: !TEXTS.has(c),
    sort: true,
    render: (i) => render(c, i),
    value: (i) => value(c, i),
  });
  const columns: GridColumn[] = [
    {
      key: 'tick',
      head: <span class="hidden-text">selected</span>,
      width: '42px',
      render: (i) => {
        const id = value('id', i);
        return id === null ? null : (
          <input
            type="checkbox"
            aria-label={`Select process ${id}`}
            checked={ticked.includes(Number(id))}
            onChange={() => tick(Number(id))}
          />
        );
      },
    },
    {
      key: 'name',
      head: 'process',
      sort: true,
      render: (i) => {
        const r = pages.row(i);
        return r ? <Who of={named(r.t, r.at)} id={r.t.num('id', r.at)} /> : '…';
      },
      value: (i) => value('pid', i),
    },
    ...(timed()
      ? [
          {
            key: 'start',
            head: 'life',
            sort: true,
            width: '90px',
            render: (i: number) => {
              const r = pages.row(i);
              return r ? <Life t={r.t} at={r.at} /> : null;
            },
          },
        ]
      : []),
    ...(called ? [callsColumn((i) => value('id', i), called)] : []),
    ...shown.filter((c) => c !== 'start').map(numeric),
  ];
  const setSort = (key: string) => go({ own: { ...o, sort: key, dir: sort.key === key && sort.down ? 'up' : '' } });
  return (
    <>
      <div class="title">
        <input
          class="field"
          type="search"
          style={{ width: '300px' }}
          placeholder="Name, label, entry or pid"
          aria-label="Search processes"
          value={o.find ?? ''}
          onInput={(e) => go({ own: { ...place.value.own, find: e.currentTarget.value } }, true)}
        />
        <span class="sub">
          {pages.total === null
            ? ''
            : pages.total === pages.all
              ? `${count(pages.all)} processes`
              : `${count(pages.total)} of ${count(pages.all)} processes`}
        </span>
        <div class="tools">
          {ticked.length > 0 && (
            <button type="button" class="button main" onClick={() => view('compare')}>
              Compare {ticked.length}
            </button>
          )}
          {ticked.length > 0 && (
            <button type="button" class="button" onClick={() => view('messages')}>
              Their messages
            </button>
          )}
          {pages.total !== null && pages.total > 0 && (
            <button type="button" class="button" onClick={() => void tickAll()}>
              {pages.total > MOST_TICKED ? `Select the first ${count(MOST_TICKED)}` : 'Select all'}
            </button>
          )}
          <Columns shown={shown} />
        </div>
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
            onSort={setSort}
            onSight={pages.onSight}
            rowClass={(i) => (ticked.includes(Number(value('id', i))) ? 'ticked' : '')}
          />
        )}
      </Panel>
    </>
  );
}

interface Node {
  row: number;
  depth: number;
  children: number;
}
/** Rows under their parents, those open unfolded: what is in sight, top to bottom. */
export function unfold(t: Table, open: Set<number>, up = 'parent_group'): Node[] {
  const below = new Map<number, number[]>();
  const ids = new Set(t.nums('id'));
  for (let i = 0; i < t.rows; i++) {
    const parent = t.num(up, i);
    const at = ids.has(parent) && parent !== t.num('id', i) ? parent : 0;
    const list = below.get(at);
    if (list) list.push(i);
    else below.set(at, [i]);
  }
  const out: Node[] = [];
  const walk = (parent: number, depth: number) => {
    for (const row of below.get(parent) ?? []) {
      const id = t.num('id', row);
      out.push({ row, depth, children: below.get(id)?.length ?? 0 });
      if (open.has(id) && depth < 100) walk(id, depth + 1);
    }
  };
  walk(0, 0);
  return out;
}

function Folded() {
  const { value, error } = useAnswer(api('ask/tree'));
  const t = value?.tables.group;
  const [open, setOpen] = useState<Set<number> | null>(null);
  const opened = useMemo(() => {
    if (open || !t) return open ?? new Set<number>();
    return t.rows <= 400 ? new Set(t.nums('id')) : new Set<number>();
  }, [open, t]);
  const nodes = useMemo(() => (t ? unfold(t, opened) : []), [t, opened]);
  if (!t) return <Problem error={error} />;
  const turn = (id: number) => {
    const next = new Set(opened);
    if (!next.delete(id)) next.add(id);
    setOpen(next);
  };
  const amount = (c: string): GridColumn => ({
    key: c,
    head: ofWhole(c) ? (
      <>
        {headOf(c)} <span class="whole">whole run</span>
      </>
    ) : (
      headOf(c)
    ),
    number: true,
    value: (i) => t.cell(t.column(c), nodes[i]!.row),
    render: (i) => cell(t.cell(t.column(c), nodes[i]!.row), t.column(c).unit),
  });
  const columns: GridColumn[] = [
    {
      key: 'name',
      head: 'process (siblings grouped)',
      render: (i) => {
        const { row, depth, children } = nodes[i]!;
        const id = t.num('id', row);
        const many = t.num('processes', row) > 1;
        return (
          <span style={{ paddingLeft: `${depth * 18}px` }}>
            <button
              type="button"
              class="button quiet"
              style={{ height: '20px', width: '22px', visibility: children ? 'visible' : 'hidden' }}
              aria-expanded={opened.has(id)}
              aria-label={opened.has(id) ? 'Fold' : 'Unfold'}
              onClick={() => turn(id)}
            >
              {opened.has(id) ? '▾' : '▸'}
            </button>
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
    ...(timed()
      ? [{ key: 'life', head: 'life', width: '130px', render: (i: number) => <Life t={t} at={nodes[i]!.row} /> }]
      : []),
    ...['run_ns', 'runnable_ns', 'wait_ns', 'gc_ns', 'sends', 'receives'].filter(recorded).map(amount),
  ];
  return (
    <Panel title={narrowed.value ? 'In the whole run' : undefined}>
      <Grid
        label="Groups of processes"
        columns={columns}
        rows={nodes.length}
        height={Math.max(320, innerHeight - 220)}
      />
    </Panel>
  );
}

export function Processes() {
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
            of={
              [
                ['list', 'List'],
                ['tree', 'Folded tree'],
              ] as const
            }
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
