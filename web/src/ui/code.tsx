// The source code of a function, if the server has a folder to search.
import { pieces } from '../lib/code';
import { api, useAnswer } from '../state/data';
import { fact } from '../state/info';

const Line = ({ text, elixir }: { text: string; elixir: boolean }) => (
  <>
    {pieces(text, elixir).map((c, n) =>
      c.kind ? (
        <b key={n} class={c.kind}>
          {c.text}
        </b>
      ) : (
        c.text
      ),
    )}
  </>
);

export function Code({ fn }: { fn: string }) {
  const { value } = useAnswer(fact('source') ? api('source', { f: fn }) : null);
  if (!fact('source')) return <p class="body faint">To see its code here, start strobe serve with --source DIR.</p>;
  if (!value) return null;
  const t = value.tables.line!;
  if (!t.rows) return <p class="body faint">Its code is in none of the folders given with --source.</p>;
  const file = String(value.meta.file);
  return (
    <pre class="code" tabIndex={0} role="region" aria-label={`Code of ${fn}`}>
      <span class="faint">{`${file}\n`}</span>
      {Array.from({ length: t.rows }, (_, i) => (
        <span key={i}>
          <i>{t.num('line', i)}</i>
          <Line text={t.str('text', i) ?? ''} elixir={/\.exs?$/.test(file)} />
          {'\n'}
        </span>
      ))}
    </pre>
  );
}
