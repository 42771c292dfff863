// Names of processes (a registered name first, the pid last) and of functions, as Erlang or Elixir writes them.
import { grouped } from './format';

export function atom(text: string): string {
  return text.startsWith("'") && text.endsWith("'") ? text.slice(1, -1) : text;
}

/** Splits "m:f/a", also with quoted atoms; null if it is not a function. */
export function mfa(text: string): { m: string; f: string; a: string } | null {
  const r = /^('(?:[^'\\]|\\.)*'|[^':]+):('(?:[^'\\]|\\.)*'|.+)\/(\d+)$/.exec(text);
  return r ? { m: r[1]!, f: r[2]!, a: r[3]! } : null;
}

const elixirModule = (m: string) => {
  const bare = atom(m);
  return bare.startsWith('Elixir.') ? bare.slice(7) : `:${bare}`;
};

/** Functions that the compiler generates inside a function: "-f/1-fun-0-", "-f/2-lc$^0/1-0-", "-f/2-anonymous-1-". */
function inside(f: string): { of: string; kind: string; number: number } | null {
  const r = /^-(.+\/\d+)-([a-z]+)(?:\$\^\d+\/\d+)?-(\d+)-$/.exec(f);
  return r ? { of: r[1]!, kind: r[2]!, number: Number(r[3]) } : null;
}
const MADE: Record<string, string> = {
  lc: 'list comprehension',
  lbc: 'list comprehension',
  blc: 'binary comprehension',
  bbc: 'binary comprehension',
  mc: 'map comprehension',
};

/** The expressions of a file outside of modules are compiled into a module of their own. */
const TOP_LEVEL = /^elixir_compiler_\d+$/;

/** Returns a readable name; tooltips show the name that Erlang writes. */
export function functionName(text: string | null, elixir: boolean): string {
  if (!text) return 'unknown';
  const parts = mfa(text);
  if (!parts) return text;
  parts.m = parts.m.replace(/__escript__[\d_]+$/, '');
  const bare = atom(parts.f);
  const made = inside(bare);
  const m = elixir ? `${elixirModule(parts.m)}.` : `${parts.m}:`;
  if (made) {
    const known = MADE[made.kind];
    const number = made.number && !known ? ` ${made.number}` : '';
    if (elixir && TOP_LEVEL.test(parts.m)) return `${known ?? 'fn'}${number} at the top level of a file`;
    return `${m}${made.of} ${known ?? (elixir ? 'fn' : 'fun')}${number}`;
  }
  if (elixir && TOP_LEVEL.test(parts.m) && bare === '__FILE__') return 'top level of a file';
  return `${m}${elixir ? bare : parts.f}/${parts.a}`;
}

export const moduleOf = (text: string | null) => (text ? (mfa(text)?.m ?? '') : '');

export interface Named {
  name: string | null;
  label: string | null;
  entry: string | null;
  pid: string | null;
}
/** Returns the display name of a process. */
export function title(p: Named, elixir: boolean): string {
  const named = p.name ?? p.label;
  if (named && mfa(named)) return functionName(named, elixir); // some tables fill the name with the entry
  if (named) return elixir ? atom(named).replace(/^Elixir\./, '') : named;
  return p.entry ? functionName(p.entry, elixir) : (p.pid ?? 'unknown process');
}
/** Returns the name of the process for a group of one, else the entry and the number of processes. */
export function groupTitle(p: Named, processes: number, elixir: boolean): string {
  return processes > 1 ? `${functionName(p.entry, elixir)} ×${grouped(processes)}` : title(p, elixir);
}
/** Writes text as a sentence. A name of the program at its beginning, which a pid follows, stays as it is written. */
export function sentence(text: string): string {
  const named = /^[^\s]+ <\d+\.\d+\.\d+>/.test(text);
  return `${named ? text.charAt(0) : text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
export const fullTitle = (p: Named, elixir: boolean) => {
  const t = title(p, elixir);
  return p.pid && t !== p.pid ? `${t} ${p.pid}` : t;
};

/** Returns a label as part of an address or the name of a file. */
export const slug = (label: string) => label.toLowerCase().replace(/[^a-z0-9]+/g, '-');
