// SQL over the profile: read-only, within the server's limits of time and rows.
import { useEffect, useRef, useState } from 'preact/hooks';
import { count, counted, duration } from '../lib/format';
import { quoted } from '../lib/shell';
import type { Answer, Table } from '../lib/table';
import { api, ask } from '../state/data';
import { argument, info, nodeName, schedulerName } from '../state/info';
import { whoIs } from '../state/people';
import { href, own, place } from '../state/place';
import { report } from '../state/report';
import { Busy, Empty, Panel, Problem, Title } from '../ui/bits';
import { TableGrid } from '../ui/grid';
import { useGroupNames } from '../ui/groups';
import type { View } from '../ui/view';

export const sql: View = {
  route: 'sql',
  name: 'SQL',
  section: 'Ask',
  icon: 'M3 4l4 4-4 4m6 0h5',
  key: 'q',
  body: Sql,
};

const EXAMPLES: [string, string][] = [
  ['Longest running', 'SELECT pid, name, entry, run_ns, gc_ns FROM process ORDER BY run_ns DESC LIMIT 20'],
  [
    'Where processes waited',
    'SELECT function, sum(count) AS waits, sum(total_ns) AS total_ns FROM wait ' +
      'GROUP BY function ORDER BY total_ns DESC LIMIT 20',
  ],
  ['Largest messages', 'SELECT sender, receiver, sent, words FROM message ORDER BY words DESC LIMIT 20'],
  ['Slices by function', "SELECT * FROM slice_by('in_function') ORDER BY total_ns DESC LIMIT 20"],
];

interface Run {
  text: string; // the statement
  id: number; // for the request that cancels it
  answer: Answer | null;
  error: string | null;
  loading: boolean;
  ms: number;
}
const NONE: Run = { text: '', id: 0, answer: null, error: null, loading: false, ms: 0 };

/** Runs one statement at a time, and cancels it on the server. */
function useStatement(): { state: Run; run: (text: string) => void; cancel: () => void } {
  const [state, set] = useState<Run>(NONE);
  const newest = useRef(0);
  const stop = (id: number) => void fetch(api('cancel', { id }), { method: 'POST' }).catch(() => null);
  const run = (text: string) => {
    if (state.loading) stop(state.id);
    const id = Math.floor(Math.random() * 2 ** 48) + 1;
    newest.current = id;
    const started = performance.now();
    const done = (answer: Answer | null, error: string | null) => {
      if (newest.current === id) set({ text, id, answer, error, loading: false, ms: performance.now() - started });
    };
    set({ ...NONE, text, id, loading: true });
    ask(api('query', { id }), undefined, text).then(
      (a) => done(a, null),
      (e: unknown) => done(null, e instanceof Error ? e.message : String(e)),
    );
  };
  useEffect(
    () => () => {
      if (newest.current) stop(newest.current);
    },
    [],
  ); // the view is gone
  return { state, run, cancel: () => stop(state.id) };
}

/** Adds names to ids; the documentation of a column says what its ids refer to. */
function useNamesOfIds(t: Table | undefined) {
  const group = useGroupNames();
  const instead: Record<string, (row: number) => preact.ComponentChildren> = {};
  for (const c of t?.columns ?? []) {
    const id = (i: number) => t!.num(c.name, i);
    const known = (show: (i: number) => preact.ComponentChildren) => (i: number) =>
      t!.cell(c, i) === null ? <span class="null">NULL</span> : show(i);
    const process = (i: number, text: string) => <a href={href('process', String(t!.cell(c, i)))}>{text}</a>;
    if (c.text) {
      if (c.name === 'pid') instead.pid = known((i) => process(i, t!.str('pid', i)!));
    } else if (c.doc.startsWith('process.id'))
      instead[c.name] = known((i) => (
        <>
          {process(i, String(id(i)))} {whoIs(id(i))}
        </>
      ));
    else if (c.doc.startsWith('scheduler.id')) instead[c.name] = known((i) => `${id(i)} ${schedulerName(id(i))}`);
    else if (c.doc.startsWith('node.id')) instead[c.name] = known((i) => `${id(i)} ${nodeName(id(i))}`.trim());
    else if (c.doc.startsWith('process_group.id'))
      instead[c.name] = known((i) => (
        <>
          <a href={href('processes', null, { group: id(i) })}>{id(i)}</a> {group(id(i))}
        </>
      ));
  }
  return instead;
}

function Result({ t, stale }: { t: Table; stale: boolean }) {
  const instead = useNamesOfIds(t);
  return (
    <Panel
      title={stale ? 'Result of the previous statement' : 'Result'}
      sub={stale ? 'the statement above has changed: run it again' : undefined}
    >
      <div class={stale ? 'stale' : ''}>
        <TableGrid table={t} label="Result" height={460} asNamed instead={instead} />
      </div>
    </Panel>
  );
}

function Schema() {
  const schema = info.value!.answer.tables.table!;
  return (
    <Panel title="Tables" sub="times in nanoseconds from the start, sizes in words">
      <div class="schema">
        {Array.from({ length: schema.rows }, (_, i) => (
          <details key={i}>
            <summary>
              {schema.str('name', i)} <span class="faint">{count(schema.num('rows', i))}</span>
            </summary>
            <p>{schema.str('doc', i)}</p>
            <p class="mono">{schema.str('columns', i)?.split(' ').join(', ')}</p>
          </details>
        ))}
      </div>
    </Panel>
  );
}

function Sql() {
  const [text, setText] = useState(place.value.own.q ?? EXAMPLES[0]![1]);
  const { state, run, cancel } = useStatement();
  const start = (statement: string) => {
    setText(statement);
    if (statement !== EXAMPLES[0]![1] || place.value.own.q) own('q', statement);
    run(statement);
  };
  useEffect(() => void (report ? null : run(text)), []);
  if (report)
    return (
      <Empty
        title="A saved report answers no SQL"
        text="It holds answers, not the profile. On the profile, use:"
        command={`strobe serve ${argument()}\nstrobe query ${argument()} ${quoted(place.value.own.q ?? 'SELECT ...')}`}
      />
    );
  const result = state.answer?.tables.result;
  const stale = result !== undefined && text !== state.text;
  return (
    <div class="sql">
      <Busy on={state.loading} />
      <Title
        tools={EXAMPLES.map(([name, q]) => (
          <button key={name} type="button" class="button quiet" onClick={() => start(q)}>
            {name}
          </button>
        ))}
      >
        SQL
      </Title>
      <textarea
        aria-label="SQL statement"
        spellcheck={false}
        value={text}
        onInput={(e) => setText(e.currentTarget.value)}
        onKeyDown={(e) => {
          if ((e.ctrlKey || e.metaKey) && e.key === 'Enter') {
            e.preventDefault();
            start(text);
          }
        }}
      />
      <div class="title" style={{ marginTop: '10px' }}>
        <button type="button" class="button main" onClick={() => start(text)}>
          Run
        </button>
        {state.loading && (
          <button type="button" class="button" onClick={cancel}>
            Cancel
          </button>
        )}
        <span class="faint">
          <kbd>Ctrl Enter</kbd>
        </span>
        {state.loading && (
          <span class="sub" role="status">
            running…
          </span>
        )}
        {result && !stale && (
          <span class="sub" role="status">
            {counted(result.rows, 'row')}
            {result.leftOut ? ` shown, ${count(result.leftOut)} more left out` : ''} in {duration(state.ms * 1e6)}
          </span>
        )}
      </div>
      <Problem error={state.error} />
      {result && <Result t={result} stale={stale} />}
      <Schema />
    </div>
  );
}
