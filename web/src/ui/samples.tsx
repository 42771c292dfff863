// Samples of the VM as pictures: run queues, utilisation, memory...
import { useMemo } from 'preact/hooks';
import { scaleX, timeAxis, valueAxis, type Box } from '../draw/axis';
import { Stage, type Pen } from '../draw/stage';
import { bytes, count, moment, percent } from '../lib/format';
import { fullTitle } from '../lib/names';
import type { Table } from '../lib/table';
import { api, useAnswer } from '../state/data';
import { elixir, info, nodeName, rows } from '../state/info';
import { named } from '../state/people';
import { asked, range, inView } from '../state/place';
import { groupColours, palette } from '../state/theme';
import { Keys, Panel } from './bits';
import { Twin } from './grid';

interface Series {
  name: string;
  rows: number[];
}
/** Groups samples: an item is a picture, and each of its keys (by node) a line. Lines that are zero throughout are
    omitted. */
export function seriesOf(t: Table, nodes: Nodes, people = new Map<string, string>()): Map<string, Series[]> {
  const items = new Map<string, Map<string, number[]>>();
  for (let i = 0; i < t.rows; i++) {
    const item = t.str('item', i) ?? '';
    const keys = items.get(item) ?? new Map<string, number[]>();
    items.set(item, keys);
    const node = nodes.get(t.num('node', i));
    const name =
      people.get(`${t.num('node', i)} ${t.str('key', i)}`) ?? keyOf(item, t.str('key', i), node?.schedulers ?? NaN);
    const key = [node?.name, name].filter(Boolean).join(' ') || item;
    const list = keys.get(key);
    if (list) list.push(i);
    else keys.set(key, [i]);
  }
  const anyPositive = (list: number[]) => list.some((i) => t.num('value', i) > 0);
  return new Map(
    [...items].map(([item, keys]) => [
      item,
      [...keys].map(([name, list]) => ({ name, rows: list })).filter((s) => anyPositive(s.rows)),
    ]),
  );
}
export type Nodes = Map<number, { name: string; schedulers: number }>;

/** The title of each item, the format of its values, and the name of a key on a node with so many normal schedulers:
    keys above them are dirty ones. */
const ITEMS: Record<
  string,
  { title: string; text: (v: number) => string; key?: (k: number, schedulers: number) => string; most?: number }
> = {
  run_queue: {
    title: 'Run queues',
    text: count,
    key: (k, n) => (k > n ? (['dirty CPU', 'dirty IO'][k - n - 1] ?? `queue ${k}`) : `queue ${k}`),
  },
  utilisation: {
    title: 'Scheduler utilisation, as the VM counts it',
    text: (v) => percent(v / 1e6),
    key: (k, n) => (k > n ? `dirty CPU ${k - n}` : `scheduler ${k}`),
    most: 1e6,
  },
  process_count: { title: 'Live processes', text: count },
  memory: { title: 'Memory', text: bytes },
  mailbox: { title: 'Mailboxes of busy receivers, in messages', text: count },
  ticks_missed: { title: 'Samples that were not taken, of 100 a second', text: count },
};
function keyOf(item: string, key: string | null, schedulers: number): string {
  const of = ITEMS[item]?.key;
  return key === null ? '' : of && /^\d+$/.test(key) ? of(Number(key), schedulers) : key.replace(/_/g, ' ');
}
const itemOf = (item: string): (typeof ITEMS)[string] => ITEMS[item] ?? { title: item.replace(/_/g, ' '), text: count };

const box = (w: number, h: number): Box => ({ x: 62, y: 10, w: w - 76, h: h - 38 });

function Lines({ t, item, series }: { t: Table; item: string; series: Series[] }) {
  const p = palette.value;
  const [from, to] = range.value;
  const { title, text, most = 0 } = itemOf(item);
  const colours = groupColours();
  const top = useMemo(
    () => most || series.reduce((m, s) => s.rows.reduce((n, i) => Math.max(n, t.num('value', i) || 0), m), 0),
    [t, series, most],
  );
  const draw = useMemo(
    () => (g: Pen, w: number, h: number) => {
      const b = box(w, h);
      const high = valueAxis(g, top, b, p, text, text === count);
      timeAxis(g, [from, to], b, p, b.y + b.h + 13);
      const x = scaleX([from, to], b);
      g.save();
      g.beginPath();
      g.rect(b.x, b.y - 1, b.w, b.h + 2);
      g.clip();
      series.forEach((s, k) => {
        g.strokeStyle = g.fillStyle = colours[k % 10]!;
        g.lineWidth = 1.6;
        g.beginPath();
        s.rows.forEach((i, n) => {
          const y = b.y + b.h - ((t.num('value', i) || 0) / high) * b.h;
          if (n) g.lineTo(x(t.num('at', i)), y);
          else g.moveTo(x(t.num('at', i)), y);
          if (s.rows.length === 1) g.fillRect(x(t.num('at', i)) - 2, y - 2, 4, 4); // one sample makes no line
        });
        g.stroke();
      });
      g.restore();
      g.lineWidth = 1;
    },
    [t, series, from, to, p, top],
  );
  const hover = (x: number, _y: number, w: number) => {
    const b = box(w, 0);
    const at = from + ((x - b.x) / b.w) * (to - from);
    if (at < from || at > to) return null;
    const last = (s: Series) => s.rows.filter((i) => t.num('at', i) <= at).pop();
    return {
      title: `at ${moment(at, (to - from) / 1000)}`,
      rows: series.map((s): [string, string] => [s.name, last(s) === undefined ? '–' : text(t.num('value', last(s)!))]),
    };
  };
  const named = series.length > 1 && series.length < 12;
  return (
    <Panel
      title={title}
      tools={
        named && (
          <div class="legend">
            <Keys of={series.map((s, k) => ({ text: s.name, colour: colours[k % 10]! }))} />
          </div>
        )
      }
    >
      <Stage height={170} label={`${title} over time`} draw={draw} hover={hover} time={{ left: 62, right: 14 }} />
    </Panel>
  );
}

const nodesOf = (t: Table): Nodes =>
  new Map(
    Array.from({ length: t.rows }, (_, i) => [
      t.num('id', i),
      { name: nodeName(t.num('id', i)), schedulers: t.num('schedulers', i) },
    ]),
  );

/** The names of processes whose mailboxes were sampled, by node and pid. */
const peopleOf = (t: Table | undefined, inElixir: boolean) =>
  new Map(
    Array.from({ length: t?.rows ?? 0 }, (_, i) => [
      `${t!.num('node', i)} ${t!.str('key', i)}`,
      fullTitle(named(t!, i), inElixir),
    ]),
  );

/** The pictures of some items; `others`: also those of all items without a row above. */
export function Samples({ items, others = false }: { items: string[]; others?: boolean }) {
  const tables = useAnswer(rows('sample') > 0 ? api('ask/sample', asked()) : null).value?.tables;
  const t = tables?.sample;
  const series = useMemo(
    () =>
      t
        ? seriesOf(t, nodesOf(info.value!.answer.tables.node!), peopleOf(tables.who, elixir.value))
        : new Map<string, Series[]>(),
    [t, elixir.value],
  );
  const shown = [...series].filter(
    ([item, list]) => list.length > 0 && (items.includes(item) || (others && !(item in ITEMS))),
  );
  if (!t || !shown.length) return null;
  return (
    <>
      <div class="columns">
        {shown.map(([item, list]) => (
          <Lines key={item} t={t} item={item} series={list} />
        ))}
      </div>
      <Panel>
        <Twin table={t} as={(all) => inView(all, 'at', (i) => all.num('at', i))} label="The samples" />
      </Panel>
    </>
  );
}
