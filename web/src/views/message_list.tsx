// Single messages over time, by size or by latency; of all processes, or of one pair.
import { useMemo } from 'preact/hooks';
import type { Box } from '../draw/axis';
import { Histogram } from '../draw/histogram';
import { drawScatter, nearest, type Points } from '../draw/scatter';
import { Stage, type Pen } from '../draw/stage';
import { at, cell, count, counted, duration, words } from '../lib/format';
import { fullTitle } from '../lib/names';
import type { Table } from '../lib/table';
import { api, useAnswer } from '../state/data';
import { elixir, nodeName, rows } from '../state/info';
import { asked, href, own, place, range } from '../state/place';
import { palette } from '../state/theme';
import { select } from '../state/moment';
import { Choice, MomentLink, Panel, Problem } from '../ui/bits';
import { Twin } from '../ui/grid';
import { MomentPanel } from '../ui/moment';
import { full, pairOf, type Level, type NameOf } from './message_names';

const WHAT = [
  ['words', 'Size'],
  ['latency_ns', 'Latency'],
] as const;
const SPREAD: Box = { x: 66, y: 10, w: -80, h: 162 };

/** Latencies: percentiles and a histogram. */
function Latency({ pair, level }: { pair: [number, number] | null; level: Level }) {
  const { value, error } = useAnswer(
    api('latency', { ...(pair ? { level, a: pair[0], b: pair[1] } : {}), ...asked() }),
  );
  if (!value) return <Problem error={error} />;
  const matched = Number(value.meta.matched);
  if (!matched) return <p class="body soft">For no message in view are both ends known.</p>;
  const within = (key: string) => duration(Number(value.meta[key]));
  return (
    <>
      <p class="body soft" style={{ margin: 0, paddingBottom: '6px' }}>
        Half of {counted(matched, 'message')} were received within <b>{within('p50_ns')}</b>
        {' of being sent, 90 % within '}
        <b>{within('p90_ns')}</b>, 99 % within <b>{within('p99_ns')}</b>, and the slowest took <b>{within('max_ns')}</b>
        .
        {Number(value.meta.unmatched) > 0 &&
          ` For ${counted(Number(value.meta.unmatched), 'more message')} only one end is known.`}
      </p>
      <Histogram t={value.tables.bucket!} of="messages" label="How many messages took how long" />
      <Twin table={value.tables.bucket!} label="Latencies" />
    </>
  );
}

/** The name of the sender or the receiver. */
const endOf = (t: Table, side: 'sender' | 'receiver', i: number) =>
  fullTitle(
    {
      name: t.str(`${side}_name`, i),
      pid: [t.str(`${side}_pid`, i), nodeName(t.num(`${side}_node`, i))].filter(Boolean).join(' '),
    },
    elixir.value,
  );

/** A dot for each message; a click selects what its sender did. */
function Dots({ t, what }: { t: Table; what: (typeof WHAT)[number][0] }) {
  const [from, to] = range.value;
  const p = palette.value;
  const text = what === 'words' ? count : duration;
  const points = useMemo((): Points => ({ at: t.nums('sent'), value: t.nums(what) }), [t, what]);
  const draw = useMemo(
    () => (g: Pen, w: number) =>
      drawScatter(g, points, [from, to], { ...SPREAD, w: w + SPREAD.w }, p, [p.accent, p.accent], text),
    [points, from, to, p, text],
  );
  const dotAt = (x: number, y: number, w: number) => nearest(points, [from, to], { ...SPREAD, w: w + SPREAD.w }, x, y);
  const hover = (x: number, y: number, w: number) => {
    const i = dotAt(x, y, w);
    if (i === null) return null;
    return {
      title: `${endOf(t, 'sender', i)} → ${endOf(t, 'receiver', i)}`,
      rows: [
        ['size', words(t.num('words', i))],
        ['sent', at(t.num('sent', i))],
        ['latency', cell(t.cell(t.column('latency_ns'), i), 'ns')],
      ] as [string, string][],
    };
  };
  const click = (x: number, y: number, w: number) => {
    const i = dotAt(x, y, w);
    if (i !== null && !Number.isNaN(t.num('sender', i))) select(t.num('sender', i), t.num('sent', i));
  };
  const time = { left: SPREAD.x, right: 14 };
  return <Stage height={200} label="Messages over time" draw={draw} time={time} hover={hover} click={click} />;
}

/** Single messages over time, by size or by latency. */
export function Singles({ level, name }: { level: Level; name: NameOf }) {
  const pair = pairOf(level);
  const what = WHAT.find(([w]) => w === place.value.own.of)?.[0] ?? 'words';
  const which = what === 'words' ? 'largest' : 'slowest';
  const { value, error } = useAnswer(
    rows('message') > 0
      ? pair
        ? api(`ask/${which}_${level}`, { a: pair[0], b: pair[1], ...asked() })
        : api(`ask/${which}`, asked())
      : null,
  );
  const t = value?.tables.message;
  if (!t) return <Problem error={error} />;
  if (!t.rows && !pair) return null;
  const of =
    t.rows >= 4000 ? `the ${count(t.rows)} ${which} messages in view` : `${counted(t.rows, 'message')} in view`;
  const who = (side: 'sender' | 'receiver') => (i: number) => (
    <a href={href('process', String(t.num(side, i)))}>{endOf(t, side, i)}</a>
  );
  return (
    <Panel
      title={pair ? `${full(name(pair[0]))} → ${full(name(pair[1]))}` : 'Messages over time'}
      sub={`${of}${what === 'words' ? '; sizes in words' : ''}`}
      tools={
        <>
          {pair && (
            <button type="button" class="button quiet" onClick={() => own('pair', '')}>
              All messages
            </button>
          )}
          <Choice label="What of the messages" value={what} of={WHAT} pick={(v) => own('of', v === 'words' ? '' : v)} />
        </>
      }
    >
      {what === 'latency_ns' && <Latency pair={pair} level={level} />}
      <Dots t={t} what={what} />
      <Twin
        table={t}
        label="The messages"
        hide={['sender_node', 'receiver_node', 'sender_pid', 'receiver_pid', 'sender', 'receiver']}
        instead={{
          sent: (i) => <MomentLink process={t.num('sender', i)} at={t.num('sent', i)} />,
          sender_name: who('sender'),
          receiver_name: who('receiver'),
        }}
      />
      <MomentPanel />
    </Panel>
  );
}
