// Where time goes by function: the joined call trees of all processes as a picture, or the callers and callees of one
// function.
import { useMemo } from 'preact/hooks';
import { withoutWaiting } from '../draw/flame';
import { FlameGraph } from '../draw/flame_graph';
import { amountOf, count, duration } from '../lib/format';
import { functionName } from '../lib/names';
import { pick } from '../lib/rows';
import type { Answer, Table } from '../lib/table';
import { api, useAnswer } from '../state/data';
import { elixir, rows, timed } from '../state/info';
import { WHO } from '../state/people';
import { asked, go, narrowed, own, place, range } from '../state/place';
import { report } from '../state/report';
import { Busy, Choice, Empty, FunctionLink, Panel, Problem, Title } from '../ui/bits';
import { Code } from '../ui/code';
import { shareColumn, whoColumn } from '../ui/columns';
import { TableGrid, Twin, type GridColumn, type Order } from '../ui/grid';
import type { View } from '../ui/view';
import { CallGraph, CallTree } from './call_pictures';

export const calls: View = {
  route: 'calls',
  name: 'Calls',
  section: 'What',
  icon: 'M2 13h12M2 9h9M2 5h5',
  key: 'f',
  body: Calls,
};

/** How trees are shown, as the address has it. */
interface How {
  order: 'heavy' | 'time';
  find: string;
  waits: boolean; // wall time, with the time in which functions waited
}
const ORDERS = [
  ['heavy', 'Heaviest first'],
  ['time', 'By first call'],
] as const;
const TIMES = [
  ['run', 'Running time'],
  ['all', 'Wall time'],
] as const;
const WAYS = [
  ['flame', 'Flame'],
  ['tree', 'Tree'],
  ['graph', 'Graph'],
] as const;

function howOf(): How {
  const { order, find, waits } = place.value.own;
  return { order: order === 'time' ? 'time' : 'heavy', find: find ?? '', waits: waits === 'yes' };
}

function Tools({ order, find, waits, sampled }: How & { sampled: boolean }) {
  return (
    <>
      <input
        class="field"
        type="search"
        placeholder="Highlight functions"
        aria-label="Highlight functions"
        value={find}
        onInput={(e) => own('find', e.currentTarget.value)}
      />
      {!sampled && (
        <Choice
          label="Time"
          value={waits ? 'all' : 'run'}
          of={TIMES}
          pick={(v) => own('waits', v === 'all' ? 'yes' : '')}
        />
      )}
      <Choice label="Order" value={order} of={ORDERS} pick={(v) => own('order', v === 'time' ? v : '')} />
    </>
  );
}

const functionCell = (t: Table) => (i: number) => <FunctionLink mfa={t.str('mfa', i) ?? ''} />;

/** The functions by their own time. `suspend` is no function: its row shows only where waiting counts. */
function Functions({ all, waits }: { all: Table; waits: boolean }) {
  const t = useMemo(() => {
    const list = Array.from({ length: all.rows }, (_, i) => i);
    return waits
      ? all
      : pick(
          all,
          list.filter((i) => all.str('mfa', i) !== 'suspend'),
        );
  }, [all, waits]);
  const total = t.nums('own_ns').reduce((s, v) => s + (v || 0), 0) || 1;
  return (
    <Panel
      title="Functions"
      sub={
        'of the whole run; click one for its callers and callees; total includes waiting, summed over processes, ' +
        'and is unknown where calls were not recorded'
      }
    >
      <TableGrid
        table={t}
        label="Functions"
        height={380}
        first={[timed() && shareColumn('own share', (i) => t.num('own_ns', i) / total)]}
        instead={{ mfa: functionCell(t) }}
      />
    </Panel>
  );
}

/** The direct callers and callees of a function, itself among them where it calls itself. */
function Around({ fn }: { fn: string }) {
  const { ticked } = place.value;
  const one = ticked.length === 1 && !report ? ticked[0]! : null;
  const { value, error } = useAnswer(rows('call_edge') > 0 ? api('ask/around', { f: fn, id: one }) : null);
  if (!value) return <Problem error={error} />;
  const of = `of the whole run${one ? ', in the selected process' : ''}`;
  const sub = `${of}; total is the time with such a call on the stack; recursive calls overlap`;
  const name = (t: Table) => (i: number) => (
    <FunctionLink mfa={t.str('mfa', i) ?? ''}>{t.str('mfa', i) === fn && ' (itself)'}</FunctionLink>
  );
  const list = (t: Table, label: string) => (
    <Panel title={label} sub={t.rows ? sub : 'none'}>
      {t.rows > 0 && <TableGrid table={t} label={label} height={220} instead={{ mfa: name(t) }} />}
    </Panel>
  );
  return (
    <div class="columns">
      {list(value.tables.caller!, 'Callers')}
      {list(value.tables.callee!, 'Callees')}
    </div>
  );
}

/** The calls of all functions, in one of three ways. */
function Picture({ answer, how: { order, find, waits } }: { answer: Answer; how: How }) {
  const t = answer.tables.call!;
  const as = WAYS.find(([way]) => way === place.value.own.as)?.[0] ?? 'flame';
  const value = useMemo(() => (waits ? t.nums('acc') : withoutWaiting(t)), [t, waits]);
  const sampled = Boolean(answer.meta.sampled);
  const amount = amountOf(sampled);
  const time = waits ? 'total time, waiting included' : 'total running time';
  const sub = {
    flame: `width = ${sampled ? 'share of the samples, not time' : time}; click to zoom`,
    tree: 'the calling contexts, heaviest first',
    graph: 'functions, however they were called',
  };
  return (
    <Panel
      title="Calls"
      sub={`${narrowed.value ? 'of the whole run, not of the time range: ' : ''}${sub[as]}`}
      tools={<Choice label="Draw as" value={as} of={WAYS} pick={(v) => own('as', v === 'flame' ? '' : v)} />}
    >
      {as === 'flame' && (
        <FlameGraph
          answer={answer}
          order={order}
          find={find}
          focus="focus"
          waits={waits}
          label="Flame graph of the calls"
        />
      )}
      {as === 'tree' && <CallTree key={String(waits)} t={t} value={value} amount={amount} />}
      {as === 'graph' && <CallGraph t={t} value={value} amount={amount} />}
      <Twin table={t} label="The call tree" hide={['id']} />
    </Panel>
  );
}

/** Which functions were on a stack within the time range, from the first such call to the end of the last. */
function Active({ t }: { t: Table }) {
  const [from, to] = range.value;
  const low = t.nums('first').reduce((m, v) => Math.min(m, v), from);
  const high = t.nums('last').reduce((m, v) => Math.max(m, v), to);
  const at = (v: number) => `${(100 * (v - low)) / (high - low)}%`;
  const bar = (a: number, b: number) => ({ left: at(a), width: `calc(${at(b)} - ${at(a)})` });
  const span = (o: Order): GridColumn => ({
    key: 'active',
    head: 'active, and the time range',
    width: '180px',
    render: (i) => (
      <span class="life" style={{ minWidth: '160px' }}>
        <i style={bar(t.num('first', o(i)), t.num('last', o(i)))} />
        <i class="window" style={bar(from, to)} />
      </span>
    ),
  });
  return (
    <Panel
      title="Active in the time range"
      sub="functions on a stack, and for how long; bounds where close calls were joined"
    >
      <TableGrid
        table={t}
        label="Functions active in the time range"
        height={300}
        hide={['process', ...WHO, 'first', 'last']}
        instead={{ mfa: functionCell(t) }}
        first={[whoColumn(t, 'process'), span]}
      />
    </Panel>
  );
}

/** One function: the paths that lead to it, and those that lead from it. */
function OneFunction({ fn, callers, callees, how }: { fn: string; callers: Answer; callees: Answer; how: How }) {
  const total = `${duration(Number(callees.meta.total))} in total${narrowed.value ? ', in the whole run' : ''}`;
  return (
    <Panel
      title={functionName(fn, elixir.value)}
      sub={timed() && total}
      tools={
        <button type="button" class="button" onClick={() => go({ fn: null })}>
          All functions
        </button>
      }
    >
      {timed() && (
        <>
          <p class="body faint" style={{ margin: 0 }}>
            Called by, upward
          </p>
          <FlameGraph answer={callers} order="heavy" find={how.find} focus="caller" upward label={`Callers of ${fn}`} />
          <p class="body faint" style={{ margin: 0 }}>
            Calls, downward
          </p>
          <FlameGraph
            answer={callees}
            order={how.order}
            find={how.find}
            focus="callee"
            waits={how.waits}
            label={`What ${fn} calls`}
          />
        </>
      )}
      <Code fn={fn} />
      <Twin table={callers.tables.call!} label="The callers" hide={['id']} />
      <Twin table={callees.tables.call!} label="What it calls" hide={['id']} />
    </Panel>
  );
}

/** The trees: all calls, and with a function its callers and callees. They are sums over the whole run, which no time
    range narrows. */
function useTrees(any: boolean) {
  const { fn, ticked } = place.value;
  const wanted = { p: ticked.join(','), n: 1400 };
  const all = useAnswer(any ? api('calls', wanted) : null);
  const callers = useAnswer(any && fn ? api('calls', { mode: 'callers', f: fn, ...wanted }) : null);
  const callees = useAnswer(any && fn ? api('calls', { mode: 'callees', f: fn, ...wanted }) : null);
  return { all, callers, callees };
}

const Nothing = () => (
  <Empty
    title="No calls were recorded"
    text="Name the modules or the application whose functions you want to see."
    command={
      'strobe record --trace all,calls --app my_app -- CMD\nstrobe record --trace all,calls --module my_module -- CMD'
    }
  />
);

function Calls() {
  const { fn, ticked } = place.value;
  const how = howOf();
  const any = rows('call_node') + rows('stack') > 0;
  const { all, callers, callees } = useTrees(any);
  const functions = useAnswer(rows('function') > 0 ? api('ask/functions', asked()) : null).value?.tables;
  if (!any && !rows('function')) return <Nothing />;
  const sampled = Boolean(all.value?.meta.sampled);
  const known = callers.value ? callers.value.tables.call!.rows > 0 : null;
  const selected = `of ${count(ticked.length)} selected ${ticked.length === 1 ? 'process' : 'processes'}`;
  const where = ticked.length ? ' in the selected processes' : '';
  return (
    <>
      <Busy on={all.loading || callers.loading} />
      <Title
        sub={ticked.length && !report ? selected : 'of all processes together'}
        tools={timed() && <Tools {...how} sampled={sampled} />}
      >
        Calls
      </Title>
      <Problem error={all.error ?? callers.error} />
      {sampled && (
        <div class="notice">
          <b>Sampled stacks.</b>
          <span>They say which functions were active, not how long they took.</span>
        </div>
      )}
      {fn && known === false && (
        <Empty title="No call of this function was recorded" text={`The profile holds no call of ${fn}${where}.`} />
      )}
      {fn && known && callees.value && (
        <OneFunction key={fn} fn={fn} callers={callers.value!} callees={callees.value} how={how} />
      )}
      {!(fn && callers.value && callees.value) && timed() && all.value && all.value.tables.call!.rows > 0 && (
        <Picture answer={all.value} how={how} />
      )}
      {fn && <Around fn={fn} />}
      {functions && functions.active!.rows > 0 && narrowed.value && <Active t={functions.active!} />}
      {functions && functions.function!.rows > 0 && <Functions all={functions.function!} waits={how.waits} />}
    </>
  );
}
