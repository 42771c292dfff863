// The flame graph of one run, coloured by what part of all each frame has more or less in the other.
import { useMemo } from 'preact/hooks';
import { FONT, fit } from '../../draw/axis';
import { boxAt, focused, frameName, layout, type Flame } from '../../draw/flame';
import { Frames } from '../../draw/frames';
import type { Pen } from '../../draw/stage';
import { amountOf, percent } from '../../lib/format';
import { numberColumn, textColumn } from '../../lib/rows';
import { Table, type Answer } from '../../lib/table';
import { api, useAnswer } from '../../state/data';
import { elixir } from '../../state/info';
import { own, place } from '../../state/place';
import { palette, type Palette } from '../../state/theme';
import type { TipContent } from '../../state/tip';
import { Busy, Choice, Keys, Panel, Problem, SOURCES } from '../../ui/bits';
import { Twin } from '../../ui/grid';
import { difference, shareOf, sharesIn, values, type Share } from './paths';
import { signed } from './tables';

const ROW = 20;
const NARROWEST = 0.4; // pixels
const ROOM_FOR_NAME = 26;
const TALLEST = 900;
const DEEPEST = 0.6; // how much of the largest difference's colour covers the ground
const SIDES = [
  ['', 'Widths of B'],
  ['a', 'Widths of A'],
] as const;

interface Two {
  answer: Answer; // whose widths are shown
  theirs: Share[]; // by row, in the other run
  differences: number[]; // by row, from A to B
  most: number; // the largest
  isB: boolean;
}

/** `shown`, `other`: of the run whose widths are shown, and of the other one. */
function two(shown: Answer, other: Answer, isB: boolean): Two {
  const theirs = sharesIn(shown, other);
  const isFrame = (i: number) => !shown.tables.call!.num('more', i);
  const differences = theirs.map((s, i) => (isFrame(i) ? difference(shareOf(shown, i), s, isB) : 0));
  return { answer: shown, theirs, differences, most: Math.max(...differences.map(Math.abs), 1e-9), isB };
}

function drawFrames(g: Pen, w: number, flame: Flame, of: Two, p: Palette) {
  g.font = FONT;
  g.textBaseline = 'middle';
  g.textAlign = 'left';
  for (let n = 0; n < flame.boxes; n++) {
    const width = flame.width[n]! * w;
    if (width < NARROWEST) continue;
    const row = flame.row[n]!;
    const [x, y] = [flame.left[n]! * w, flame.depth[n]! * ROW + 3];
    const part = of.differences[row]! / of.most;
    g.fillStyle = p.wait;
    g.fillRect(x, y, Math.max(0.6, width - 0.8), ROW - 1.5);
    g.fillStyle = part > 0 ? p.bad : p.accent;
    g.globalAlpha = DEEPEST * Math.sqrt(Math.abs(part));
    g.fillRect(x, y, Math.max(0.6, width - 0.8), ROW - 1.5);
    g.globalAlpha = 1;
    if (width < ROOM_FOR_NAME) continue;
    g.fillStyle = p.ink;
    g.fillText(fit(g, frameName(of.answer, row, false, elixir.value), width - 9), x + 4, y + ROW / 2 - 0.5);
  }
}

/** The shares of a row in A and B as texts. */
function shares(of: Two, row: number): [string, string] {
  const { share, below } = of.theirs[row]!;
  const mine = percent(shareOf(of.answer, row));
  const theirs = `${below ? 'below ' : ''}${percent(share)}`;
  return of.isB ? [theirs, mine] : [mine, theirs];
}

const tipOf = (of: Two, row: number): TipContent => {
  const [a, b] = shares(of, row);
  const amount = amountOf(Boolean(of.answer.meta.sampled));
  const least = of.theirs[row]!.below ? 'at least ' : '';
  return {
    title: frameName(of.answer, row, false, elixir.value),
    rows: of.answer.tables.call!.num('more', row)
      ? []
      : [
          ['share of A', a],
          ['share of B', b],
          ['difference', `${least}${signed(of.differences[row]!, percent)}`],
          [`in ${of.isB ? 'B' : 'A'}`, amount(values(of.answer)[row]!)],
        ],
    note: 'Click to zoom',
  };
};

/** The frames as a table; what is too narrow for an answer has no share there. */
function tableOf(of: Two): Table {
  const t = of.answer.tables.call!;
  const rows = Array.from({ length: t.rows }, (_, i) => i)
    .filter((i) => !t.num('more', i))
    .sort((i, k) => Math.abs(of.differences[k]!) - Math.abs(of.differences[i]!) || i - k);
  const ppm = (share: number) => 1e6 * share;
  const mine = rows.map((i) => ppm(shareOf(of.answer, i)));
  const theirs = rows.map((i) => (of.theirs[i]!.below ? NaN : ppm(of.theirs[i]!.share)));
  const [a, b] = of.isB ? [theirs, mine] : [mine, theirs];
  const parent = new Map(Array.from(t.nums('id'), (id, i) => [id, t.str('mfa', i)]));
  return new Table('frames', 'Frames', rows.length, 0, [
    textColumn(
      'function',
      rows.map((i) => t.str('mfa', i)),
    ),
    textColumn(
      'caller',
      rows.map((i) => parent.get(t.num('parent', i)) ?? null),
    ),
    numberColumn('share_of_a', 'ppm', a),
    numberColumn('share_of_b', 'ppm', b),
    numberColumn(
      'difference',
      'ppm',
      a.map((v, i) => b[i]! - v),
    ),
  ]);
}

function Picture({ of }: { of: Two }) {
  const t = of.answer.tables.call!;
  const root = focused(t, place.value.own.frame ?? '');
  const flame = useMemo(() => layout(t, 'heavy', root, values(of.answer)), [of, root]);
  const p = palette.value;
  const height = Math.max(40, Math.min(TALLEST, (flame.deepest + 1) * ROW + 6));
  const draw = useMemo(() => (g: Pen, w: number) => drawFrames(g, w, flame, of, p), [flame, of, p, elixir.value]);
  const rowAt = (x: number, y: number, w: number) => {
    const n = boxAt(flame, x / w, Math.floor((y - 3) / ROW));
    return n === null ? null : flame.row[n]!;
  };
  const label = 'Calls by the difference of their shares';
  return <Frames focus="frame" tip={(row) => tipOf(of, row)} {...{ t, root, height, label, draw, rowAt }} />;
}

/** `sources`: which of recorded calls and samples of the CPU there are. */
export function Calls({ other, sources }: { other: number; sources: { recorded: boolean; cpu: boolean } }) {
  const cpu = sources.cpu && (place.value.own.source === 'cpu' || !sources.recorded);
  const how = { of: cpu ? 'cpu' : null, n: 2800 };
  const a = useAnswer(api('calls', how));
  const b = useAnswer(api('calls', { ...how, profile: other, edition: null }));
  const isB = place.value.own.widths !== 'a';
  const of = useMemo(
    () => (a.value && b.value ? (isB ? two(b.value, a.value, true) : two(a.value, b.value, false)) : null),
    [a.value, b.value, isB],
  );
  const frames = useMemo(() => of && tableOf(of), [of]);
  const p = palette.value;
  return (
    <Panel
      title="Calls"
      sub={cpu ? 'by samples of the CPU' : 'by time without waiting'}
      tools={
        <>
          {sources.recorded && sources.cpu && (
            <Choice label="Source" value={cpu ? 'cpu' : ''} of={SOURCES} pick={(v) => own('source', v)} />
          )}
          <Choice label="Widths" value={isB ? '' : 'a'} of={SIDES} pick={(v) => own('widths', v)} />
        </>
      }
    >
      <Busy on={a.loading || b.loading} />
      <Problem error={a.error ?? b.error} />
      {of && frames && (
        <>
          <div class="body legend">
            <Keys
              of={[
                { text: `more of all in B, up to ${percent(Math.max(0, ...of.differences))}`, colour: p.bad },
                { text: `less, up to ${percent(Math.max(0, ...of.differences.map((d) => -d)))}`, colour: p.accent },
                { text: 'the same', colour: p.wait },
              ]}
            />
          </div>
          <Picture of={of} />
          <Twin table={frames} label="The frames of both" />
        </>
      )}
    </Panel>
  );
}
