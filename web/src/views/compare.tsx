// States over time of the selected processes or of a group, a lane each, and their sum.
import { useMemo } from 'preact/hooks';
import { drawActivity } from '../draw/area';
import { summed } from '../draw/cells';
import { groupColour, Lanes, useLanes, useSight, type Lane } from '../draw/lanes';
import { Stage, type Pen } from '../draw/stage';
import { count } from '../lib/format';
import { title } from '../lib/names';
import type { Table } from '../lib/table';
import { api, ask, useAnswer } from '../state/data';
import { elixir, scheduled, timed } from '../state/info';
import { named, People, whoIs } from '../state/people';
import { go, own, place, range } from '../state/place';
import { report } from '../state/report';
import { palette } from '../state/theme';
import { Busy, Empty, NoTimes, Panel, Problem, Title } from '../ui/bits';
import { useCalled } from '../ui/called';
import { CellTwin } from '../ui/cell_twin';
import { MomentPanel } from '../ui/moment';
import { Flows } from '../ui/flows';
import { StateKeys } from '../ui/states';
import type { View } from '../ui/view';

export const compare: View = {
  route: 'compare',
  name: 'Compare',
  section: 'When',
  icon: 'M2 3v10M2 5h9M2 8h6m-6 3h11',
  key: 'c',
  body: Compare,
};

const MOST = 1000;

/** The orders of the processes that are shown if none are selected. */
const ORDERS = [
  ['run_ns', 'run time'],
  ['runnable_ns', 'runnable time'],
  ['wait_ns', 'waiting time'],
  ['gc_ns', 'garbage collection'],
  ['receives', 'messages received'],
  ['sends', 'messages sent'],
  ['mean_receive_words', 'size of received messages'],
  ['mean_send_words', 'size of sent messages'],
] as const;
const orderOf = () => ORDERS.find(([column]) => column === place.value.own.by)?.[0] ?? 'run_ns';

function useChosen(): { lanes: Lane[]; total: number; from: string } {
  const { ticked, group } = place.value;
  const fallback = ticked.length
    ? null
    : api('processes', { n: group === null ? 12 : MOST, group, sort: group === null ? orderOf() : 'run_ns' });
  const { value } = useAnswer(fallback);
  const t = value?.tables.processes;
  return useMemo(() => {
    if (ticked.length)
      return { lanes: ticked.slice(0, MOST).map((id) => ({ id, name: '' })), total: ticked.length, from: 'ticked' };
    if (!t) return { lanes: [], total: 0, from: '' };
    const order = Array.from({ length: t.rows }, (_, i) => i);
    if (group !== null) order.sort((a, b) => (t.num('start', a) || 0) - (t.num('start', b) || 0) || a - b); // by start
    const lanes = order.map((i) => ({
      id: t.num('id', i),
      name: title(named(t, i), elixir.value),
      note: t.str('pid', i) ?? undefined,
    }));
    return { lanes, total: Number(value.meta.total), from: group === null ? 'most' : 'group' };
  }, [ticked, group, t, elixir.value]);
}

/** Returns names; the previous ones remain until those of other visible processes arrive. */
function usePeople(ids: number[]): People {
  const { value } = useAnswer(ids.length ? api('people', { ids: ids.join() }) : null);
  return useMemo(() => new People(value?.tables.process), [value]);
}

/** Selects the children of the selected processes as well, or all processes that share parent and entry with them. */
async function widen(by: 'parent' | 'group') {
  const { ticked } = place.value;
  const keys =
    by === 'parent'
      ? ticked
      : [...new Set((await ask(api('people', { ids: ticked.join() }))).tables.process!.nums('group_id'))];
  const all = new Set(ticked);
  for (const key of keys) {
    if (all.size >= MOST) break;
    for (const id of (await ask(api('processes', { [by]: key, n: MOST }))).tables.processes!.nums('id')) all.add(id);
  }
  go({ ticked: [...all].slice(0, MOST) });
}

const LEFT = 216;
/** The number of lanes in each state over time. */
function Sum({ t }: { t: Table }) {
  const window = range.value;
  const p = palette.value;
  const draw = useMemo(
    () => (g: Pen, w: number, h: number) => {
      const box = { x: LEFT, y: 6, w: w - LEFT - 8, h: h - 12 };
      const bands = [
        { columns: ['running_ns'], colour: p.run },
        { columns: ['gc_ns'], colour: p.gc },
        { columns: ['dirty_ns'], colour: p.dirty },
        { columns: ['runnable_ns'], colour: p.ready, hatched: true },
        { columns: ['handover_ns'], colour: p.handover },
      ];
      drawActivity(g, summed(t, window, 320), window, box, bands, p, { values: true });
      g.textAlign = 'left';
      g.textBaseline = 'middle';
      g.fillStyle = p.soft;
      g.fillText('all together', 2, h / 2);
    },
    [t, window[0], window[1], p],
  );
  return (
    <Stage
      height={112}
      label="The states of the processes together over time"
      draw={draw}
      time={{ left: LEFT, right: 8 }}
    />
  );
}

/** Returns the lanes with their names and pids, and whether their calls were recorded. */
function useLaneList(chosen: Lane[], ids: number[], called: Set<number> | null): Lane[] {
  const people = usePeople(ids);
  return useMemo(
    () =>
      chosen.map(
        (l): Lane => ({
          id: l.id,
          name: l.name || people.title(l.id),
          note: l.note ?? people.named(l.id).pid ?? undefined,
          stands: called?.has(l.id),
        }),
      ),
    [chosen, people, called],
  );
}

const OrderBy = () => (
  <label class="with">
    by{' '}
    <select
      class="field"
      aria-label="Order"
      value={orderOf()}
      onChange={(e) => own('by', e.currentTarget.value === 'run_ns' ? '' : e.currentTarget.value)}
    >
      {ORDERS.map(([by, text]) => (
        <option key={by} value={by}>
          {text}
        </option>
      ))}
    </select>
  </label>
);

function Tools({ from, withCalls }: { from: string; withCalls: number[] }) {
  return (
    <>
      {from === 'most' && <OrderBy />}
      {from === 'ticked' && !report && (
        <>
          <button type="button" class="button" onClick={() => void widen('parent')}>
            Add their children
          </button>
          <button type="button" class="button" onClick={() => void widen('group')}>
            Add siblings with the same entry
          </button>
        </>
      )}
      {withCalls.length > 0 && (
        <button
          type="button"
          class="button"
          onClick={() => go({ view: 'calls', id: null, ticked: withCalls, own: {} })}
        >
          Their calls
        </button>
      )}
      <button type="button" class="button" onClick={() => go({ view: 'processes', id: null, own: {} })}>
        Choose processes
      </button>
    </>
  );
}

const NotScheduled = () =>
  timed() ? (
    <Empty
      title="When processes ran was not recorded"
      text="Record it with:"
      command="strobe record --trace running,procs,messages -- CMD"
    />
  ) : (
    <NoTimes />
  );

const Missing = () => (
  <div class="notice" role="status">
    <b>A saved report.</b>
    <span>It holds the states of the processes that ran most; other lanes are empty.</span>
  </div>
);

/** Says which of the selected ids no process of this profile has. */
function Strangers({ ids }: { ids: number[] }) {
  const known = useAnswer(ids.length ? api('people', { ids: ids.join() }) : null).value?.tables.process?.nums('id');
  const strangers = known ? ids.filter((id) => !known.includes(id)) : [];
  if (!strangers.length) return null;
  return (
    <div class="notice" role="status">
      <b>There is no process {strangers.join(', ')}.</b>
      <span>An id belongs to one profile; in another profile the process has another id.</span>
    </div>
  );
}

function Compare() {
  const chosen = useChosen();
  const sight = useSight(chosen.lanes.length);
  const ids = useMemo(
    () => chosen.lanes.slice(sight.first, sight.first + sight.count).map((l) => l.id),
    [chosen, sight.first, sight.count],
  );
  const { value, error, loading, fresh } = useLanes('process', ids);
  const called = useCalled();
  const lanes = useLaneList(chosen.lanes, ids, called);
  const withCalls = useMemo(() => lanes.filter((l) => l.stands).map((l) => l.id), [lanes]);
  const plain = useMemo(() => groupColour([]), []);
  if (!scheduled()) return <NotScheduled />;
  const height = lanes.length <= 16 ? 34 : lanes.length <= 40 ? 20 : lanes.length <= 200 ? 12 : 5;
  const inGroup = `${count(lanes.length)} of ${count(chosen.total)} in the group`;
  const part = sight.count < lanes.length ? `of the ${count(sight.count)} lanes in sight` : undefined;
  return (
    <>
      <Busy on={loading} />
      <Title
        sub={
          chosen.from === 'ticked' ? `${count(chosen.total)} selected` : chosen.from === 'group' ? inGroup : 'Top 12'
        }
        tools={<Tools from={chosen.from} withCalls={withCalls} />}
      >
        Compare
      </Title>
      <Problem error={error} />
      {Number(value?.meta.missing ?? 0) > 0 && <Missing />}
      {chosen.from === 'ticked' && !report && <Strangers ids={ids} />}
      <Panel>
        <header>
          <div class="legend">
            <StateKeys of={['running', 'runnable', 'waiting', 'gc', 'dirty', 'handover', 'unknown']} />
            {withCalls.length > 0 && (
              <span>
                <b style={{ color: palette.value.accent }}>name</b> calls were recorded
              </span>
            )}
          </div>
        </header>
        {value && lanes.length > 1 && (
          <div style={{ padding: '4px 12px 0' }} title={part}>
            <Sum t={value.tables.cell!} />
          </div>
        )}
        <div style={{ padding: '4px 12px 8px' }}>
          <Lanes
            answer={value}
            fresh={fresh}
            lanes={lanes}
            height={height}
            left={LEFT}
            onSight={sight.onSight}
            colourBy="state"
            groups={plain}
            waits
            label="States of the processes over time"
          />
        </div>
        {value && <Flows answer={value} />}
        {value && <CellTwin table={value.tables.cell!} lanes={whoIs} label="The states in view" />}
      </Panel>
      <MomentPanel />
    </>
  );
}
