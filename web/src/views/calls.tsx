// Where time goes by function: the joined call trees of all processes as a picture, or the callers and callees of one
// function. The trees are those of recorded calls, or those of samples of the CPU in the selected range; never of both.
import { FlameGraph } from '../draw/flame_graph';
import { count, counted, duration } from '../lib/format';
import { functionName } from '../lib/names';
import { where } from '../lib/rows';
import type { Answer, Table } from '../lib/table';
import { api, useAnswer } from '../state/data';
import { elixir, rows, timed } from '../state/info';
import { PROCESS } from '../state/people';
import { asked, go, narrowed, own, place, range, within } from '../state/place';
import { report } from '../state/report';
import { Busy, Choice, Empty, FunctionLink, Panel, Problem, SOURCES, Title } from '../ui/bits';
import { Code } from '../ui/code';
import { shareColumn, whoColumn } from '../ui/columns';
import { TableGrid, Twin, type GridColumn, type Order } from '../ui/grid';
import type { View } from '../ui/view';
import { CallGraph, CallTree } from './call_pictures';
import { CpuAround, CpuFunctions } from './cpu_functions';

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
  cpu: boolean; // samples of the CPU, not recorded calls
  order: 'heavy' | 'time';
  find: string;
  waits: boolean; // wall time, with the time in which functions waited
  inverted: boolean;
}
const TIMES = [
  ['run', 'Running time'],
  ['all', 'Wall time'],
] as const;
const WAYS = [
  ['flame', 'Flame'],
  ['tree', 'Tree'],
  ['graph', 'Graph'],
] as const;

const anyTree = () => rows('call_node') + rows('stack') > 0;
const anyCall = () => anyTree() || rows('function') > 0;
const anySample = () => rows('cpu_tick') > 0;

function howOf(): How {
  const { order, find, waits, source, inverted } = place.value.own;
  const cpu = anySample() && (source === 'cpu' || !anyCall());
  return {
    cpu,
    order: order === 'time' ? 'time' : 'heavy',
    find: find ?? '',
    waits: waits === 'yes' && !cpu,
    inverted: inverted === 'yes',
  };
}

function Tools({ cpu, order, find, waits, sampled }: How & { sampled: boolean }) {
  const orders = [
    ['heavy', 'Heaviest first'],
    ['time', cpu ? 'By first sample' : 'By first call'],
  ] as const;
  return (
    <>
      {anySample() && anyCall() && (
        <Choice label="Source" value={cpu ? 'cpu' : ''} of={SOURCES} pick={(v) => own('source', v)} />
      )}
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
      <Choice label="Order" value={order} of={orders} pick={(v) => own('order', v === 'time' ? v : '')} />
    </>
  );
}

const functionCell = (t: Table) => (i: number) => <FunctionLink mfa={t.str('function', i) ?? ''} />;

/** The functions by their own time. */
const Functions = ({ t }: { t: Table }) => (
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
      hide={['id', 'own_ppm']}
      first={[timed() && shareColumn('own share', (i) => t.num('own_ppm', i) / 1e6)]}
      lead="function"
      instead={{ function: functionCell(t) }}
    />
  </Panel>
);

/** The direct callers and callees of a function, itself among them where it calls itself. */
function Around({ fn }: { fn: string }) {
  const { ticked } = place.value;
  const one = ticked.length === 1 && !report ? ticked[0]! : null;
  const { value, error } = useAnswer(
    rows('call_edge') > 0 ? api('answer/callers', { subject: fn, process: one, limit: 1000 }) : null,
  );
  if (!value) return <Problem error={error} />;
  const of = `of the whole run${one ? ', in the selected process' : ''}`;
  const sub = `${of}; total is the time with such a call on the stack; recursive calls overlap`;
  const name = (t: Table) => (i: number) => (
    <FunctionLink mfa={t.str('function', i) ?? ''}>{t.str('function', i) === fn && ' (itself)'}</FunctionLink>
  );
  const all = value.tables.answer!;
  const list = (direction: string, label: string) => {
    const t = where(all, (i) => all.str('direction', i) === direction && all.str('function', i) !== null);
    return (
      <Panel title={label} sub={t.rows ? sub : 'none'}>
        {t.rows > 0 && (
          <TableGrid
            table={t}
            label={label}
            height={220}
            hide={['direction', 'recursive']}
            lead="function"
            instead={{ function: name(t) }}
          />
        )}
      </Panel>
    );
  };
  return (
    <div class="columns">
      {list('caller', 'Callers')}
      {list('callee', 'Callees')}
    </div>
  );
}

const OWN = ' of each function itself, divided below it by who called it';
/** The calls of all functions, in one of three ways. */
function Picture({ answer, how: { cpu, order, find, waits, inverted } }: { answer: Answer; how: How }) {
  const t = answer.tables.call!;
  const as = WAYS.find(([way]) => way === place.value.own.as)?.[0] ?? 'flame';
  const sampled = Boolean(answer.meta.sampled);
  const time = waits ? 'total time, waiting included' : 'total running time';
  const samples = cpu ? 'share of the samples, and so of the CPU time' : 'share of the samples, not time';
  const inside = `${sampled ? 'a sample' : 'time'} inside a recursion`;
  const sub = {
    flame: `width = ${sampled ? samples : time}${inverted ? OWN : ''}; click to zoom`,
    tree: inverted ? 'functions by the time in themselves' : 'the calling contexts, heaviest first',
    graph: `functions, however they were called; ${inside} is that of its outermost function`,
  };
  return (
    <Panel
      title={cpu ? 'CPU samples' : 'Calls'}
      sub={`${narrowed.value && (!cpu || report) ? 'of the whole run, not of the time range: ' : ''}${sub[as]}`}
      tools={
        <>
          {as !== 'graph' && (
            <label class="with">
              <input
                type="checkbox"
                checked={inverted}
                onChange={(e) => own('inverted', e.currentTarget.checked ? 'yes' : '')}
              />
              inverted
            </label>
          )}
          <Choice label="Draw as" value={as} of={WAYS} pick={(v) => own('as', v === 'flame' ? '' : v)} />
        </>
      }
    >
      {as === 'flame' && (
        <FlameGraph
          answer={answer}
          order={order}
          find={find}
          focus="focus"
          waits={waits}
          label={`Flame graph of the ${cpu ? 'CPU samples' : 'calls'}`}
        />
      )}
      {as === 'tree' && <CallTree key={`${cpu} ${waits} ${inverted}`} answer={answer} waits={waits} />}
      {as === 'graph' && <CallGraph asked={treesOf(cpu)} waits={waits} sampled={sampled} />}
      <Twin table={t} label="The call tree" hide={hiddenOf(answer)} />
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
        hide={['id', ...Object.values(PROCESS), 'first', 'last']}
        lead="function"
        instead={{ function: functionCell(t) }}
        first={[whoColumn(t, 'id', 'process', '', PROCESS), span]}
      />
    </Panel>
  );
}

/** One function: the paths that lead to it, and those that lead from it. */
function OneFunction({ fn, callers, callees, how }: { fn: string; callers: Answer; callees: Answer; how: How }) {
  const { cpu, waits } = how;
  const all = Number(callees.meta.total);
  const time = cpu
    ? `${counted(all, 'sample')} of the CPU`
    : waits
      ? `${duration(all)} in total`
      : `ran ${duration(Number(callees.meta.total_run))}`;
  const total = `${time}${narrowed.value && (!cpu || report) ? ', in the whole run' : ''}`;
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
          <FlameGraph
            answer={callers}
            order="heavy"
            find={how.find}
            focus="caller"
            upward
            waits={waits}
            label={`Callers of ${fn}`}
          />
          <p class="body faint" style={{ margin: 0 }}>
            Calls, downward
          </p>
          <FlameGraph
            answer={callees}
            order={how.order}
            find={how.find}
            focus="callee"
            waits={waits}
            label={`What ${fn} calls`}
          />
        </>
      )}
      <Code fn={fn} />
      <Twin table={callers.tables.call!} label="The callers" hide={hiddenOf(callers)} />
      <Twin table={callees.tables.call!} label="What it calls" hide={hiddenOf(callees)} />
    </Panel>
  );
}

/** What is asked of trees. Those of recorded calls are sums over the whole run, which no time range narrows. */
const treesOf = (cpu: boolean) => ({
  of: cpu ? 'cpu' : null,
  p: place.value.ticked.join(','),
  ...(cpu ? asked() : {}),
});
/** Stacks that were sampled have no calls to be counted. */
const hiddenOf = (a: Answer) => (a.meta.sampled ? ['id', 'calls', 'run', 'recursive'] : ['id']);

/** The trees: all calls, and with a function its callers and callees. */
function useTrees({ cpu, inverted }: How) {
  const { fn } = place.value;
  const any = cpu || anyTree();
  const { of, ...wanted } = { ...treesOf(cpu), n: 1400 };
  const all = useAnswer(any ? api('calls', { of, mode: inverted ? 'inverted' : null, ...wanted }) : null);
  const callers = useAnswer(any && fn ? api('calls', { of, mode: 'callers', f: fn, ...wanted }) : null);
  const callees = useAnswer(any && fn ? api('calls', { of, mode: 'callees', f: fn, ...wanted }) : null);
  return { all, callers, callees };
}

const Nothing = () => (
  <Empty
    title="No calls were recorded"
    text="Name the modules or the application whose functions you want to see, or sample the CPU."
    command={['calls --app my_app', 'calls --module my_module', 'cpu']
      .map((what) => `strobe record --trace all,${what} -- CMD`)
      .join('\n')}
  />
);

/** What the view is of: how many samples, and of which processes. */
function scopeOf(cpu: boolean, all: Answer | null): string {
  const n = report ? 0 : place.value.ticked.length;
  const of = n ? `of ${count(n)} selected ${n === 1 ? 'process' : 'processes'}` : '';
  if (!cpu) return of || 'of all processes together';
  const within = report ? ' in the whole run' : ' in the time range';
  const samples = all ? `${counted(Number(all.meta.total), 'sample')} of the CPU` : '';
  return `${samples}${narrowed.value ? within : ''}${of && `, ${of}`}`;
}

/** The tables about recorded calls, which are of the whole run. */
function Recorded({ fn }: { fn: string | null }) {
  const functions = useAnswer(rows('function') > 0 ? api('answer/functions', { limit: 5000 }) : null).value?.tables
    .answer;
  const ranged = narrowed.value && !report && rows('activation') > 0;
  const active = useAnswer(ranged ? api('answer/active', { ...within(), limit: 1000 }) : null).value?.tables.answer;
  return (
    <>
      {fn && <Around fn={fn} />}
      {active && active.rows > 0 && <Active t={active} />}
      {functions && functions.rows > 0 && <Functions t={functions} />}
    </>
  );
}

function NotThere({ cpu, fn }: { cpu: boolean; fn: string }) {
  const when = cpu && narrowed.value && !report ? ' in the time range' : '';
  const where = `${when}${place.value.ticked.length ? ' in the selected processes' : ''}`;
  return cpu ? (
    <Empty title="No sample of this function" text={`No sample of the CPU has ${fn} on its stack${where}.`} />
  ) : (
    <Empty title="No call of this function was recorded" text={`The profile holds no call of ${fn}${where}.`} />
  );
}

function Calls() {
  const { fn } = place.value;
  const how = howOf();
  const { cpu } = how;
  const { all, callers, callees } = useTrees(how);
  if (!anySample() && !anyCall()) return <Nothing />;
  const sampled = Boolean(all.value?.meta.sampled);
  const known = callers.value ? callers.value.tables.call!.rows > 0 : null;
  return (
    <>
      <Busy on={all.loading || callers.loading} />
      <Title sub={scopeOf(cpu, all.value)} tools={timed() && <Tools {...how} sampled={sampled} />}>
        Calls
      </Title>
      <Problem error={all.error ?? callers.error} />
      {sampled && !cpu && (
        <div class="notice">
          <b>Sampled stacks.</b>
          <span>They say which functions were active, not how long they took.</span>
        </div>
      )}
      {fn && known === false && <NotThere cpu={cpu} fn={fn} />}
      {fn && known && callees.value && (
        <OneFunction key={fn} fn={fn} callers={callers.value!} callees={callees.value} how={how} />
      )}
      {!(fn && callers.value && callees.value) && timed() && all.value && all.value.tables.call!.rows > 0 && (
        <Picture answer={all.value} how={how} />
      )}
      {cpu && all.value?.tables.call?.rows === 0 && (
        <Empty
          title="No samples"
          text="The CPU was not sampled here: in this time, these processes used too little of it."
        />
      )}
      {cpu && fn && known && callees.value && <CpuAround fn={fn} callers={callers.value!} callees={callees.value} />}
      {cpu ? <CpuFunctions /> : <Recorded fn={fn} />}
    </>
  );
}
