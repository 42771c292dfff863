import { describe, expect, it } from 'vitest';
import { accountOf } from '../src/lib/account';
import { lanesOf, next, rowOf } from '../src/lib/chain';
import { aroundSpan } from '../src/lib/window';
import { changeOf, commandOf, paramsOf } from '../src/lib/whatif';
import { numbers, table, texts } from './columns';

/** The answer `why` with these rows: part, share in per cent, words, process. */
const why = (rows: [string, number, string, number][]) =>
  table(
    texts(
      'part',
      rows.map((r) => r[0]),
    ),
    numbers(
      'share',
      rows.map((r) => r[1]),
    ),
    texts(
      'what',
      rows.map((r) => r[2]),
    ),
    numbers(
      'id',
      rows.map((r) => r[3]),
    ),
    numbers(
      'ns',
      rows.map((r) => r[1] * 1e6),
    ),
    texts(
      'node',
      rows.map(() => null),
    ),
  );

describe('the account', () => {
  it('rounds its parts so that they add up to 100.0 %', () => {
    const { parts } = accountOf(
      why([
        ['work', 33.333, 'at work', NaN],
        ['gc', 33.333, 'gc', NaN],
        ['unknown', 33.334, 'unknown', NaN],
      ]),
    );
    expect(parts.map((p) => p.tenths)).toEqual([333, 333, 334]);
  });
  it('keeps its order, whatever the order of the rows', () => {
    const { parts } = accountOf(
      why([
        ['shutdown', 60, 'shut down', NaN],
        ['work', 40, 'at work', NaN],
      ]),
    );
    expect(parts.map((p) => p.part)).toEqual(['work', 'shutdown']);
  });
  it('joins small waits, and names a single one', () => {
    const { parts } = accountOf(
      why([
        ['work', 99, 'at work', NaN],
        ['process', 0.4, 'idle: all wait for a', 3],
        ['process', 0.3, 'idle: all wait for b', 4],
        ['outside', 0.3, 'idle: all wait for a port', NaN],
      ]),
    );
    expect(parts.map((p) => [p.what, p.id, p.tenths])).toEqual([
      ['at work', null, 990],
      ['idle: all wait for other processes', null, 7],
      ['idle: all wait for a port', null, 3],
    ]);
  });
  it('shows dirty schedulers beside it', () => {
    const { parts, dirty } = accountOf(
      why([
        ['work', 100, 'at work', NaN],
        ['dirty_cpu', NaN, 'beside', NaN],
      ]),
    );
    expect([parts.length, dirty.length]).toEqual([1, 1]);
  });
});

describe('the critical path', () => {
  const links = table(
    numbers('id', [1, 2, 4, 5]),
    numbers('process', [7, 8, NaN, 7]),
    numbers('start', [0, 100, 300, 400]),
    numbers('dur', [100, 150, 100, 20]),
  );
  it('has a lane for each process, by time, and the last for no process', () => {
    const { ids, others } = lanesOf(links, 10);
    expect([ids, others]).toEqual([[8, 7, NaN], 0]);
    expect(lanesOf(links, 2)).toEqual({ ids: [8], others: 2 });
  });
  it('is followed link by link, across links that were left out', () => {
    const whole: [number, number] = [0, 500];
    expect(next(links, 1, 1, whole)).toBe(1);
    expect(next(links, 2, 1, whole)).toBe(2);
    expect(next(links, 3, 1, whole)).toBe(2);
    expect(next(links, 3, -1, whole)).toBe(1);
    expect(next(links, 5, 1, whole)).toBe(null);
    expect(next(links, 1, -1, whole)).toBe(null);
    expect(next(links, 5, -1, whole)).toBe(2);
  });
  it('begins at the ends of the range', () => {
    expect(next(links, null, 1, [120, 350])).toBe(1);
    expect(next(links, null, -1, [120, 350])).toBe(2);
  });
  it('finds links by id, and a range with room around one', () => {
    expect([rowOf(links, 4), rowOf(links, 3)]).toEqual([2, -1]);
    expect(aroundSpan(10000, 2000)).toEqual([9000, 13000]);
  });
});

describe('what if', () => {
  it('reads a change from the address, within bounds', () => {
    expect(changeOf({ what: '<0.89.0>', faster: '2.5', split: '3' })).toEqual({
      what: '<0.89.0>',
      faster: 2.5,
      split: 3,
    });
    expect(changeOf({ faster: '900', split: '-1' })).toEqual({ what: '', faster: 1, split: 1 });
  });
  it('asks only what changes something', () => {
    expect(paramsOf({ what: '<0.89.0>', faster: 1, split: 1 })).toBe(null);
    expect(paramsOf({ what: '', faster: 2, split: 1 })).toBe(null);
    expect(paramsOf({ what: '<0.89.0>', faster: 2, split: 1 })).toEqual({ faster: '<0.89.0>=2' });
  });
  it('writes the command that answers the same', () => {
    expect(commandOf({ what: '<0.89.0>', faster: 2, split: 4 }, "'my shop.sbp'")).toBe(
      "strobe predict 'my shop.sbp' --faster '<0.89.0>=2' --split '<0.89.0>=4'",
    );
    expect(commandOf({ what: "'Elixir.A':b/1", faster: 2, split: 1 }, 'a.sbp')).toBe(
      "strobe predict a.sbp --faster ''\\''Elixir.A'\\'':b/1=2'",
    );
  });
});
