// The critical path: the chain of work and waits that led to the end, step by step.
import { signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { colourOf, drawChain, heightOf, LEFT, linkAt, RIGHT, type Chain } from '../draw/chain';
import { Stage, type Pen } from '../draw/stage';
import { KINDS, lanesOf, next, rowOf, type Kind } from '../lib/chain';
import { at, count, counted, duration, percent } from '../lib/format';
import { functionName } from '../lib/names';
import type { Answer, Table } from '../lib/table';
import { pick } from '../lib/rows';
import { aroundSpan, clamp, type Range } from '../lib/window';
import { api, useAnswer } from '../state/data';
import { elixir, scheduled } from '../state/info';
import { People } from '../state/people';
import { asked, go, href, look, narrowed, place, range, run, showing } from '../state/place';
import { palette } from '../state/theme';
import { Busy, Empty, Keys, Panel, Problem, Title } from '../ui/bits';
import { TableGrid, type GridColumn, type Order } from '../ui/grid';
import { MomentPanel } from '../ui/moment';
import type { View } from '../ui/view';

export const critical: View = {
  route: 'critical',
  name: 'Critical path',
  section: 'Why',
  icon: 'M2 4h4v4h4v4h4',
  key: 'k',
  keys: [
    { keys: ['n'], what: 'next link of the critical path', act: () => move(1) },
    { keys: ['p'], what: 'previous link', act: () => move(-1) },
    {
      keys: ['x'],
      what: 'the link in the lanes of its processes',
      act: () => chosenRow() >= 0 && toLanes(chosenRow()),
    },
  ],
  body: Critical,
};

/* ---- the selected link, in the address as `link` */

/** The links that the view shows. */
const links = signal<Table | null>(null);
const chosenId = () => Number(place.value.own.link) || null;
const chosenRow = () => (links.value && chosenId() !== null ? rowOf(links.value, chosenId()!) : -1);

const partners = (t: Table, i: number) =>
  [t.num('process', i), t.num('peer', i)].filter((id, k, all) => !Number.isNaN(id) && all.indexOf(id) === k);
const spanOf = (t: Table, i: number): Range => [t.num('start', i), t.num('start', i) + t.num('dur', i)];

/** Selects a link and its processes; the range follows if the link is outside of it. */
function choose(i: number) {
  const t = links.value!;
  const [from, to] = spanOf(t, i);
  go({
    own: { ...place.value.own, link: String(t.num('id', i)) },
    ticked: partners(t, i),
    at: Number.isNaN(t.num('process', i)) ? null : { process: t.num('process', i), from, to },
    range: showing([from, to]),
  });
}
function move(step: 1 | -1) {
  const i = links.value && next(links.value, chosenId(), step, range.value);
  if (i !== null) choose(i);
}

const lanes = (t: Table, i: number, view: 'compare' | 'schedulers') => {
  const [from, to] = aroundSpan(t.num('start', i), t.num('dur', i));
  return href(view, null, { ticked: partners(t, i), range: clamp([from, to], run.value), group: null });
};
const toLanes = (i: number) => {
  location.hash = lanes(links.value!, i, 'compare');
};

/* ---- the picture */

const NO_PROCESS = 'no process';
const MOST_LANES = 14;

function useChain(t: Table, people: People, chosen: number): Chain {
  return useMemo(() => {
    const { ids, others } = lanesOf(t, MOST_LANES);
    const lane = new Map(ids.map((id, k) => [id, k]));
    const of = (id: number) => lane.get(id) ?? ids.length;
    const names = ids.map((id) => (Number.isNaN(id) ? NO_PROCESS : people.full(id)));
    if (others) names.push(`${count(others)} other processes`);
    return {
      links: t,
      lane: (i) => of(t.num('process', i)),
      peerLane: (i) =>
        Number.isNaN(t.num('peer', i)) ? NaN : lane.has(t.num('peer', i)) || others ? of(t.num('peer', i)) : NaN,
      names,
      chosen,
    };
  }, [t, people, chosen, elixir.value]);
}

const spent = (t: Table, i: number): [Kind, number][] =>
  KINDS.map((k): [Kind, number] => [k, t.num(`${k}_ns`, i)]).filter(([, ns]) => ns > 0);

function Picture({ chain }: { chain: Chain }) {
  const p = palette.value;
  const [from, to] = range.value;
  const draw = useMemo(() => (g: Pen, w: number) => drawChain(g, chain, [from, to], w, p), [chain, from, to, p]);
  const t = chain.links;
  return (
    <Stage
      height={heightOf(chain.names.length)}
      label="The critical path over time"
      draw={draw}
      time={{ left: LEFT, right: RIGHT }}
      hover={(x, y, w) => {
        const i = linkAt(chain, [from, to], w, x, y);
        if (i < 0) return null;
        return {
          title: chain.names[chain.lane(i)]!,
          rows: [
            ['link', count(t.num('id', i))],
            ['at', at(t.num('start', i))],
            ['took', duration(t.num('dur', i))],
            ...spent(t, i).map(([kind, ns]): [string, string] => [kind, duration(ns)]),
          ],
        };
      }}
      click={(x, y, w) => {
        const i = linkAt(chain, [from, to], w, x, y);
        if (i >= 0) choose(i);
      }}
    />
  );
}

const KindKeys = ({ t }: { t: Table }) => {
  const colour = colourOf(palette.value);
  const used = KINDS.filter((k) => t.nums(`${k}_ns`).some((ns) => ns > 0));
  return <Keys of={used.map((k) => ({ text: k, colour: colour[k] }))} />;
};

/* ---- the selected link */

function Steps({ t, i }: { t: Table; i: number }) {
  const [from, to] = spanOf(t, i);
  const { value } = useAnswer(api('ask/steps', { t0: from, t1: to }));
  const all = value?.tables.step;
  const [first, last] = [t.num('first_step', i), t.num('first_step', i) + t.num('steps', i)];
  const rows = useMemo(
    () => all && Array.from(all.nums('id'), (id, k) => ({ id, k })).filter((s) => s.id >= first && s.id < last),
    [all, first, last],
  );
  if (!all || !rows) return null;
  return (
    <Panel
      title="Its steps"
      sub={
        rows.length < t.num('steps', i) ? `the ${count(rows.length)} longest of ${count(t.num('steps', i))}` : undefined
      }
    >
      <TableGrid
        table={pick(
          all,
          rows.map((s) => s.k),
        )}
        label="The steps of the link"
        height={240}
        hide={['process', 'peer']}
      />
    </Panel>
  );
}

function Chosen({ t, i, people, total }: { t: Table; i: number; people: People; total: number }) {
  const [process, peer] = [t.num('process', i), t.num('peer', i)];
  const link = Number.isNaN(process) ? (
    NO_PROCESS
  ) : (
    <a href={href('process', String(process))}>{people.full(process)}</a>
  );
  return (
    <div class="link-detail" aria-live="polite">
      <p>
        <b>
          Link {count(t.num('id', i))}
          {total ? ` of ${count(total)}` : ''}
        </b>
        : {link}, {duration(t.num('dur', i))} (
        {spent(t, i)
          .map(([kind, ns]) => `${kind} ${duration(ns)}`)
          .join(', ') || 'no time'}
        )
        {!Number.isNaN(peer) && (
          <>
            ; woken or started by, or looking for, <a href={href('process', String(peer))}>{people.full(peer)}</a>
          </>
        )}
      </p>
      <button type="button" class="button" onClick={() => look(aroundSpan(t.num('start', i), t.num('dur', i)))}>
        Zoom to it
      </button>
      <a class="button" href={lanes(t, i, 'compare')}>
        In the lanes
      </a>
      <a class="button" href={lanes(t, i, 'schedulers')}>
        On the schedulers
      </a>
    </div>
  );
}

/* ---- the tables */

const linkColumn =
  (t: Table) =>
  (o: Order): GridColumn => ({
    key: 'link',
    head: 'link',
    number: true,
    render: (i) => (
      <button
        type="button"
        class="button quiet"
        aria-pressed={t.num('id', o(i)) === chosenId()}
        onClick={() => choose(o(i))}
        aria-label={`Select link ${t.num('id', o(i))}`}
      >
        {count(t.num('id', o(i)))}
      </button>
    ),
  });
const whoOf = (people: People, t: Table, column: string) => (i: number) => {
  const id = t.num(column, i);
  return Number.isNaN(id) ? <span class="null">–</span> : <a href={href('process', String(id))}>{people.full(id)}</a>;
};
const lanesColumn =
  (t: Table) =>
  (o: Order): GridColumn => ({
    key: 'lanes',
    head: <span class="hidden-text">lanes</span>,
    render: (i) => (
      <a href={lanes(t, o(i), 'compare')} aria-label={`Link ${t.num('id', o(i))} in the lanes`}>
        lanes
      </a>
    ),
  });

function Sums() {
  const { value, error } = useAnswer(api('answer/critical', elixir.value ? { elixir: 1 } : {}));
  const t = value?.tables.answer;
  const notes = t ? Array.from({ length: t.rows }, (_, i) => t.str('note', i)).filter((s) => s) : [];
  return (
    <Panel title="What the time of the chain went to" sub={narrowed.value ? 'in the whole run' : undefined}>
      <Problem error={error} />
      {notes.map((note) => (
        <p class="link-detail set-length">{note}</p>
      ))}
      {t && (
        <TableGrid
          table={t}
          label="The chain by process and kind"
          height={320}
          hide={['id', 'peer_id', 'pid', 'note']}
          instead={{
            share: (i) => percent(t.num('share', i) / 100),
            process: (i) =>
              Number.isNaN(t.num('id', i)) ? (
                t.str('process', i) ? (
                  functionName(t.str('process', i), elixir.value)
                ) : (
                  <span class="null">–</span>
                )
              ) : (
                <a href={href('process', t.str('id', i))}>{functionName(t.str('process', i), elixir.value)}</a>
              ),
          }}
        />
      )}
    </Panel>
  );
}

const isInView = (t: Table, i: number) => {
  const [from, to] = spanOf(t, i);
  return from < range.value[1] && to >= range.value[0];
};

function Path({ a }: { a: Answer }) {
  const t = a.tables.link!;
  const people = useMemo(() => new People(a.tables.process), [a]);
  useEffect(() => {
    links.value = t;
    return () => {
      links.value = null;
    };
  }, [t]);
  const chosen = chosenId() === null ? -1 : rowOf(t, chosenId()!);
  const chain = useChain(t, people, chosen);
  const total = a.tables.total!.num('links', 0);
  const inView = Array.from({ length: t.rows }, (_, i) => i).filter((i) => isInView(t, i)).length;
  return (
    <>
      <Panel
        title="The chain"
        sub={
          total > t.rows
            ? `the ${count(t.rows)} longest of ${count(total)} links`
            : `${counted(inView, 'link')} in view`
        }
        tools={
          <>
            <button type="button" class="button" onClick={() => move(-1)}>
              Previous <kbd>p</kbd>
            </button>
            <button type="button" class="button" onClick={() => move(1)}>
              Next <kbd>n</kbd>
            </button>
          </>
        }
      >
        <div class="body">
          <div class="legend">
            <KindKeys t={t} />
            <span class="faint">a bar is the time at one process; the heights of its colours are their shares</span>
          </div>
          <Picture chain={chain} />
        </div>
        {chosen >= 0 ? (
          <Chosen t={t} i={chosen} people={people} total={narrowed.value ? 0 : total} />
        ) : (
          <p class="link-detail faint">Click a bar, or press n and p, to follow the chain link by link.</p>
        )}
      </Panel>
      {chosen >= 0 && <Steps t={t} i={chosen} />}
      <MomentPanel />
      <Panel title="Its links" sub="consecutive steps of one process">
        <TableGrid
          table={t}
          label="The links"
          height={360}
          hide={[
            'id',
            'first_step',
            ...KINDS.filter((k) => !t.nums(`${k}_ns`).some((ns) => ns > 0)).map((k) => `${k}_ns`),
          ]}
          first={[linkColumn(t)]}
          last={[lanesColumn(t)]}
          instead={{ process: whoOf(people, t, 'process'), peer: whoOf(people, t, 'peer') }}
        />
      </Panel>
    </>
  );
}

function Critical() {
  const { value, error, loading } = useAnswer(scheduled() ? api('ask/critical', asked()) : null);
  if (!scheduled())
    return (
      <Empty
        title="The chain that led to the end is unknown"
        text="When processes ran was not recorded. Record it with:"
        command="strobe record --trace all -- CMD"
      />
    );
  return (
    <>
      <Busy on={loading} />
      <Title
        sub={`of the whole run, start-up and shutdown included; ${duration(range.value[1] - range.value[0])} in view`}
      >
        The chain that led to the end of the recording
      </Title>
      <Problem error={error} />
      {value && <Path a={value} />}
      <Sums />
    </>
  );
}
