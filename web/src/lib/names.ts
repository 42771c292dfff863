// Names of processes (a registered name first, the pid last) and of functions, as Erlang or Elixir writes them.
import { SPACE, grouped } from './format';

export function atom(text: string): string {
  return text.startsWith("'") && text.endsWith("'") ? text.slice(1, -1) : text;
}

/** Splits "m:f/a", also with quoted atoms; null if it is not a function. */
export function mfa(text: string): { m: string; f: string; a: string } | null {
  const r = /^('(?:[^'\\]|\\.)*'|[^':\s]+):('(?:[^'\\]|\\.)*'|[^'\s]+)\/(\d+)$/.exec(text);
  return r ? { m: r[1]!, f: r[2]!, a: r[3]! } : null;
}

/** Functions that the compiler generates inside a function: "-f/1-fun-0-", "-f/2-lc$^0/1-0-", "-f/2-anonymous-1-". */
function inside(f: string): { of: string; kind: string; number: number } | null {
  const r = /^-(.+\/\d+)-([a-z]+)(?:\$?\^\w+\/\d+)?-(\d+)-$/.exec(f);
  return r ? { of: r[1]!, kind: r[2]!, number: Number(r[3]) } : null;
}
const MADE: Record<string, string> = {
  lc: 'list comprehension',
  lbc: 'list comprehension',
  blc: 'binary comprehension',
  bbc: 'binary comprehension',
  mc: 'map comprehension',
};

const isElixir = (m: string) => m.startsWith("'Elixir.");
/** Whether Elixir writes an atom without quotes. */
const isPlain = (text: string) =>
  /^([a-z_\u0080-\uffff][\w\u0080-\uffff]*[?!]?|\/|\.\.\/\/|[-+*<>=!&|~^@%.{}:\\]+)$/.test(text);
const inQuotes = (text: string) => (isPlain(text) ? text : `"${text}"`);

/** A function as Elixir's stack traces have it; src/why/program/elixir.c writes the same. */
function inElixir(m: string, f: string, a: string): string {
  const module = isElixir(m) ? atom(m).slice(7) : `:${inQuotes(atom(m))}`;
  const written = (name: string, arity: string) =>
    name.startsWith('MACRO-') ? `${module}.${name.slice(6)}/${arity} (macro)` : `${module}.${inQuotes(name)}/${arity}`;
  const made = /^-(.+?)\/(\d+)-(.+)-$/.exec(f);
  if (!made) return written(f, a);
  return `${made[3]!.startsWith('fun-') ? `anonymous fn/${a}` : 'comprehension'} in ${written(made[1]!, made[2]!)}`;
}

/** The expressions of a file outside of modules are compiled into a module of their own. */
function atTopLevel({ m, f, a }: { m: string; f: string; a: string }): string | null {
  if (!/^elixir_compiler_\d+$/.test(m)) return null;
  if (f === "'__FILE__'") return 'top level of a file';
  if (!f.startsWith("'-__FILE__/")) return null;
  return `${f.includes('-fun-') ? `anonymous fn/${a}` : 'comprehension'} at the top level of a file`;
}

/** Returns a readable name of a function, or of a process that has the name of a module; tooltips show that of Erlang.
    Names of Elixir are written as Elixir does, and with `elixir`, in a program of Elixir, all others too. */
export function functionName(text: string | null, elixir: boolean): string {
  if (!text) return 'unknown';
  const parts = mfa(text);
  if (!parts) return isElixir(text) ? atom(text).slice(7) : text;
  parts.m = parts.m.replace(/__escript__[\d_]+$/, '');
  const bare = atom(parts.f);
  const top = atTopLevel(parts);
  if (top) return top;
  if (elixir || isElixir(parts.m)) return inElixir(parts.m, bare, parts.a);
  const made = inside(bare);
  if (!made) return `${parts.m}:${parts.f}/${parts.a}`;
  const known = MADE[made.kind];
  return `${parts.m}:${made.of} ${known ?? 'fun'}${made.number ? ` ${made.number}` : ''}`;
}

export const moduleOf = (text: string | null) => (text ? (mfa(text)?.m ?? '') : '');

export interface Named {
  name: string | null;
  pid: string | null;
}
/** Returns the display name of a process. */
export function title(p: Named, elixir: boolean): string {
  return p.name ? functionName(p.name, elixir) : (p.pid ?? 'unknown process');
}
/** Returns the name of the process for a group of one, else the entry and the number of processes. */
export function groupTitle(p: Named, entry: string | null, processes: number, elixir: boolean): string {
  return processes > 1 ? `${functionName(entry, elixir)} ×${grouped(processes)}` : title(p, elixir);
}
/** Writes text so that no line ends between a number and its unit. */
export const unbroken = (text: string) => text.replace(/(?<=\d) (?=(%|[nµm]?s|min|h|[kMG]?B)(\W|$))/g, SPACE);
/** Writes text as a sentence. A name of the program at its beginning, which a pid follows, stays as it is written. */
export function sentence(text: string): string {
  const named = /^[^\s]+ <\d+\.\d+\.\d+>/.test(text);
  return unbroken(`${named ? text.charAt(0) : text.charAt(0).toUpperCase()}${text.slice(1)}.`);
}
export const fullTitle = (p: Named, elixir: boolean) => {
  const t = title(p, elixir);
  return p.pid && t !== p.pid ? `${t} ${p.pid}` : t;
};

/** Returns a label as part of an address or the name of a file. */
export const slug = (label: string) => label.toLowerCase().replace(/[^a-z0-9]+/g, '-');
