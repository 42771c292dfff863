import { describe, expect, it } from 'vitest';
import { binned } from '../src/draw/area';
import { cellsOf, coloursBy, drawLane, shareOf, summed } from '../src/draw/cells';
import { forest, strongest } from '../src/draw/graph/arrange';
import { Raster, pixel } from '../src/draw/raster';
import { boxAt, focused, focusOf, found, layout, frameName } from '../src/draw/flame';
import { boxOver, stackOfCalls, stackOfSamples } from '../src/draw/stacks';
import { duration } from '../src/lib/format';
import { barsOf, placeOf, timeAt } from '../src/draw/bars';
import { headOf } from '../src/draw/arrow';
import { arrowsAt } from '../src/draw/over';
import { course, nearestEdge } from '../src/draw/graph/edges';
import { miniMap, onMap } from '../src/draw/graph/minimap';
import type { Table } from '../src/lib/table';
import { numbers, texts, table } from './columns';

describe('graphs', () => {
  const node = (id: string, weight = 0) => ({ id, lines: [id, ''], colour: '', weight });
  const edge = (from: string, to: string, weight = 1) => ({ from, to, text: '', weight });
  it('lays a forest out without overlaps, small subtrees first', () => {
    const nodes = ['r', 'big', 'leaf', 'x', 'y'].map((id) => node(id));
    const g = forest(nodes, [edge('r', 'big'), edge('r', 'leaf'), edge('big', 'x'), edge('big', 'y')]);
    expect(g.node('leaf').y).toBe(g.node('r').y);
    expect(g.node('big').y).toBeGreaterThan(g.node('leaf').y);
    const places = nodes.map((n) => g.node(n.id));
    for (const a of places)
      for (const b of places)
        if (a !== b) expect(Math.abs(a.x - b.x) >= a.width || Math.abs(a.y - b.y) >= a.height).toBe(true);
  });
  it('puts each of many beside its strongest partner, and all of them somewhere', () => {
    const nodes = [node('hub', 1), ...Array.from({ length: 299 }, (_, i) => node(`n${i}`))];
    const edges = nodes.slice(1).flatMap((n, i) => [edge('hub', n.id, 0.9), edge(n.id, `n${(i + 7) % 299}`, 0.1)]);
    const tree = strongest(nodes, edges);
    expect(tree.length).toBe(299);
    expect(tree.every((e) => e.from === 'hub')).toBe(true);
    const g = forest(nodes, tree, 4);
    expect(g.height).toBeLessThan(4000);
    expect(g.width).toBeLessThan(1200);
  });
  it('has a map where a part is in view, which leads to any of its points', () => {
    const g = forest([node('a'), node('b')], [edge('a', 'b')]);
    const room = { wide: 1000, tall: 300 };
    expect(miniMap(g, { k: 1, dx: 0, dy: 0 }, room)).toBeNull();
    const map = miniMap(g, { k: 3, dx: 0, dy: 0 }, room)!;
    const b = g.node('b');
    expect(onMap(g, map, map.k * b.x + map.dx, map.k * b.y + map.dy)!.x).toBeCloseTo(b.x);
    expect(map.k * g.width + map.dx).toBeLessThan(room.wide);
    expect(onMap(g, map, 10, 10)).toBeNull();
    expect(onMap(g, null, 900, 290)).toBeNull();
  });
});

describe('edges', () => {
  const node = (id: string) => ({ id, lines: [id], colour: '', weight: 0 });
  const [up, down] = [
    { from: 'a', to: 'b', text: '', weight: 1 },
    { from: 'a', to: 'c', text: '', weight: 1 },
  ];
  const g = forest(['a', 'b', 'c'].map(node), [up, down]);
  const courses = new Map([up, down].map((e) => [e, course(e, g, true)]));
  it('end at their boxes, with the arrow along the last piece', () => {
    const to = g.node('c');
    const [tip, left, right] = headOf(courses.get(down)!, 6);
    expect(tip).toEqual({ x: to.x - to.width / 2, y: to.y });
    expect(left.x).toBeLessThan(tip.x);
    expect((left.y + right.y) / 2).toBeCloseTo(tip.y);
  });
  it('enter boxes from above where the layout is from top to bottom', () => {
    const below = (id: string) => ({ x: 50, y: id === 'a' ? 20 : 120, width: 80, height: 30 });
    const points = course(up, { ...g, down: true, node: below, path: () => [] }, false);
    expect(points[0]).toEqual({ x: 50, y: 35 });
    const [tip, left] = headOf(points, 6);
    expect(tip).toEqual({ x: 50, y: 105 });
    expect(left.y).toBeLessThan(tip.y);
  });
  it('are found near their course, and not far from it', () => {
    const at = courses.get(down)![2]!;
    expect(nearestEdge(courses, { x: at.x, y: at.y + 2 }, 7)).toBe(down);
    expect(nearestEdge(courses, { x: at.x, y: at.y + 200 }, 7)).toBe(null);
  });
  it('pass above the boxes that stand before theirs in a row', () => {
    const leaves = Array.from({ length: 8 }, (_, i) => node(`n${i}`));
    const edges = leaves.map((n) => ({ from: 'hub', to: n.id, text: '', weight: 1 }));
    const wide = forest([node('hub'), ...leaves], edges, 2);
    const behind = edges.find((e) => wide.path(e).length === 5)!;
    const crossed = leaves
      .map((n) => wide.node(n.id))
      .filter((b) =>
        wide.path(behind).some((p) => Math.abs(p.x - b.x) < b.width / 2 && Math.abs(p.y - b.y) < b.height / 2),
      );
    expect(crossed).toEqual([]);
  });
});

describe('many added up', () => {
  it('sums the states of lanes over time, a collection once', () => {
    const t = table(
      numbers('lane', [1, 1, 2]),
      numbers('start', [0, 5, 10]),
      numbers('end', [10, 8, 20]),
      numbers('state', [0, 1, 0]),
      numbers('shares', [NaN, NaN, 125 + 63 * 2 ** 24]),
    );
    const s = summed(t, [0, 20], 2);
    expect([...s.nums('running_ns')]).toEqual([7, 5]);
    expect([...s.nums('gc_ns')]).toEqual([3, 0]);
    expect([...s.nums('runnable_ns')]).toEqual([0, 2.52]);
  });
  it('never shows sixty seconds beside minutes', () => expect(duration(299.9e9)).toBe('5\u202fmin 0\u202fs'));
});

describe('pixels', () => {
  it('stay inside, and distinguish full, partial and empty', () => {
    const r = new Raster();
    r.start(4, 10, pixel('#ffffff'));
    const cells = cellsOf(
      table(
        numbers('lane', [1, 1]),
        numbers('start', [0, 20]),
        numbers('end', [10, 40]),
        numbers('state', [0, 0]),
        numbers('shares', [1, NaN]),
      ),
      new Uint32Array(2).fill(pixel('#00ff00')),
    );
    const packed = 250 + 125 * 2 ** 8 + 7 * 2 ** 16 + 9 * 2 ** 24 + 3 * 2 ** 32 + 200 * 2 ** 40;
    expect([
      ...cellsOf(
        table(
          numbers('lane', [1]),
          numbers('start', [0]),
          numbers('end', [9]),
          numbers('state', [0]),
          numbers('shares', [packed]),
        ),
        new Uint32Array(1),
      ).parts,
    ]).toEqual([250, 125, 7, 9, 3, 200]);
    expect(shareOf(packed, 1)).toBe(0.5);
    expect(shareOf(packed, 5)).toBe(0.8);
    drawLane(r, cells, 1, [0, 40], { x: 0, y: 0, w: 4, h: 10, least: 2 }, new Uint32Array(7), false);
    const column = (x: number) =>
      Array.from({ length: 10 }, (_, y) => (r.at(x, y) === pixel('#00ff00') ? 1 : 0)).join('');
    expect([0, 1, 2, 3].map(column)).toEqual(['0000000011', '0000000000', '1111111111', '1111111111']);
  });
});

describe('colours of rows', () => {
  it('are computed once for each value, and once for none', () => {
    const asked: number[] = [];
    const of = coloursBy([3, NaN, 0, 3, NaN], (v) => {
      asked.push(v);
      return Number.isNaN(v) ? '#111111' : v === 3 ? '#333333' : '#000000';
    });
    expect([...of]).toEqual(['#333333', '#111111', '#000000', '#333333', '#111111'].map(pixel));
    expect(asked).toEqual([3, NaN, 0]);
  });
});

describe('flame graph', () => {
  const t = table(
    numbers('id', [1, 2, 3, 4]),
    numbers('parent', [0, 1, 1, 3]),
    numbers('acc', [100, 30, 60, 50]),
    numbers('own', [10, 30, 10, 50]),
    numbers('first', [0, 5, 1, 2]),
    numbers('more', [0, 0, 0, 0]),
    texts('mfa', ['m:a/0', 'm:b/0', 'm:c/0', 'suspend']),
  );
  it('puts the heavy child first, or the early one', () => {
    const f = layout(t, 'heavy');
    expect([f.boxes, f.deepest, f.total]).toEqual([4, 2, 100]);
    expect(t.num('id', f.row[boxAt(f, 0.1, 1)!]!)).toBe(3);
    const late = table(
      numbers('id', [1, 2, 3]),
      numbers('parent', [0, 1, 1]),
      numbers('acc', [100, 60, 30]),
      numbers('own', [10, 60, 30]),
      numbers('first', [0, 9, 1]),
      numbers('more', [0, 0, 0]),
      texts('mfa', ['m:a/0', 'm:b/0', 'm:c/0']),
    );
    const g = layout(late, 'time');
    expect(late.num('id', g.row[boxAt(g, 0.1, 1)!]!)).toBe(3);
  });
  it('finds the frame that the address names, and none in another tree', () => {
    expect(focusOf(t, 2)).toBe('3.m:c/0');
    expect(focused(t, '3.m:c/0')).toBe(3);
    expect(focused(t, '3.m:x/0')).toBe(0);
    expect(focused(t, '9.m:c/0')).toBe(0);
    expect(focused(t, '')).toBe(0);
  });
  it('counts the time of matching frames once, though one is inside another', () => {
    expect(found(t, 'M:A', t.nums('acc'))).toEqual({ frames: 1, outer: [0], value: 100, total: 100, narrow: false });
    expect(found(t, 'm:', t.nums('acc'))).toEqual({ frames: 3, outer: [0], value: 100, total: 100, narrow: false });
    expect(found(t, 'spend', t.nums('acc'))).toEqual({ frames: 1, outer: [3], value: 50, total: 100, narrow: false });
    expect(found(t, '', t.nums('acc')).frames).toBe(0);
  });
  it('puts what stands for narrow callees last, and says how many they are', () => {
    const call = table(
      numbers('id', [1, 2, 9]),
      numbers('parent', [0, 1, 1]),
      numbers('acc', [100, 30, 60]),
      numbers('first', [0, 5, 1]),
      numbers('more', [0, 0, 12]),
      texts('mfa', ['m:a/0', 'm:b/0', null]),
    );
    const f = layout(call, 'heavy');
    expect(call.num('id', f.row[boxAt(f, 0.8, 1)!]!)).toBe(9);
    const answer = { meta: { least_acc: 8, least_run: 3, sampled: true }, tables: { call } };
    expect([frameName(answer, 2, true, false), frameName(answer, 1, true, false)]).toEqual([
      '12 more, each below 8 samples',
      'm:b/0',
    ]);
  });
});

describe('stacks over time', () => {
  const rows = (t: Table) =>
    Array.from({ length: t.rows }, (_, i) =>
      [t.str('function', i), ...['start', 'dur', 'depth', 'count', 'share'].map((c) => t.num(c, i))].join(' '),
    );
  it('puts exact calls inside each other, and gives each function with joined ones a row below', () => {
    const call = table(
      texts('mfa', ['m:a/0', 'm:b/0', 'm:j/0', 'm:c/0', 'm:k/0', 'm:j/0', 'm:d/0']),
      numbers('start', [0, 10, 10, 30, 30, 60, 100]),
      numbers('dur', [100, 20, 40, 20, 10, 20, 5]),
      numbers('count', [1, 1, 8, 1, 2, 2, 1]),
      numbers('busy_ns', [100, 20, 10, 20, 9, 5, 5]),
    );
    expect(rows(stackOfCalls(call, 7))).toEqual([
      'm:a/0 0 100 0 1 1000000',
      'm:b/0 10 20 1 1 1000000',
      'm:c/0 30 20 1 1 1000000',
      'm:d/0 100 5 0 1 1000000',
      'm:j/0 10 40 2 8 250000',
      'm:j/0 60 20 2 2 250000',
      'm:k/0 30 10 3 2 900000',
    ]);
  });
  it('joins equal frames of near samples of a process, and leaves a lone sample a moment', () => {
    const frame = table(
      numbers('id', [1, 2, 3]),
      numbers('caller', [0, 1, 1]),
      texts('function', ['m:a/0', 'm:b/0', 'm:c/0']),
    );
    const sample = table(
      numbers('at', [0, 10, 20, 100, 110, 120]),
      numbers('stack', [2, 2, 3, 2, 2, NaN]),
      numbers('process', [7, 7, 7, 7, 8, 8]),
    );
    const boxes = stackOfSamples(sample, frame, 20);
    expect(rows(boxes)).toEqual([
      'm:a/0 0 20 0 3 1000000',
      'm:b/0 0 10 1 2 1000000',
      'm:c/0 20 0 1 1 1000000',
      'm:a/0 100 0 0 1 1000000',
      'm:b/0 100 0 1 1 1000000',
      'm:a/0 110 0 0 1 1000000',
      'm:b/0 110 0 1 1 1000000',
      ' 120 0 0 1 1000000',
    ]);
    expect([boxOver(boxes, 1, 22, 3), boxOver(boxes, 1, 60, 3), boxOver(boxes, 0, 5, 0)]).toEqual([2, null, 0]);
  });
});

describe('histogram', () => {
  it('puts each bucket into one bar, and times where their bar is', () => {
    const low = [32, 33, 47, 48, 64, 100, 1 << 20];
    const t = table(numbers('low_ns', low), numbers('count', [1, 2, 3, 4, 5, 6, 7]));
    const bars = barsOf(t);
    expect(bars.parts).toBe(4);
    expect(bars.counts.reduce((sum, n) => sum + n)).toBe(28);
    expect(bars.counts.slice(0, 8)).toEqual([3, 3, 4, 0, 5, 0, 6, 0]);
    for (const ns of low) expect(timeAt(placeOf(ns, bars.parts), bars.parts)).toBeCloseTo(ns);
    expect([placeOf(0, 2), placeOf(1, 2), placeOf(3, 2)]).toEqual([0, 0, 3]);
  });
});

describe('activity', () => {
  it('sums neighbours when there are more buckets than pixels', () => {
    const n = Array.from({ length: 64 }, (_, i) => i);
    const t = table(
      numbers(
        'start',
        n.map((i) => i * 8),
      ),
      numbers(
        'dur',
        n.map(() => 8),
      ),
      numbers(
        'running_ns',
        n.map(() => 4),
      ),
      numbers('peak_running', n),
    );
    const b = binned(t, [0, 512], 16);
    expect([b.rows, b.num('dur', 0), b.num('running_ns', 3), b.num('peak_running', 15)]).toEqual([16, 32, 16, 63]);
    expect(binned(t, [0, 512], 64)).toBe(t);
  });
});

describe('arrows of what is selected', () => {
  const t = table(
    texts('relation', ['it', 'woken_by', 'received', 'sent', 'woke', 'after']),
    numbers('id', [1, 2, 3, 4, 5, 1]),
    numbers('at', [100, 90, 110, 120, 130, 200]),
    numbers('dur', [100, 10, 60, 30, 20, 5]),
    numbers('other_at', [NaN, 90, 50, 150, 150, NaN]),
    numbers('scheduler', [7, NaN, NaN, NaN, NaN, NaN]),
    numbers('other_scheduler', [NaN, 8, 7, 8, 9, NaN]),
  );
  const spots = (of: 'process' | 'scheduler') =>
    arrowsAt(t, of).map((a) => `${a.from}@${a.fromAt} ${a.to}@${a.toAt}${a.woke ? ' woke' : ''}`);
  it('lead from the waker and the senders to it, and from it to receivers and whom it woke', () => {
    expect(spots('process')).toEqual(['2@90 1@100 woke', '3@50 1@110', '1@120 4@150', '1@130 5@150 woke']);
    expect(spots('scheduler')[0]).toBe('8@90 7@100 woke');
  });
});
