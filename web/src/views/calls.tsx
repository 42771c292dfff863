// Where time goes by function: a flame graph of all joined call trees, or of what calls and is called by one function.
import { useMemo, useState } from 'preact/hooks';
import { FONT, fit } from '../draw/axis';
import { boxAt, layout, withoutWaiting } from '../draw/flame';
import { Stage, type Pen } from '../draw/stage';
import { count, duration, percent } from '../lib/format';
import { pieces } from '../lib/code';
import { functionName, moduleOf } from '../lib/names';
import { pick } from '../lib/rows';
import type { Answer, Table } from '../lib/table';
import { api, useAnswer } from '../state/data';
import { elixir, fact, rows, timed } from '../state/info';
import { named, WHO } from '../state/people';
import { asked, go, narrowed, own, place, range } from '../state/place';
import { report } from '../state/report';
import { groupColours, palette, theme } from '../state/theme';
import { Busy, Choice, Empty, FunctionLink, Panel, Problem, Share, Title, Who } from '../ui/bits';
import { TableGrid, Twin } from '../ui/grid';
import { amountOf, CallGraph, CallTree } from './call_pictures';

const ROW = 20;

function hash(text: string): number {
  let h = 0;
  for (let i = 0; i < text.length; i++) h = (h * 31 + text.charCodeAt(i)) | 0;
  return Math.abs(h);
}

interface FlameProps {
  answer: Answer;
  order: 'heavy' | 'time';
  find: string;
  upward?: boolean;
  waits?: boolean; // with the time functions waited
  label: string;
}

function FlameGraph({ answer, order, find, upward = false, waits = true, label }: FlameProps) {
  const t = answer.tables.call!;
  const sampled = Boolean(answer.meta.sampled);
  const [root, setRoot] = useState(0);
  const value = useMemo(() => (waits ? t.nums('acc') : withoutWaiting(t)), [t, waits]);
  const flame = useMemo(() => layout(t, order, root, value), [t, order, root, value]);
  const p = palette.value;
  const dark = theme.value === 'dark';
  const height = Math.min(900, (flame.deepest + 1) * ROW + 6);
  const total = flame.total;
  const amount = amountOf(sampled);
  const draw = useMemo(
    () => (g: Pen, w: number, h: number) => {
      const colours = groupColours();
      const wanted = find.toLowerCase();
      g.font = FONT;
      g.textBaseline = 'middle';
      g.textAlign = 'left';
      for (let n = 0; n < flame.boxes; n++) {
        const width = flame.width[n]! * w;
        if (width < 0.4) continue;
        const x = flame.left[n]! * w;
        const y = upward ? h - (flame.depth[n]! + 1) * ROW - 3 : flame.depth[n]! * ROW + 3;
        const mfa = t.str('mfa', flame.row[n]!) ?? '';
        const pseudo = !mfa.includes(':');
        const hit = wanted !== '' && mfa.toLowerCase().includes(wanted);
        g.globalAlpha = wanted && !hit ? 0.25 : 1;
        g.fillStyle = hit
          ? p.ready
          : mfa === 'garbage_collect'
            ? p.gc
            : pseudo
              ? p.wait
              : colours[hash(moduleOf(mfa)) % 9]!;
        if (!hit && !pseudo) g.globalAlpha *= dark ? 0.78 : 0.72;
        g.fillRect(x, y, Math.max(0.6, width - 0.8), ROW - 1.5);
        g.globalAlpha = wanted && !hit ? 0.5 : 1;
        if (width < 26) continue;
        g.fillStyle = pseudo ? p.ink : dark ? '#0b0e13' : '#10131a';
        g.fillText(fit(g, functionName(mfa, elixir.value), width - 9), x + 4, y + ROW / 2 - 0.5);
      }
      g.globalAlpha = 1;
    },
    [flame, p, find, upward, elixir.value, dark],
  );
  const at = (x: number, y: number, w: number) => {
    const depth = Math.floor((upward ? height - 3 - y : y - 3) / ROW);
    const n = boxAt(flame, x / w, depth);
    return n === null ? null : flame.row[n]!;
  };
  return (
    <>
      {root !== 0 && (
        <div class="body">
          <button type="button" class="button" onClick={() => setRoot(0)}>
            Show the whole tree
          </button>
        </div>
      )}
      <div
        style={{ maxHeight: '560px', overflow: 'auto', padding: '0 12px' }}
        tabIndex={0}
        role="group"
        aria-label={label}
      >
        <Stage
          height={Math.max(height, 40)}
          label={label}
          draw={draw}
          hover={(x, y, w) => {
            const row = at(x, y, w);
            if (row === null) return null;
            return {
              title: functionName(t.str('mfa', row), elixir.value),
              rows: [
                [
                  waits || sampled ? 'total' : 'total, without waiting',
                  `${amount(value[row]!)} · ${percent(value[row]! / total)}`,
                ],
                ['self', `${amount(t.num('own', row))} · ${percent(t.num('own', row) / total)}`],
                ['calls', count(t.num('calls', row))],
                ...(t.num('recursive', row) > 0
                  ? [['folded recursive calls', count(t.num('recursive', row))] as [string, string]]
                  : []),
              ],
              note: 'Click to zoom',
            };
          }}
          click={(x, y, w) => {
            const row = at(x, y, w);
            if (row !== null) setRoot(t.num('id', row));
          }}
        />
      </div>
      {t.leftOut > 0 && (
        <p class="body faint">
          {t.leftOut === 1 ? '1 narrower frame' : `${count(t.leftOut)} narrower frames`} not drawn.
        </p>
      )}
    </>
  );
}

/** With the time they waited, or as what they are: work. `suspend` is no function. */
function Functions({ all, waits }: { all: Table; waits: boolean }) {
  const t = useMemo(
    () =>
      waits
        ? all
        : pick(
            all,
            Array.from({ length: all.rows }, (_, i) => i).filter((i) => all.str('mfa', i) !== 'suspend'),
          ),
    [all, waits],
  );
  const total = t.nums('own_ns').reduce((s, v) => s + (v || 0), 0) || 1;
  return (
    <TableGrid
      table={t}
      label="Functions"
      height={380}
      first={[
        timed() &&
          ((at) => ({
            key: 'share',
            head: 'own share',
            render: (i) => (
              <>
                <Share of={t.num('own_ns', at(i)) / total} colour="var(--accent)" />
                {percent(t.num('own_ns', at(i)) / total)}
              </>
            ),
          })),
      ]}
      instead={{
        mfa: (i) => <FunctionLink mfa={t.str('mfa', i) ?? ''} />,
      }}
    />
  );
}

/** Those one step away: who calls it and whom it calls, how often and how long, calls of itself among them. */
function Around({ fn }: { fn: string }) {
  const { ticked } = place.value;
  const one = ticked.length === 1 && !report ? ticked[0]! : null;
  const { value, error } = useAnswer(rows('call_edge') > 0 ? api('ask/around', { f: fn, id: one }) : null);
  if (!value) return <Problem error={error} />;
  const list = (t: Table, label: string) => (
    <Panel
      title={label}
      sub={
        t.rows
          ? `of the whole run${one ? ', in the process ticked' : ''}; total is the time with such a call on the stack, times of recursive calls overlap`
          : 'none'
      }
    >
      {t.rows > 0 && (
        <TableGrid
          table={t}
          label={label}
          height={220}
          instead={{
            mfa: (i) => (
              <FunctionLink mfa={t.str('mfa', i) ?? ''}>{t.str('mfa', i) === fn && ' (itself)'}</FunctionLink>
            ),
          }}
        />
      )}
    </Panel>
  );
  return (
    <div class="columns">
      {list(value.tables.caller!, 'Callers')}
      {list(value.tables.callee!, 'Callees')}
    </div>
  );
}

/** The code of a function, where strobe was told a folder to look in. */
function Code({ fn }: { fn: string }) {
  const { value } = useAnswer(fact('source') ? api('source', { f: fn }) : null);
  const t = value?.tables.line;
  if (!fact('source'))
    return <p class="body faint">Its code is shown here when strobe serve knows a folder: --source DIR.</p>;
  if (!value || !t?.rows)
    return t ? <p class="body faint">Its code is in none of the folders given with --source.</p> : null;
  return (
    <pre class="code" tabIndex={0} role="region" aria-label={`Code of ${fn}`}>
      <span class="faint">
        {String(value.meta.file)}
        {'\n'}
      </span>
      {Array.from({ length: t.rows }, (_, i) => (
        <span key={i}>
          <i>{t.num('line', i)}</i>
          {pieces(t.str('text', i) ?? '', /\.exs?$/.test(String(value.meta.file))).map((c, n) =>
            c.kind ? (
              <b key={n} class={c.kind}>
                {c.text}
              </b>
            ) : (
              c.text
            ),
          )}
          {'\n'}
        </span>
      ))}
    </pre>
  );
}

const WAYS = [
  ['flame', 'Flame'],
  ['tree', 'Tree'],
  ['graph', 'Graph'],
] as const;

/** All calls, in one of three ways. */
function Picture({
  answer,
  order,
  find,
  waits,
}: {
  answer: Answer;
  order: 'heavy' | 'time';
  find: string;
  waits: boolean;
}) {
  const t = answer.tables.call!;
  const as = WAYS.find(([way]) => way === place.value.own.as)?.[0] ?? 'flame';
  const value = useMemo(() => (waits ? t.nums('acc') : withoutWaiting(t)), [t, waits]);
  const sampled = Boolean(answer.meta.sampled);
  const amount = amountOf(sampled);
  const width = sampled
    ? 'share of the samples, not time'
    : waits
      ? 'total time, waiting included'
      : 'total running time';
  const sub = {
    flame: `width = ${width}; click to zoom`,
    tree: 'the calling contexts, heaviest first',
    graph: 'functions, however they were called',
  };
  const of = narrowed.value ? 'of the whole run, not of the window: ' : '';
  return (
    <Panel
      title="Calls"
      sub={of + sub[as]}
      tools={<Choice label="Draw as" value={as} of={WAYS} pick={(v) => own('as', v === 'flame' ? '' : v)} />}
    >
      {as === 'flame' && (
        <FlameGraph answer={answer} order={order} find={find} waits={waits} label="Flame graph of the calls" />
      )}
      {as === 'tree' && <CallTree key={String(waits)} t={t} value={value} amount={amount} />}
      {as === 'graph' && <CallGraph t={t} value={value} amount={amount} />}
      <Twin table={t} label="The call tree" hide={['id']} />
    </Panel>
  );
}

/** Which functions were on a stack within the window, from the first such call to the end of the last. */
function Active({ t }: { t: Table }) {
  const [from, to] = range.value;
  const low = t.nums('first').reduce((m, v) => Math.min(m, v), from);
  const high = t.nums('last').reduce((m, v) => Math.max(m, v), to);
  const at = (v: number) => `${(100 * (v - low)) / (high - low)}%`;
  return (
    <TableGrid
      table={t}
      label="Functions active in the window"
      height={300}
      hide={['process', ...WHO, 'first', 'last']}
      instead={{
        mfa: (i) => <FunctionLink mfa={t.str('mfa', i) ?? ''} />,
      }}
      first={[
        (o) => ({
          key: 'who',
          head: 'process',
          render: (i) => <Who of={named(t, o(i))} id={t.num('process', o(i))} />,
        }),
        (o) => ({
          key: 'active',
          head: 'active, and the window',
          width: '180px',
          render: (i) => (
            <span class="life" style={{ minWidth: '160px' }}>
              <i
                style={{
                  left: at(t.num('first', o(i))),
                  width: `calc(${at(t.num('last', o(i)))} - ${at(t.num('first', o(i)))})`,
                }}
              />
              <i class="window" style={{ left: at(from), width: `calc(${at(to)} - ${at(from)})` }} />
            </span>
          ),
        }),
      ]}
    />
  );
}

export function Calls() {
  const { fn, ticked } = place.value;
  const order = place.value.own.order === 'time' ? 'time' : 'heavy';
  const find = place.value.own.find ?? '';
  const waits = place.value.own.waits === 'yes';
  const any = rows('call_node') + rows('stack') > 0;
  const base = { p: ticked.join(','), n: 1400 }; // the trees are sums of the whole run: a window can't be cut out of them
  const tree = useAnswer(any ? api('calls', base) : null);
  const callers = useAnswer(any && fn ? api('calls', { mode: 'callers', f: fn, ...base }) : null);
  const callees = useAnswer(any && fn ? api('calls', { mode: 'callees', f: fn, ...base }) : null);
  const functions = useAnswer(rows('function') > 0 ? api('ask/functions', asked()) : null).value;
  if (!any && !rows('function'))
    return (
      <Empty
        title="No calls were recorded"
        text="Name the modules or the application whose functions you want to see."
        command={
          'strobe record --trace all,calls --app my_app -- CMD\nstrobe record --trace all,calls --module my_module -- CMD'
        }
      />
    );
  const table = functions?.tables.function;
  const active = functions?.tables.active;
  return (
    <>
      <Busy on={tree.loading || callers.loading} />
      <Title
        sub={
          ticked.length && !report
            ? `of ${count(ticked.length)} selected ${ticked.length === 1 ? 'process' : 'processes'}`
            : 'of all processes, joined'
        }
        tools={
          timed() && (
            <>
              <input
                class="field"
                type="search"
                placeholder="Highlight functions"
                aria-label="Highlight functions"
                value={find}
                onInput={(e) => own('find', e.currentTarget.value)}
              />
              {!tree.value?.meta.sampled && (
                <Choice
                  label="Time"
                  value={waits ? 'all' : 'run'}
                  of={
                    [
                      ['run', 'Running time'],
                      ['all', 'Wall time'],
                    ] as const
                  }
                  pick={(v) => own('waits', v === 'all' ? 'yes' : '')}
                />
              )}
              <Choice
                label="Order"
                value={order}
                of={
                  [
                    ['heavy', 'Heaviest first'],
                    ['time', 'By first call'],
                  ] as const
                }
                pick={(v) => own('order', v === 'time' ? v : '')}
              />
            </>
          )
        }
      >
        Calls
      </Title>
      <Problem error={tree.error ?? callers.error} />
      {tree.value?.meta.sampled && (
        <div class="notice">
          <b>Sampled stacks.</b>
          <span>They say which functions were active, not how long they took.</span>
        </div>
      )}
      {fn && callers.value && callers.value.tables.call!.rows === 0 && (
        <Empty
          title="No call of this function is there"
          text={`Nothing recorded is called ${fn}${ticked.length ? ' in the processes looked at' : ''}.`}
        />
      )}
      {fn && callers.value && callees.value
        ? callers.value.tables.call!.rows > 0 && (
            <Panel
              key={fn}
              title={functionName(fn, elixir.value)}
              sub={
                timed() &&
                `${duration(Number(callees.value.meta.total))} in total${narrowed.value ? ', in the whole run' : ''}`
              }
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
                  <FlameGraph answer={callers.value} order="heavy" find={find} upward label={`Callers of ${fn}`} />
                  <p class="body faint" style={{ margin: 0 }}>
                    Calls, downward
                  </p>
                  <FlameGraph
                    answer={callees.value}
                    order={order}
                    find={find}
                    waits={waits}
                    label={`What ${fn} calls`}
                  />
                </>
              )}
              <Code fn={fn} />
              <Twin table={callers.value.tables.call!} label="The callers" hide={['id']} />
              <Twin table={callees.value.tables.call!} label="What it calls" hide={['id']} />
            </Panel>
          )
        : timed() &&
          tree.value &&
          tree.value.tables.call!.rows > 0 && <Picture answer={tree.value} order={order} find={find} waits={waits} />}
      {fn && <Around fn={fn} />}
      {active && active.rows > 0 && narrowed.value && (
        <Panel
          title="Active in the window"
          sub="functions on a stack within it, and for how long; where close calls were joined, at least and at most"
        >
          <Active t={active} />
        </Panel>
      )}
      {table && table.rows > 0 && (
        <Panel
          title="Functions"
          sub="of the whole run; click one for its callers and callees. No total is known of a function whose own call was not seen"
        >
          <Functions all={table} waits={waits} />
        </Panel>
      )}
    </>
  );
}
