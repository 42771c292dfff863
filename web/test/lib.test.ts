import elixirTest from '../../test/unit/elixir.c?raw';
import { describe, expect, it } from 'vitest';
import { linkOf } from '../src/lib/link';
import { pieces } from '../src/lib/code';
import {
  SPACE,
  cell,
  count,
  duration,
  exactly,
  moment,
  parseRange,
  parseTime,
  percent,
  words,
} from '../src/lib/format';
import { separated } from '../src/lib/csv';
import { headOf } from '../src/lib/heads';
import { score } from '../src/lib/fuzzy';
import { functionName, mfa, sentence, title } from '../src/lib/names';
import { parse, write } from '../src/lib/route';
import { pick, stack } from '../src/lib/rows';
import { MOST, leapt, placed, scrolled } from '../src/lib/scroll';
import { decode } from '../src/lib/table';
import { ticks } from '../src/lib/ticks';
import { around, clamp, pan, tiled, zoom } from '../src/lib/window';
import { thin, numbers, texts, table } from './columns';

describe('format', () => {
  it('gives durations three digits and a unit that fits', () => {
    expect([0, 1, 999, 1000, 12345, 999600, 1.5e9, 119.9e9, 967e9, 2 * 3600e9].map((v) => thin(duration(v)))).toEqual([
      '0 s',
      '1 ns',
      '999 ns',
      '1.00 µs',
      '12.3 µs',
      '1.00 ms',
      '1.50 s',
      '120 s',
      '16 min 7 s',
      '2.00 h',
    ]);
  });
  it('gives moments the digits that distinguish neighbours', () => {
    expect(thin(moment(2e9, 1e9))).toBe('2 s');
    expect(thin(moment(4.005e9, 5e6))).toBe('4.005 s');
    expect(thin(moment(1.5e9, 5e8))).toBe('1.5 s');
    expect(thin(moment(1.5e6, 5e5))).toBe('1500 µs');
  });
  it('never writes 0 for what was not recorded', () => {
    expect(cell(null, 'ns')).toBe('–');
    expect(cell(NaN, 'count')).toBe('–');
    expect(thin(cell(0, 'ns'))).toBe('0 s');
  });
  it('distinguishes little from nothing', () => {
    expect([0, 0.0004, 0.05, 0.5, 1].map((v) => thin(percent(v)))).toEqual(['0 %', '<0.1 %', '5.0 %', '50 %', '100 %']);
  });
  it('formats a number in full, with its unit', () => {
    expect(
      [
        exactly(3810000000, 'ns'),
        exactly(12345, 'id'),
        exactly(1.5, 'none'),
        exactly(0, 'none', '-9007199254740993'),
        exactly(12345, 'ppm'),
      ].map(thin),
    ).toEqual(['3,810,000,000 ns', '12345', '1.5', '-9,007,199,254,740,993', '1.2345 %']);
    expect(count(1e300)).toBe('1.00e+300');
  });
  it('writes a table for other programs', () => {
    const t = table(numbers('n', [1, NaN]), texts('s', ['a,"b"', null]));
    expect(separated(t, ',')).toBe('n,s\r\n1,"a,""b"""\r\n,\r\n');
    expect(separated(t, '\t')).toBe('n\ts\n1\t"a,""b"""\n\t\n');
  });
  it('counts', () => {
    expect(count(1234567)).toBe('1,234,567');
    expect(cell(5337, 'none')).toBe('5,337');
  });
  it('names words, except in a table whose head does', () => {
    expect([0, 1, 9.4, 54000, 3.25e6, 360e6].map((v) => thin(words(v)))).toEqual([
      '0 words',
      '1 word',
      '9 words',
      '54,000 words',
      '3.25 M words',
      '360 M words',
    ]);
    expect(cell(15800, 'words')).toBe('15,800');
    expect(headOf('reclaimed_words', 'words')).toBe('reclaimed words');
    expect(headOf('heap_before', 'words')).toBe('heap before, words');
    expect(headOf('gc_ns', 'ns')).toBe('gc');
  });
  it('parses times as typed', () => {
    expect([
      parseRange('10ms-20ms'),
      parseRange('1.2 s to 1.5s'),
      parseRange('10-20ms'),
      parseRange('5..7'),
      parseRange('20ms-10ms'),
      parseRange('code-server'),
    ]).toEqual([[10e6, 20e6], [1.2e9, 1.5e9], [10e6, 20e6], [5, 7], null, null]);
    expect([parseTime('20ms'), parseTime('1.5 s'), parseTime('7'), parseTime('x')]).toEqual([20e6, 1.5e9, 7, null]);
  });
});

describe('scrolling over more than a browser lays out', () => {
  const [tall, room] = [28e6, 700];
  it('leaves short lists alone', () =>
    expect(scrolled({ top: 0, shift: 0 }, 5000, 1e6, room)).toEqual({ top: 5000, shift: 0 }));
  it('reaches both ends, and the middle from the middle of the bar', () => {
    expect(leapt(0, tall)).toEqual({ top: 0, shift: 0 });
    const last = leapt(MOST - room, tall);
    expect(last.top + last.shift).toBe(tall - room);
    const half = leapt(MOST / 2, tall);
    expect(half.top + half.shift).toBe(tall / 2);
  });
  it('moves as far as the wheel, everywhere', () => {
    for (const top of [0, 500, 99e3, 3e6, MOST - 50e3]) {
      const from = leapt(top, tall);
      const to = scrolled(from, top + 120, tall, room);
      expect(to.top + to.shift - (from.top + from.shift)).toBeCloseTo(120);
    }
  });
  it('gets from one end to the other by small steps, and back', () => {
    for (const step of [2500, -2500]) {
      let at = step > 0 ? leapt(0, tall) : leapt(MOST - room, tall);
      for (let n = 0; n < 13000; n++) {
        const before = at.top + at.shift;
        at = scrolled(at, Math.min(Math.max(at.top + step, 0), MOST - room), tall, room);
        expect(Math.abs(at.top + at.shift - before)).toBeLessThanOrEqual(Math.abs(step) + 1);
      }
      expect(at.top + at.shift).toBeCloseTo(step > 0 ? tall - room : 0);
    }
  });
  it('finds the position of the box for a place in the list', () => {
    for (const at of [0, 99e3, 14e6, tall - 1000])
      expect(placed(at, tall).top + placed(at, tall).shift).toBeCloseTo(at);
  });
});

describe('code', () => {
  const kinds = (line: string, elixir: boolean) =>
    pieces(line, elixir)
      .filter((c) => c.kind)
      .map((c) => `${c.kind} ${c.text}`);
  it('knows Erlang', () =>
    expect(kinds('case foo(X, 16#ff) of \'a b\' -> "%no"; ok -> 1 % yes', false)).toEqual([
      'word case',
      'variable X',
      'number 16#ff',
      'word of',
      "atom 'a b'",
      'text "%no"',
      'number 1',
      'comment % yes',
    ]));
  it('knows Elixir', () =>
    expect(kinds('def go(x), do: Map.get(@all, :a, "#{x}") # all', true)).toEqual([
      'word def',
      'atom do:',
      'atom Map.get',
      'variable @all',
      'atom :a',
      'text "#{x}"',
      'comment # all',
    ]));
  it('loses nothing', () =>
    expect(
      pieces('  f(A) -> [B || B <- A].', false)
        .map((c) => c.text)
        .join(''),
    ).toBe('  f(A) -> [B || B <- A].'));
});

describe('range', () => {
  const run: [number, number] = [0, 1e9];
  it('stays inside the run', () => {
    expect(clamp([-5, 10], [0, 100])).toEqual([0, 100]);
    expect(pan([9e8, 1e9], run, 5)).toEqual([9e8, 1e9]);
    expect(zoom([0, 1e9], run, 10)).toEqual([0, 1e9]);
  });
  it('surrounds a moment, inside the run', () => {
    expect(around(5e8, run, run)).toEqual([475e6, 525e6]);
    expect(around(0, [1e8, 3e8], run)).toEqual([0, 2e8]);
  });
  it('keeps the moment under the pointer where it is', () => {
    const [a, b] = zoom([0, 1e9], run, 0.5, 25e7);
    expect((25e7 - a) / (b - a)).toBeCloseTo(0.25, 6);
  });
  it('never gets narrower than the resolution of the clock', () => {
    let w = run;
    for (let i = 0; i < 200; i++) w = zoom(w, run, 0.5);
    expect(w[1] - w[0]).toBeGreaterThanOrEqual(100);
  });
  it('requests the same tiles for neighbouring ranges', () => {
    const a = tiled([3e8, 4e8], run);
    expect(tiled([3.01e8, 4.01e8], run)).toEqual(a);
    expect((a.to - a.from) / a.pixels).toBe(131072);
    expect(a.from).toBeLessThanOrEqual(3e8 - 131072 * 128);
    expect(a.to).toBeGreaterThan(4e8);
    expect(tiled([0, 1e9], run)).toEqual({ from: 0, to: 1e9, pixels: Math.ceil(1e9 / 1048576), wide: 1048576 });
  });
  it('requests nothing while its tiles cover the range at its zoom', () => {
    const a = tiled([3e8, 4e8], run);
    expect(tiled([a.from, a.from + 1e8], run, a)).toBe(a);
    expect(tiled([3.1e8, 3.9e8], run, a)).toBe(a);
    expect(tiled([3.1e8, 3.5e8], run, a).wide).toBe(a.wide / 2);
    expect(tiled([a.to - 5e7, a.to + 5e7], run, a).to).toBeGreaterThan(a.to);
  });
});

describe('route', () => {
  it('writes what it reads', () => {
    for (const hash of [
      '#/overview',
      '#/process/17?t=1000-5000&p=1,2,3',
      "#/calls?f='Elixir.A':b/2&g=4&order=time",
      '#/schedulers?at=17.1000',
    ])
      expect(parse(write(parse(hash)))).toEqual(parse(hash));
  });
  it('holds the selected moment of a process', () => {
    expect(parse('#/compare?at=17.1000').at).toEqual({ process: 17, from: 1000, to: null });
    expect(write(parse('#/compare?at=17.1000-2000'))).toBe('#/compare?at=17.1000-2000');
    expect([parse('#/compare?at=17').at, parse('#/compare?at=x.5').at]).toEqual([null, null]);
  });
  it('drops malformed parameters', () => {
    const p = parse('#/schedulers?t=9-3&p=1,x,2,-4,1&g=abc');
    expect([p.range, p.ticked, p.group]).toEqual([null, [1, 2], null]);
  });
});

describe('names', () => {
  it('begins a sentence with a capital, but writes names of the program as they are', () => {
    expect(sentence('of 20 processes one had most')).toBe('Of 20 processes one had most.');
    expect(sentence('64 processes waited')).toBe('64 processes waited.');
    expect(sentence('rabbit <0.246.0> made 32 calls')).toBe('rabbit <0.246.0> made 32 calls.');
    expect(sentence('1 of 20 took 78 % of 3 s, 5 shops')).toBe(`1 of 20 took 78${SPACE}% of 3${SPACE}s, 5 shops.`);
  });
  it('parses quoted atoms', () =>
    expect(mfa("'Elixir.A.B':'x:y'/3")).toEqual({ m: "'Elixir.A.B'", f: "'x:y'", a: '3' }));
  it('writes the names of Elixir on request', () => {
    expect(functionName("'Elixir.A.B':run/2", true)).toBe('A.B.run/2');
    expect(functionName('lists:map/2', true)).toBe(':lists.map/2');
    expect(functionName('lists:map/2', false)).toBe('lists:map/2');
    expect(functionName('idle: all wait for m:f/2', true)).toBe('idle: all wait for m:f/2');
    expect(functionName('shop__escript__1796__247__3:main/1', false)).toBe('shop:main/1');
  });
  it('names the function that contains a fun', () => {
    expect(functionName("bottleneck:'-open_till/2-fun-0-'/2", false)).toBe('bottleneck:open_till/2 fun');
    expect(functionName("m:'-f/1-fun-3-'/0", false)).toBe('m:f/1 fun 3');
    expect(functionName("m:'-f/1-lc$^1/1-1-'/0", false)).toBe('m:f/1 list comprehension 1');
    expect(functionName("'Elixir.Shop'", false)).toBe('Shop');
    expect(functionName("prices:'-rebate/2-lc$^0/1-0-'/2", false)).toBe('prices:rebate/2 list comprehension');
  });
  it('writes names of Elixir as the terminal does', () => {
    // the rows of the test of src/why/program/elixir.c: a name, as it is, and where all names are of Elixir
    const text = (c: string) => JSON.parse(c) as string;
    const row = /\{("(?:[^"\\]|\\.)*"), ("(?:[^"\\]|\\.)*"),\s+(NULL|"(?:[^"\\]|\\.)*")\}/g;
    const [table] = elixirTest.split('for (size_t');
    const functions = [...table!.matchAll(row)].filter(([, erlang]) => mfa(text(erlang!)) && !/^"[ ]/.test(erlang!));
    expect(functions.length).toBeGreaterThan(15);
    for (const [, erlang, some, all] of functions) {
      const [name, here, everywhere] = [erlang!, some!, all === 'NULL' ? some! : all!].map(text) as [
        string,
        string,
        string,
      ];
      expect(functionName(name, true)).toBe(everywhere);
      if (here !== name) expect(functionName(name, false)).toBe(here); // Erlang's own are shortened
    }
  });
  it('puts the name before the pid', () => {
    expect(title({ name: 'worker 3', pid: '<0.5.0>' }, false)).toBe('worker 3');
    expect(title({ name: null, pid: '<0.5.0>' }, false)).toBe('<0.5.0>');
  });
});

describe('table', () => {
  it('reads the bytes of the server in place', () => {
    const header = {
      meta: { a: 1 },
      tables: [
        {
          name: 't',
          title: '',
          rows: 2,
          left_out: 0,
          columns: [
            { name: 'n', unit: 'ns', doc: '', at: 0, width: 8 },
            { name: 's', unit: 'none', doc: '', at: 0, width: 4, texts: ['', 'x'] },
            { name: 'b', unit: 'ns', doc: '', at: 0, width: 2, base: -5, shift: 3 },
          ],
        },
      ],
    };
    let json = JSON.stringify(header);
    const base = () => 8 + Math.ceil(json.length / 8) * 8;
    header.tables[0]!.columns[0]!.at = 1000;
    header.tables[0]!.columns[1]!.at = 1016;
    header.tables[0]!.columns[2]!.at = 1032;
    json = JSON.stringify(header);
    const bytes = new ArrayBuffer(1040);
    expect(base()).toBeLessThan(1000);
    new Uint32Array(bytes, 0, 2).set([0x32434253, json.length]);
    new Uint8Array(bytes, 8).set(new TextEncoder().encode(json));
    new Float64Array(bytes, 1000, 2).set([7, NaN]);
    new Uint32Array(bytes, 1016, 2).set([2, 0]);
    new Uint16Array(bytes, 1032, 2).set([3, 0xffff]);
    const t = decode(bytes).tables.t!;
    expect([t.cell(t.column('n'), 0), t.cell(t.column('n'), 1), t.str('s', 0), t.str('s', 1)]).toEqual([
      7,
      null,
      'x',
      null,
    ]);
    expect([t.cell(t.column('b'), 0), t.cell(t.column('b'), 1)]).toEqual([19, null]);
  });
  it('refuses bytes that are no answer', () => expect(() => decode(new ArrayBuffer(16))).toThrow());
  it('picks and stacks rows', () => {
    const t = table(numbers('n', [1, 2, 3]), texts('s', ['a', null, 'b']));
    const both = stack([pick(t, [2, 1]), t]);
    expect(Array.from(both.nums('n'))).toEqual([3, 2, 1, 2, 3]);
    expect([0, 1, 2, 3, 4].map((i) => both.str('s', i))).toEqual(['b', null, 'a', null, 'b']);
  });
});

describe('ticks and finding', () => {
  it('are round', () => expect(ticks(0, 16.7e9, 9).step).toBe(2e9));
  it('are whole where halves make no sense', () => expect(ticks(0, 2.2, 6, true).at).toEqual([0, 1, 2]));
  it('prefers beginnings', () => expect(score('gs', 'gen_server')).toBeGreaterThan(score('gs', 'logging_bus')));
  it('finds no match', () => expect(score('zz', 'gen_server')).toBe(-1));
});

describe('from the report to the page', () => {
  it('finds the view of a command', () => {
    expect(linkOf("strobe report x.sbp processes --process '<0.82.0>'")).toEqual({ view: 'process', id: '<0.82.0>' });
    expect(linkOf('strobe report x.sbp processes --sort runnable')).toEqual({
      view: 'processes',
      id: null,
      own: { sort: 'runnable_ns' },
    });
    expect(linkOf('strobe report x.sbp callers "lists:map/2"')).toEqual({ view: 'calls', id: null, fn: 'lists:map/2' });
    expect(linkOf('strobe report x.sbp loss')).toEqual({ view: 'sql', id: null, own: { q: 'SELECT * FROM loss' } });
    expect(linkOf('strobe report x.sbp processes --sort runnable_low')).toEqual({
      view: 'processes',
      id: null,
      own: { sort: 'runnable_low_ns' },
    });
    expect(linkOf('strobe report /tmp/my profiles/x.sbp processes --sort max_queue')).toEqual({
      view: 'processes',
      id: null,
      own: { sort: 'max_queue' },
    });
    expect(linkOf('strobe report x.sbp activity --since 1ms --until 2ms')).toEqual({
      view: 'overview',
      id: null,
      range: [1e6, 2e6],
    });
    expect(linkOf('strobe report x.sbp nothing')).toBeNull();
    expect(linkOf('rm -rf x')).toBeNull();
  });
});
