// Numbers as people read them. Three significant digits, a unit that fits, a real minus, a narrow space before units.
import type { Unit } from './table';

export const SPACE = '\u202f';

export function three(v: number): string {
  const a = Math.abs(v);
  return a >= 99.95 ? v.toFixed(0) : a >= 9.995 ? v.toFixed(1) : v.toFixed(2);
}

/** Formats a duration: "1.24 s", "780 ns". */
export function duration(ns: number): string {
  const a = Math.abs(ns);
  if (a === 0) return `0${SPACE}s`;
  if (a < 1e3) return `${Math.round(ns)}${SPACE}ns`;
  if (a < 999.5e3) return `${three(ns / 1e3)}${SPACE}µs`;
  if (a < 999.5e6) return `${three(ns / 1e6)}${SPACE}ms`;
  if (a < 120e9) return `${three(ns / 1e9)}${SPACE}s`;
  const s = Math.round(ns / 1e9);
  if (a < 7200e9) return `${Math.trunc(s / 60)}${SPACE}min ${Math.abs(s % 60)}${SPACE}s`;
  return `${three(ns / 3600e9)}${SPACE}h`;
}

/** Formats a value with its bounds: "24 % (between 5 % and 31 %)"; without those that are less than `least` apart. */
export function bounded(text: (v: number) => string, [low, value, high]: number[], least: number): string {
  const [from, to] = [text(low!), text(high!)];
  return from === to || high! - low! < least ? text(value!) : `${text(value!)} (between ${from} and ${to})`;
}

/** Formats a moment on an axis whose ticks are `step` apart, with the digits that distinguish neighbours. */
export function moment(ns: number, step: number): string {
  const [scale, unit] = step >= 1e9 ? [1e9, 's'] : step >= 1e6 ? [1e6, 'ms'] : step >= 1e3 ? [1e3, 'µs'] : [1, 'ns'];
  if (ns >= 1e9 && unit !== 's')
    return `${(ns / 1e9).toFixed(Math.min(9, -Math.floor(Math.log10(step / 1e9) + 1e-9)))}${SPACE}s`;
  const digits = Math.max(0, Math.min(3, -Math.floor(Math.log10(step / scale) + 1e-9)));
  return `${(ns / scale).toFixed(digits)}${SPACE}${unit}`;
}

/** Formats a moment for a tooltip or a cell: seconds with microseconds. */
export function at(ns: number): string {
  return `${(ns / 1e9).toFixed(6)}${SPACE}s`;
}

/** Formats a moment in full: to the nanosecond. */
export const precise = (ns: number) => `${(ns / 1e9).toFixed(9)}${SPACE}s`;

/** Formats "12,345". Intl is avoided, because its first use loads the data of all languages. */
export const grouped = (n: number) => String(n).replace(/\B(?=(\d{3})+$)/g, ',');

export function count(n: number): string {
  if (!Number.isInteger(n)) return three(n);
  return Math.abs(n) >= 1e7 ? scaled(n, '') : grouped(n);
}

/** "1 message", "2,400 messages". */
export const counted = (n: number, one: string) => `${count(n)} ${one}${n === 1 ? '' : 's'}`;

function scaled(n: number, unit: string): string {
  if (Math.abs(n) >= 1e15) return `${n.toPrecision(3)}${unit ? SPACE + unit : ''}`;
  const steps: [number, string][] = [
    [1e12, 'T'],
    [1e9, 'G'],
    [1e6, 'M'],
    [1e3, 'k'],
  ];
  for (const [scale, prefix] of steps)
    if (Math.abs(n) >= scale * 0.9995) return `${three(n / scale)}${SPACE}${prefix}${unit}`;
  return `${three(n).replace(/\.00$/, '')}${unit ? SPACE + unit : ''}`;
}

export const bytes = (n: number) => scaled(n, 'B');
/** Formats a number of words of eight bytes, the VM's unit of heaps and messages. Tables name the unit in the head. */
export function words(n: number): string {
  const text = Math.abs(n) < 1e5 ? count(Math.round(n)) : scaled(n, '');
  return `${text}${SPACE}${text === '1' ? 'word' : 'words'}`;
}
/** Returns the format of a call tree's sums: time, or sampled stacks. */
export const amountOf = (sampled: boolean) => (v: number) => (sampled ? `${count(v)} samples` : duration(v));
export function percent(share: number): string {
  const p = share * 100;
  if (p === 0) return `0${SPACE}%`;
  if (Math.abs(p) < 0.1) return `<0.1${SPACE}%`;
  return `${Math.abs(p) < 9.95 ? p.toFixed(1) : p.toFixed(0)}${SPACE}%`;
}

const BY_UNIT: Record<Unit, (n: number) => string> = {
  ns: duration,
  at_ns: at,
  words: (n) => count(Math.round(n)),
  bytes,
  count,
  id: String,
  ppm: (n) => percent(n / 1e6),
  none: (n) => (Number.isInteger(n) ? (Math.abs(n) >= 1e3 ? count(n) : String(n)) : three(n)),
};
/** Formats a cell of a table; NULL is a dash. */
export function cell(v: number | string | null, unit: Unit): string {
  if (v === null || Number.isNaN(v)) return '–';
  return typeof v === 'string' ? v : BY_UNIT[unit](v);
}

const UNITS: Partial<Record<Unit, string>> = { ns: 'ns', at_ns: 'ns', words: 'words', bytes: 'bytes' };
/** Formats a number in full with its unit, for the tooltip of a cell that rounds it. `digits`: all digits where a
    float rounds. */
export function exactly(v: number, unit: Unit, digits = String(v)): string {
  if (unit === 'ppm') return `${v / 1e4}${SPACE}%`;
  const text = unit === 'id' ? digits : digits.replace(/^-?\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ','));
  return UNITS[unit] ? `${text}${SPACE}${UNITS[unit]}` : text;
}

/** Parses a time as typed, such as "10ms", "1.5s", "200us" or "7", to nanoseconds; null if it is none. */
export function parseTime(text: string): number | null {
  const m = /^\s*([0-9]+(?:\.[0-9]+)?)\s*(ns|us|µs|ms|s|m|h)?\s*$/.exec(text);
  if (!m) return null;
  const unit: Record<string, number> = { ns: 1, us: 1e3, µs: 1e3, ms: 1e6, s: 1e9, m: 60e9, h: 3600e9 };
  return Math.round(Number(m[1]) * (unit[m[2] ?? 'ns'] ?? 1));
}

/** Parses a range such as "10ms-20ms", "1.2s to 1.5s" or "10-20ms" (one unit for both); null if it is none. */
export function parseRange(text: string): [number, number] | null {
  const m = /^\s*([\d.]+)\s*([a-zµ]*)\s*(?:-|–|\.\.|to)\s*([\d.]+\s*([a-zµ]*))\s*$/.exec(text);
  if (!m) return null;
  const [from, to] = [parseTime(m[1]! + (m[2] || m[4] || '')), parseTime(m[3]!)];
  return from !== null && to !== null && from < to ? [from, to] : null;
}
