// Functions by samples of the CPU, in the selected range and processes: all of them, and those around one.
import { frameName } from '../draw/flame';
import { pick } from '../lib/rows';
import type { Answer } from '../lib/table';
import { api, useAnswer } from '../state/data';
import { elixir } from '../state/info';
import { narrowed, place, within } from '../state/place';
import { report } from '../state/report';
import { FunctionLink, Panel, Problem } from '../ui/bits';
import { shareColumn } from '../ui/columns';
import { TableGrid } from '../ui/grid';

/** The functions by their own samples. */
export function CpuFunctions() {
  const process = report ? null : place.value.ticked.join(',');
  const { value, error } = useAnswer(api('answer/cpu', { ...within(), process, limit: 5000 }));
  const t = value?.tables.answer;
  if (!t) return <Problem error={error} />;
  const whole = report && narrowed.value ? 'of the whole run; ' : '';
  return (
    <Panel title="Functions by CPU samples" sub={`${whole}self: the function itself ran; total: it was on the stack`}>
      <TableGrid
        table={t}
        label="Functions by CPU samples"
        height={380}
        hide={['self_ppm', 'native']}
        first={[shareColumn('self share', (i) => t.num('self_ppm', i) / 1e6)]}
        lead="function"
        instead={{ function: (i) => <FunctionLink mfa={t.str('function', i) ?? ''} /> }}
      />
    </Panel>
  );
}

/** The direct callers and callees of a function: the frames next to its own in the trees around it. */
export function CpuAround({ fn, callers, callees }: { fn: string; callers: Answer; callees: Answer }) {
  const list = (answer: Answer, label: string, sub: string) => {
    const all = answer.tables.call!;
    const root = all.num('id', all.nums('parent').indexOf(0));
    const [parent, samples] = [all.nums('parent'), all.nums('acc')];
    const rows = Array.from({ length: all.rows }, (_, i) => i).filter((i) => parent[i] === root);
    const t = pick(
      all,
      rows.sort((a, b) => samples[b]! - samples[a]! || a - b),
    );
    const near = { meta: answer.meta, tables: { call: t } };
    const name = (i: number) => {
      const mfa = t.str('mfa', i);
      if (!mfa) return frameName(near, i, false, elixir.value);
      return <FunctionLink mfa={mfa}>{mfa === fn && ' (itself)'}</FunctionLink>;
    };
    return (
      <Panel title={label} sub={t.rows ? sub : 'none known'}>
        {t.rows > 0 && (
          <TableGrid
            table={t}
            label={label}
            height={220}
            hide={['id', 'parent', 'calls', 'own', 'run', 'recursive', 'first', 'more']}
            first={[shareColumn('share', (i) => t.num('acc', i) / Number(answer.meta.total))]}
            lead="mfa"
            instead={{ mfa: name }}
          />
        )}
      </Panel>
    );
  };
  return (
    <div class="columns">
      {list(callers, 'Callers', 'samples of the function by who called it')}
      {list(callees, 'Callees', 'samples of the function by what it had called; the rest are its own')}
    </div>
  );
}
