// Any question: SQL over the profile, read-only, at most 10 s and 10,000 rows.
import { useEffect, useState } from 'preact/hooks';
import { count } from '../lib/format';
import type { Answer } from '../lib/table';
import { api, ask } from '../state/data';
import { info } from '../state/info';
import { own, place } from '../state/place';
import { report } from '../state/report';
import { Busy, Empty, Panel, Problem, Title } from '../ui/bits';
import { TableGrid } from '../ui/grid';

const EXAMPLES: [string, string][] = [
  ['who ran most', 'SELECT pid, name, entry, run_ns, gc_ns FROM process ORDER BY run_ns DESC LIMIT 20'],
  ['where they waited', 'SELECT function, sum(count) AS waits, sum(total_ns) AS total_ns FROM wait GROUP BY function ORDER BY total_ns DESC LIMIT 20'],
  ['largest messages', 'SELECT sender, receiver, sent, words FROM message ORDER BY words DESC LIMIT 20'],
  ['slices by function', "SELECT * FROM slice_by('in_function') ORDER BY total_ns DESC LIMIT 20"],
];

export function Sql() {
  const [text, setText] = useState(place.value.own.q ?? EXAMPLES[0]![1]);
  const [state, set] = useState<{ answer: Answer | null; error: string | null; loading: boolean; ms: number }>({ answer: null, error: null, loading: false, ms: 0 });
  const run = () => {
    if (text !== EXAMPLES[0]![1] || place.value.own.q) own('q', text);
    set((s) => ({ ...s, loading: true }));
    const started = performance.now();
    ask(api('query'), undefined, text).then(
      (answer) => set({ answer, error: null, loading: false, ms: performance.now() - started }),
      (e: unknown) => set({ answer: null, error: e instanceof Error ? e.message : String(e), loading: false, ms: 0 }),
    );
  };
  useEffect(() => void (report ? null : run()), []);
  if (report) return <Empty title="A saved report answers no SQL" text="It holds answers, not the profile. Where the profile is:" command={'strobe serve P\nstrobe query P "SELECT ..."'} />;
  const schema = info.value!.answer.tables.table!;
  const result = state.answer?.tables.result;
  return (
    <div class="sql">
      <Busy on={state.loading} />
      <Title tools={EXAMPLES.map(([name, q]) => <button key={name} type="button" class="button quiet" onClick={() => setText(q)}>{name}</button>)}>SQL</Title>
      <textarea
        aria-label="SQL statement" spellcheck={false} value={text} onInput={(e) => setText(e.currentTarget.value)}
        onKeyDown={(e) => { if ((e.ctrlKey || e.metaKey) && e.key === 'Enter') { e.preventDefault(); run(); } }}
      />
      <div class="title" style={{ marginTop: '10px' }}>
        <button type="button" class="button main" onClick={run}>Run</button>
        <span class="faint"><kbd>Ctrl Enter</kbd></span>
        {result && <span class="sub">{count(result.rows)} rows{result.leftOut ? `, ${count(result.leftOut)} left out` : ''} in {state.ms.toFixed(0)} ms</span>}
      </div>
      <Problem error={state.error} />
      {result && <Panel><TableGrid table={result} label="Result" height={460} asNamed /></Panel>}
      <Panel title="Tables" sub="times in nanoseconds from the start, sizes in words">
        <div class="schema">
          {Array.from({ length: schema.rows }, (_, i) => (
            <details key={i}>
              <summary>{schema.str('name', i)} <span class="faint">{count(schema.num('rows', i))}</span></summary>
              <p>{schema.str('doc', i)}</p>
              <p class="mono">{schema.str('columns', i)?.split(' ').join(', ')}</p>
            </details>
          ))}
        </div>
      </Panel>
    </div>
  );
}
