// A lane for each scheduler: what ran on it by group or function, garbage collections, and migrations between lanes.
import { useMemo, useState } from 'preact/hooks';
import { groupColour, Lanes, useLanes, type ColourBy, type Lane } from '../draw/lanes';
import { count, duration, percent } from '../lib/format';
import type { Table } from '../lib/table';
import { api, useAnswer } from '../state/data';
import { elixir, info, rows, schedulerName, timed } from '../state/info';
import { WHO, whoIs } from '../state/people';
import { asked, go, href, narrowed, own, place, range, within } from '../state/place';
import { pick } from '../lib/rows';
import { report } from '../state/report';
import { palette } from '../state/theme';
import { Busy, Choice, Empty, Keys, MomentLink, NotSaved, Panel, Problem, Title } from '../ui/bits';
import { CellTwin } from '../ui/cell_twin';
import { whoColumn } from '../ui/columns';
import { Flows } from '../ui/flows';
import { TableGrid, Twin, type GridColumn } from '../ui/grid';
import { groupNames, useGroups } from '../ui/groups';
import { MomentPanel } from '../ui/moment';
import { Samples } from '../ui/samples';
import { Stacks } from '../ui/stacks';
import type { View } from '../ui/view';

export const schedulers: View = {
  route: 'schedulers',
  name: 'Schedulers',
  section: 'When',
  icon: 'M2 4h7m2 0h3M2 8h3m2 0h7M2 12h9m2 0h1',
  key: 's',
  body: Schedulers,
};

/** Returns the normal schedulers, and the dirty ones that ran something, with their use in the range. */
function laneList(all: Table, answer: Table | undefined): Lane[] {
  const row = new Map(Array.from(answer?.nums('id') ?? [], (id, i) => [id, i]));
  return Array.from(all.nums('id'), (id, i) => ({ id, i }))
    .filter(({ i }) => all.str('kind', i) === 'normal' || all.num('slices', i) > 0)
    .map(({ id }) => {
      const share = row.has(id) ? answer!.num('used_ppm', row.get(id)!) / 1e6 : NaN;
      return { id, name: schedulerName(id), note: Number.isNaN(share) ? '' : percent(share) };
    });
}

/** The colours of groups; a click highlights one group. */
function Groups({ t, colour }: { t: Table; colour: (g: number) => string }) {
  const ran = Array.from({ length: t.rows }, (_, i) => i).filter((i) => t.num('run_ns', i) > 0);
  const names = useMemo(() => groupNames(t, elixir.value), [t, elixir.value]);
  return (
    <>
      {ran.slice(0, 9).map((i) => {
        const id = t.num('id', i);
        const name = names.get(id)!;
        return (
          <button
            key={id}
            type="button"
            class="key"
            title={name}
            aria-pressed={place.value.group === id}
            onClick={() => go({ group: place.value.group === id ? null : id })}
          >
            <i style={{ background: colour(id) }} />
            <span>{name}</span>
          </button>
        );
      })}
      <span class="faint">
        grey:{' '}
        {[ran.length > 9 && `${count(ran.length - 9)} more groups`, rows('port') > 0 && 'ports', 'several in a pixel']
          .filter(Boolean)
          .join(', ')}
      </span>
    </>
  );
}

/** The marks of the program (strobe:mark/1). */
const Marks = ({ t }: { t: Table }) => (
  <Twin
    table={t}
    label="The marks in view"
    one
    instead={{
      at: (i) => <MomentLink process={t.num('process', i)} at={t.num('at', i)} />,
      scheduler: (i) => schedulerName(t.num('scheduler', i)),
      process: (i) =>
        Number.isNaN(t.num('process', i)) ? (
          '–'
        ) : (
          <a href={href('process', String(t.num('process', i)))}>{whoIs(t.num('process', i))}</a>
        ),
    }}
  />
);

const PAGE = 2000;

/** The slices in order, each with its process and the functions in which it began and ended. */
function Ran() {
  const [open, setOpen] = useState(false);
  const [from, setFrom] = useState(0);
  const { value, error } = useAnswer(open ? api('ran', { ...asked(), from }) : null);
  const t = value?.tables.slice;
  const n = value?.tables.count;
  if (report)
    return (
      <Panel title="Slices in order">
        <NotSaved has="no single slices" />
      </Panel>
    );
  const counted =
    (key: string, head: string) =>
    (o: (i: number) => number): GridColumn => ({
      key,
      head,
      number: true,
      doc: n!.column(key).doc,
      value: (i) => n!.num(key, o(i)),
      render: (i) => count(n!.num(key, o(i))),
    });
  return (
    <Panel>
      <details
        class="twin"
        style={{ border: 0 }}
        onToggle={(e) => setOpen((e.currentTarget as HTMLDetailsElement).open)}
      >
        <summary>Slices in order (2,000 at a time)</summary>
        <Problem error={error} />
        {t && (from > 0 || t.rows === PAGE) && (
          <button type="button" class="button" onClick={() => setFrom(t.rows < PAGE ? 0 : from + PAGE)}>
            {t.rows < PAGE ? 'First' : 'Next'}
          </button>
        )}
        {t && n && (
          <TableGrid
            table={t}
            label="Slices in order"
            last={[
              counted('could_run', 'could run'),
              counted('could_run_after', 'after it'),
              ...(rows('port') > 0 ? [counted('ports', 'ports')] : []),
            ]}
            height={360}
            hide={['process', ...WHO]}
            first={[whoColumn(t, 'process', 'process', 'a port')]}
            instead={{ start: (i) => <MomentLink process={t.num('process', i)} at={t.num('start', i)} /> }}
          />
        )}
      </details>
    </Panel>
  );
}

const InView = () => (
  <>
    {duration(range.value[1] - range.value[0])} in view; shares{' '}
    {narrowed.value && report ? 'of the whole run' : 'of that time'}
  </>
);

const COLOURS = [
  ['group', 'by group'],
  ['function', 'by function'],
  ['state', 'one colour'],
] as const;

const Tools = ({ by, links }: { by: ColourBy; links: boolean }) => (
  <>
    <label class="with">
      <input type="checkbox" checked={links} onChange={(e) => own('links', e.currentTarget.checked ? '' : 'no')} />
      migrations
    </label>
    <Choice label="Colour by" value={by} of={COLOURS} pick={(v) => own('by', v === 'group' ? '' : v)} />
  </>
);

/** The schedulers as a table, for the selected range. */
function Whole({ t, lanes }: { t: Table; lanes: Lane[] }) {
  const shown = useMemo(() => {
    const ids = t.nums('id');
    return pick(
      t,
      lanes.map((l) => ids.indexOf(l.id)),
    );
  }, [t, lanes]);
  return (
    <Panel title="Schedulers" sub={!narrowed.value ? undefined : report ? 'in the whole run' : 'in the time range'}>
      <TableGrid
        table={shown}
        label="Schedulers"
        height={300}
        hide={['scheduler', 'over_time', 'id', 'node']}
        first={[(at) => ({ key: 'name', head: 'scheduler', render: (i) => lanes[at(i)]!.name })]}
      />
    </Panel>
  );
}

/** Returns the colour of a group; if one group is selected, the others are grey. */
function useGroupColour(groups: Table | null): (group: number) => string {
  const p = palette.value;
  const chosen = place.value.group;
  return useMemo(() => {
    const all = groupColour(groups ? Array.from(groups.nums('id')) : []);
    return (g) => (chosen !== null && g !== chosen ? p.wait : all(g));
  }, [groups, chosen, p]);
}

function Legend({ by, crowded, groups, colour }: LegendProps) {
  const p = palette.value;
  return (
    <div class="legend">
      {by === 'group' && groups && <Groups t={groups} colour={colour} />}
      {by === 'function' && <span>colour = function in which the slice began</span>}
      <Keys
        of={[
          { text: 'collecting garbage', colour: p.gc },
          { text: 'idle', colour: p.unknown },
        ]}
      />
      <span
        class="faint"
        title={
          'A full bar is one slice, or a pixel that was always busy. A lower bar is the busy share of its pixel. ' +
          'Anything that ran is at least two pixels high.'
        }
      >
        bar height = share of time busy
      </span>
      {crowded && <span class="faint">over 4,000 migrations: zoom in to see them</span>}
    </div>
  );
}
interface LegendProps {
  by: ColourBy;
  crowded: boolean;
  groups: Table | null;
  colour: (group: number) => string;
}

/** What was sampled on one of the schedulers: the first, or that of the address. */
function Sampled({ lanes, left }: { lanes: Lane[]; left: number }) {
  const id = lanes.find((l) => String(l.id) === place.value.own.on)?.id ?? lanes[0]?.id;
  if (id === undefined) return null;
  const choose = (
    <select class="field" aria-label="Scheduler" value={String(id)} onChange={(e) => own('on', e.currentTarget.value)}>
      {lanes.map((l) => (
        <option key={l.id} value={String(l.id)}>
          {l.name}
        </option>
      ))}
    </select>
  );
  return <Stacks of="scheduler" id={id} left={left} title="CPU samples over time" tools={choose} />;
}

function Schedulers() {
  const by = (place.value.own.by as ColourBy) || 'group';
  const links = place.value.own.links !== 'no';
  const schedulers = info.value!.answer.tables.scheduler!;
  const answer = useAnswer(api('answer/schedulers', within()));
  const figures = answer.value?.tables.answer;
  const lanes = useMemo(() => laneList(schedulers, figures), [schedulers, figures]);
  const { value, error, loading, fresh } = useLanes('scheduler', null);
  const groups = useGroups();
  const colour = useGroupColour(groups);
  if (!rows('slice'))
    return (
      <Empty
        title="What ran on the schedulers was not recorded"
        text="Record it with:"
        command="strobe record --trace running,procs -- CMD"
      />
    );
  const whole = figures && <Whole t={figures} lanes={lanes} />;
  if (!timed())
    return (
      <>
        <Title>Schedulers</Title>
        {whole}
      </>
    );
  const height = lanes.length <= 8 ? 44 : lanes.length <= 20 ? 28 : lanes.length <= 40 ? 16 : 12;
  const left = (info.value!.answer.tables.node?.rows ?? 1) > 1 ? 216 : 128;
  return (
    <>
      <Busy on={loading} />
      <Title sub={<InView />} tools={<Tools by={by} links={links} />}>
        Schedulers
      </Title>
      <Problem error={error ?? answer.error} />
      <Panel>
        <header>
          <Legend by={by} crowded={links && Boolean(value?.meta.crowded)} groups={groups} colour={colour} />
        </header>
        <div style={{ padding: '4px 12px 8px' }}>
          <Lanes
            answer={value}
            fresh={fresh}
            lanes={lanes}
            height={height}
            left={left}
            colourBy={by}
            groups={colour}
            links={links}
            label="What ran on each scheduler over time"
          />
        </div>
        {value && value.tables.mark!.rows > 0 && <Marks t={value.tables.mark!} />}
        {value && <Flows answer={value} />}
        {value && <CellTwin table={value.tables.cell!} lanes={schedulerName} label="The cells in view" />}
      </Panel>
      <MomentPanel />
      {rows('cpu_tick') > 0 && <Sampled lanes={lanes} left={left} />}
      <Ran />
      {whole}
      <Samples items={['run_queue', 'utilisation', 'process_count']} />
    </>
  );
}
