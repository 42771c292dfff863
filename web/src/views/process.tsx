// One process: its facts, states over time, waits, collections, messages, children, functions and ports.
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { groupColour, Lanes, useLanes } from '../draw/lanes';
import { cell, count, counted, duration, percent, words } from '../lib/format';
import { functionName, title } from '../lib/names';
import { where } from '../lib/rows';
import type { Answer, Table } from '../lib/table';
import { api, useAnswer } from '../state/data';
import { argument, elixir, fact, nodeName, rows, scheduled, schedulerName, timed } from '../state/info';
import { named, WHO, type Columns } from '../state/people';
import { asked, go, here, href, narrowed, place, tick } from '../state/place';
import { report } from '../state/report';
import { palette } from '../state/theme';
import { Busy, Empty, Panel, Problem, Title, Who } from '../ui/bits';
import { callsOf } from '../ui/called';
import { CellTwin } from '../ui/cell_twin';
import { MomentPanel } from '../ui/moment';
import { shareColumn, whoColumn } from '../ui/columns';
import { Flows } from '../ui/flows';
import { TableGrid } from '../ui/grid';
import { Stacks } from '../ui/stacks';
import { StateKeys } from '../ui/states';
import type { View } from '../ui/view';

export const process: View = {
  route: 'process',
  name: 'Process',
  section: '',
  icon: '',
  under: 'processes',
  body: Process,
};

/** Returns the number of migrations, and of those shown if the list is cut. */
const migrationsOf = (all: number, shown: number) =>
  all > shown ? `the first ${count(shown)} of ${counted(all, 'migration')}` : counted(shown, 'migration');

const IN_RANGE = 'in the time range';

/** Returns when the process started and ended, and why. */
function lived(t: Table): [string, string][] {
  const get = (c: string) => cell(t.cell(t.column(c), 0), t.column(c).unit);
  const has = (c: string) => t.cell(t.column(c), 0) !== null;
  if (!timed()) return has('exit_reason') ? [['ended', get('exit_reason')]] : [];
  return [
    ['started', has('start') ? get('start') : 'before the recording'],
    ['ended', has('end') ? `${get('end')}, ${get('exit_reason')}` : 'still alive'],
  ];
}

function Facts({ t, parent, asker }: { t: Table; parent: Table; asker: Table }) {
  const has = (c: string) => t.cell(t.column(c), 0) !== null;
  const get = (c: string) => cell(t.cell(t.column(c), 0), t.column(c).unit);
  const spoken = (n: string, sum: string) =>
    t.num(n, 0) > 0 && has(sum)
      ? `${counted(t.num(n, 0), 'message')}, ${words(t.num(sum, 0) / t.num(n, 0))} on average`
      : get(n);
  const name = [t.str('name', 0) && functionName(t.str('name', 0), elixir.value), t.str('label', 0)]
    .filter(Boolean)
    .join(' · ');
  // facts that were not recorded are omitted
  const list: [string, ComponentChildren, string?][] = [
    ['pid', get('pid')],
    ...(nodeName(t.num('node', 0)) ? [['node', nodeName(t.num('node', 0))] as [string, string]] : []),
    ['name', name || '–'],
    [
      'entry',
      has('entry') ? (
        <span title={t.str('spawn_mfa', 0) ?? ''}>{functionName(t.str('entry', 0), elixir.value)}</span>
      ) : (
        '–'
      ),
    ],
    ['parent', parent.rows ? <Who of={named(parent, 0)} id={parent.num('id', 0)} /> : '–'],
    ...(asker.rows
      ? [
          ['asked for by', <Who key="asker" of={named(asker, 0)} id={asker.num('id', 0)} />] as [
            string,
            ComponentChildren,
          ],
        ]
      : []),
    ...lived(t),
    ['sent', spoken('sends', 'send_words'), 'sends'],
    ['received', spoken('receives', 'receive_words'), 'receives'],
    ['timeouts', get('timeouts'), 'timeouts'],
    ['most not fetched', get('max_queue'), 'max_queue'],
    ['longest mailbox', get('peak_mailbox'), 'peak_mailbox'],
    ['collections', has('gc_ns') ? `${get('gc_count')} taking ${get('gc_ns')}` : get('gc_count'), 'gc_count'],
    ['reclaimed', words(t.num('reclaimed_words', 0)), 'reclaimed_words'],
    ['largest heap', words(t.num('peak_heap_words', 0)), 'peak_heap_words'],
    ['migrations', get('migrations'), 'migrations'],
  ];
  if (get('runnable_low_ns') !== get('runnable_high_ns'))
    list.push(['runnable, between', `${get('runnable_low_ns')} and ${get('runnable_high_ns')}`]);
  return (
    <dl class="facts">
      {list
        .filter(([, , of]) => !of || has(of))
        .flatMap(([k, v]) => [<dt key={k}>{k}</dt>, <dd key={`${k}v`}>{v}</dd>])}
    </dl>
  );
}

/** The time in each state as one bar, over its life or over the selected range. */
function Spent({ t, state }: { t: Table; state: Table | undefined }) {
  const p = palette.value;
  const of = state ?? t;
  const get = (c: string) => (of.rows ? of.num(c, 0) || 0 : 0);
  const parts: [string, number, string][] = [
    ['running', Math.max(0, get('run_ns') - get('gc_ns')), p.run],
    ['collecting', get('gc_ns'), p.gc],
    ['dirty', get('dirty_ns'), p.dirty],
    ['runnable', get('runnable_ns'), p.ready],
    ['waiting', get('wait_ns'), p.wait],
    ['dirty hand-over', get('handover_ns'), p.handover],
    ['unknown', get('unknown_ns'), p.unknown],
  ];
  const total = parts.reduce((s, [, ns]) => s + ns, 0);
  if (!total) return state ? <p class="body soft">The process did not exist in this time range.</p> : null;
  return (
    <div class="body">
      <div
        style={{ display: 'flex', height: '14px', borderRadius: '5px', overflow: 'hidden', marginBottom: '9px' }}
        aria-hidden="true"
      >
        {parts.map(
          ([name, ns, colour]) =>
            ns > 0 && <i key={name} style={{ width: `${(100 * ns) / total}%`, background: colour, minWidth: '1px' }} />,
        )}
      </div>
      <div class="legend">
        {parts.map(
          ([name, ns, colour]) =>
            ns > 0 && (
              <span key={name}>
                <i style={{ background: colour }} />
                {name} <b>{duration(ns)}</b> <span class="faint">{percent(ns / total)}</span>
              </span>
            ),
        )}
      </div>
    </div>
  );
}

function Waits({ t }: { t: Table }) {
  const total = t.nums('total_ns').reduce((sum, v) => sum + v, 0);
  const share = shareColumn('share', (i) => t.num('total_ns', i) / total, 'var(--line-strong)');
  const hide = ['process', 'id', 'pid'];
  return <TableGrid table={t} label="Where it waited" height={260} hide={hide} first={[total > 0 && share]} />;
}

const SENDER = { who: 'sender', pid: 'from_pid', node: 'from_node' };
const RECEIVER = { who: 'receiver', pid: 'to_pid', node: 'to_node' };

/** The messages of a process by their other end. */
function Peers({ t, label, id, other }: { t: Table; label: string; id: 'from_id' | 'to_id'; other: Columns }) {
  return (
    <TableGrid
      table={t}
      label={label}
      height={260}
      hide={[
        'from_id',
        'to_id',
        ...Object.values(SENDER),
        ...Object.values(RECEIVER),
        'total_ext_bytes',
        'total_words',
        'matched',
        'at_least',
      ]}
      first={[whoColumn(t, id, 'process', '', other)]}
    />
  );
}

function Life({ id }: { id: number }) {
  const ids = useMemo(() => [id], [id]);
  const { value, error, loading, fresh } = useLanes('process', ids);
  const lanes = useMemo(() => [{ id, name: '' }], [id]);
  const plain = useMemo(() => groupColour([]), []);
  return (
    <Panel
      title="States over time"
      sub="drag to look at a part"
      tools={
        <div class="legend">
          <StateKeys of={['running', 'runnable', 'waiting', 'gc', 'dirty', 'handover']} />
        </div>
      }
    >
      <Busy on={loading} />
      <Problem error={error} />
      <div style={{ padding: '0 12px 8px' }}>
        <Lanes
          answer={value}
          fresh={fresh}
          lanes={lanes}
          height={56}
          left={14}
          colourBy="state"
          groups={plain}
          waits
          label="States of this process over time"
        />
      </div>
      {value && <Flows answer={value} />}
      {value && <CellTwin table={value.tables.cell!} label="The states in view" />}
    </Panel>
  );
}

/** Returns the tables of a process; tables of the range replace those of the whole run. Messages of a range are known
    if single messages were stored. */
function tablesOf(whole: Answer, during: Answer | null): Answer['tables'] {
  const { message, ...rest } = during?.tables ?? {};
  return { ...whole.tables, ...rest, ...(message && rows('message') > 0 ? { message } : {}) };
}

/** Returns the id of a process from an id or a pid. */
function useId(text: string | null): { id: number; asking: boolean } {
  const given = text !== null && /^\d+$/.test(text) ? Number(text) : null;
  const { value, loading } = useAnswer(
    given === null && text ? api('processes', { find: text.toLowerCase(), n: 1 }) : null,
  );
  const t = value?.tables.processes;
  return { id: given ?? (t?.rows ? t.num('id', 0) : NaN), asking: given === null && loading };
}

/** Links to the comparison, the group, the calls and the messages of the process. */
function Tools({ id, group, calls }: { id: number; group: Table | null; calls: boolean }) {
  const on = place.value.ticked.includes(id);
  const messages = () => go({ view: 'messages', id: null, ticked: [id], own: { level: 'process' } });
  return (
    <>
      {group && (
        <a class="button quiet" href={href('processes', null, { group: group.num('id', 0) })}>
          1 of {count(group.num('processes', 0))}
        </a>
      )}
      <button type="button" class="button" aria-pressed={on} onClick={() => tick(id)}>
        {on ? 'Remove from comparison' : 'Add to comparison'}
      </button>
      {calls && (
        <button type="button" class="button" onClick={() => go(callsOf(id))}>
          Calls
        </button>
      )}
      {fact('messages') && (
        <button type="button" class="button" onClick={messages}>
          Messages
        </button>
      )}
    </>
  );
}

/** The tables of a process, and the range that each covers. */
interface Parts {
  id: number;
  a: Answer['tables'];
  during: Answer | null;
  whole?: string; // the note of tables that cover the whole run only
  part?: string; // the note of tables that cover the selected range
}
const joined = (...texts: (string | undefined)[]) => texts.filter(Boolean).join(', ');

function Time({ a, during, whole, part }: Parts) {
  return (
    <div class="columns">
      <Panel title={scheduled() ? 'How its time was spent' : 'Who it is'} sub={part}>
        <Spent t={a.process!} state={a.state} />
        {during && <h3 class="body">In the whole run</h3>}
        <Facts t={a.process!} parent={a.parent!} asker={a.asker!} />
      </Panel>
      <div>
        {a.wait!.rows > 0 && (
          <Panel title="Where it waited" sub={(during?.tables.wait ? part : whole) ?? 'by function'}>
            <Waits t={a.wait!} />
          </Panel>
        )}
        {a.scheduler!.rows > 0 && (
          <Panel title="Schedulers it ran on" sub={part}>
            <TableGrid
              table={a.scheduler!}
              label="Schedulers it ran on"
              height={220}
              instead={{ scheduler: (i) => schedulerName(a.scheduler!.num('scheduler', i)) }}
            />
          </Panel>
        )}
        {a.gc!.rows > 0 && (
          <Panel title="Its collections" sub={part}>
            <TableGrid table={a.gc!} label="Its collections" height={160} />
          </Panel>
        )}
      </div>
    </div>
  );
}

function Processes({ t, title, sub }: { t: Table; title: string; sub: string }) {
  return (
    <Panel title={title} sub={sub}>
      <TableGrid table={t} label={title} height={260} hide={['id', ...WHO]} first={[whoColumn(t, 'id')]} />
    </Panel>
  );
}

/** Its senders and receivers, its children, and the processes that others started on its behalf. */
function Others({ id, a, during, whole }: Parts) {
  const messages = during && rows('message') > 0 ? IN_RANGE : whole;
  const end = (column: 'from_id' | 'to_id') => where(a.message!, (i) => a.message!.num(column, i) === id);
  const [received, sent] = [end('to_id'), end('from_id')];
  return (
    <>
      {received.rows > 0 && (
        <Panel title="Received from" sub={joined(counted(received.rows, 'sender'), messages)}>
          <Peers t={received} label="Received from" id="from_id" other={SENDER} />
        </Panel>
      )}
      {sent.rows > 0 && (
        <Panel title="Sent to" sub={joined(counted(sent.rows, 'receiver'), messages)}>
          <Peers t={sent} label="Sent to" id="to_id" other={RECEIVER} />
        </Panel>
      )}
      {a.child!.rows > 0 && (
        <Processes t={a.child!} title="Children" sub={count(a.process!.num('spawned', 0) || a.child!.rows)} />
      )}
      {a.asked!.rows > 0 && <Processes t={a.asked!} title="Started on its behalf" sub="by the process that it asked" />}
    </>
  );
}

/** Its functions, its ports, and the schedulers it moved between. */
function Work({ id, a, whole, part }: Parts) {
  const mfa = (i: number) => a.function!.str('function', i) ?? '';
  const moves = a.migrations ?? a.process!;
  const migrations = moves.rows ? moves.num('migrations', 0) : 0;
  return (
    <>
      {a.function!.rows > 0 && (
        <Panel
          title="Functions"
          sub={`click one for its callers and callees in this process${whole ? `; ${whole}` : ''}`}
        >
          <TableGrid
            table={a.function!}
            label="Functions"
            height={260}
            hide={['processes', 'own_ppm', 'own_per_call_ns']}
            lead="function"
            instead={{
              function: (i) => (
                <a href={here({ ...callsOf(id), fn: mfa(i) })} title={mfa(i)}>
                  {functionName(mfa(i), elixir.value)}
                </a>
              ),
            }}
          />
        </Panel>
      )}
      {a.port!.rows > 0 && (
        <Panel title="Its ports" sub={part}>
          <TableGrid
            table={a.port!}
            label="Its ports"
            height={260}
            hide={['id', 'owner', 'owner_id', 'owner_pid', 'node']}
          />
        </Panel>
      )}
      {a.migration!.rows > 0 && (
        <Panel title="Run-queue history" sub={joined(migrationsOf(migrations, a.migration!.rows), part)}>
          <TableGrid
            table={a.migration!}
            label="Run-queue history"
            height={260}
            instead={{
              from_scheduler: (i) => schedulerName(a.migration!.num('from_scheduler', i)),
              to_scheduler: (i) => schedulerName(a.migration!.num('to_scheduler', i)),
            }}
          />
        </Panel>
      )}
    </>
  );
}

function Process() {
  const { id, asking } = useId(place.value.id);
  const known = Number.isInteger(id) && id > 0;
  const { value, error, loading } = useAnswer(known ? api('ask/process', { id }) : null);
  const windowed = known && narrowed.value && !report && scheduled();
  const during = useAnswer(windowed ? api('ask/during', { id, ...asked() }) : null).value;
  if (report && known && !report.holds(api('ask/process', { id })))
    return (
      <Empty
        title="This report does not hold that process"
        text="A saved report has room for the processes that ran most. The page of the profile has all:"
        command={`strobe serve ${argument()}`}
      />
    );
  if (error) return <Problem error={error} />;
  if (!value && (loading || asking)) return <Busy on />;
  if (!value) return <Empty title="No process was chosen" text="The view Processes lists them." />;
  const t = value.tables.process!;
  if (!t.rows)
    return (
      <Empty
        title={`There is no process ${place.value.id}`}
        text="An id belongs to one profile; in another profile the process has another id."
      />
    );
  const who = named(t, 0);
  const name = title(who, elixir.value);
  const a = tablesOf(value, during);
  const whole = narrowed.value ? 'in the whole run' : undefined;
  const parts: Parts = { id, a, during, whole, part: during ? IN_RANGE : whole };
  const group = a.sibling!.rows && a.sibling!.num('processes', 0) > 1 ? a.sibling! : null;
  return (
    <>
      <Title
        sub={<span class="mono">{name === who.pid ? '' : who.pid}</span>}
        tools={<Tools id={id} group={group} calls={a.function!.rows > 0 || rows('stack') > 0} />}
      >
        {name}
      </Title>
      {scheduled() && <Life id={id} />}
      {timed() && <Stacks of="process" id={id} left={14} title="Stack over time" />}
      <MomentPanel />
      <Time {...parts} />
      <div class="columns">
        <Others {...parts} />
        <Work {...parts} />
      </div>
    </>
  );
}
