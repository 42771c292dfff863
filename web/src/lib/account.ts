// The account of scheduler time (`strobe report P why`) as the parts of one bar, with shares that add up to 100.0 %.
import type { Table } from './table';

export interface Part {
  part: string; // as in table account
  what: string; // in words
  id: number | null; // the process that everything waited for
  ns: number;
  share: number; // 0..1
  tenths: number; // of a per cent; those of all parts add up to 1000
}

const SMALL = 0.005; // waits below this share are joined by kind
export const JOINED: Record<string, string> = {
  process: 'idle: all wait for other processes',
  outside: 'idle: all wait for timers, ports or other nodes',
};
/** The order of the parts in the bar: what is useful first, then what is in its way, then what is not the program's. */
export const ORDER = [
  'work',
  'gc',
  'tracing',
  'switching',
  'elsewhere',
  'process',
  'outside',
  'preempted',
  'unknown',
  'startup',
  'shutdown',
];

const partOf = (t: Table, i: number): Part => {
  const node = t.str('node', i);
  const id = t.num('id', i);
  return {
    part: t.str('part', i) ?? 'unknown',
    what: `${t.str('what', i) ?? ''}${node ? ` on ${node}` : ''}`,
    id: Number.isNaN(id) ? null : id,
    ns: t.num('ns', i),
    share: t.num('share', i) / 100,
    tenths: 0,
  };
};

/** Rounds shares to tenths of a per cent so that they still add up: the largest remainders are rounded up. */
function round(parts: Part[]) {
  const whole = Math.round(1000 * parts.reduce((sum, p) => sum + p.share, 0));
  for (const p of parts) p.tenths = Math.floor(p.share * 1000);
  const left = whole - parts.reduce((sum, p) => sum + p.tenths, 0);
  const remainder = (p: Part) => p.share * 1000 - Math.floor(p.share * 1000);
  for (const p of [...parts].sort((a, b) => remainder(b) - remainder(a)).slice(0, left)) p.tenths++;
}

/** Returns the parts of the normal schedulers, and beside them the time on dirty ones, and what samples say of work. */
export function accountOf(t: Table): { parts: Part[]; dirty: Part[]; sampled: Part[] } {
  const all = Array.from({ length: t.rows }, (_, i) => partOf(t, i));
  const beside = all.filter((p) => Number.isNaN(p.share));
  const dirty = beside.filter((p) => p.part.startsWith('dirty'));
  const sampled = beside.filter((p) => p.part.startsWith('cpu'));
  const parts: Part[] = [];
  const joined = new Map<string, Part>();
  for (const p of all) {
    if (Number.isNaN(p.share)) continue;
    const old = joined.get(p.part);
    if (p.share >= SMALL || !JOINED[p.part]) parts.push(p);
    else if (old) {
      old.share += p.share;
      old.ns += p.ns;
      Object.assign(old, { what: JOINED[p.part], id: null });
    } else {
      const copy = { ...p };
      joined.set(p.part, copy);
      parts.push(copy);
    }
  }
  parts.sort((a, b) => ORDER.indexOf(a.part) - ORDER.indexOf(b.part) || b.share - a.share);
  round(parts);
  return { parts, dirty, sampled };
}
