// Syntax colours for Erlang and Elixir: comments, strings, atoms, numbers, variables and keywords.
export type Kind = 'comment' | 'text' | 'atom' | 'number' | 'variable' | 'word' | '';
const WORDS =
  /^(?:after|and|andalso|alias|band|begin|bnot|bor|bsl|bsr|bxor|case|catch|cond|def|defp|defmacro|defmacrop|defmodule|defstruct|div|do|else|end|fn|for|fun|if|import|in|maybe|not|of|or|orelse|quote|receive|rem|require|rescue|try|unless|unquote|use|when|with|xor)$/;
const ERLANG = /(%.*)|("(?:[^"\\]|\\.)*"?)|('(?:[^'\\]|\\.)*'?)|(\b\d[\w#.]*\b|\$\\?.)|(\b[A-Z_]\w*)|(\b[a-z][\w@]*)/g;
const ELIXIR =
  /(#.*)|("(?:[^"\\]|\\.)*"?)|(:\w+[?!]?|:"[^"]*"|\b\w+[?!]?:(?=\s)|\b[A-Z][\w.]*)|(\b\d[\w.]*\b|\?\\?.)|(@\w+)|(\b[a-z_]\w*[?!]?)/g;
const KINDS: Kind[] = ['comment', 'text', 'atom', 'number', 'variable'];

/** Splits a line into tokens; plain text has no kind. */
export function pieces(line: string, elixir: boolean): { kind: Kind; text: string }[] {
  const out: { kind: Kind; text: string }[] = [];
  let at = 0;
  for (const m of line.matchAll(elixir ? ELIXIR : ERLANG)) {
    const which = m.slice(1).findIndex((g) => g !== undefined);
    const kind = KINDS[which] ?? (WORDS.test(m[0]) ? 'word' : '');
    if (!kind) continue;
    if (m.index > at) out.push({ kind: '', text: line.slice(at, m.index) });
    out.push({ kind, text: m[0] });
    at = m.index + m[0].length;
  }
  if (at < line.length) out.push({ kind: '', text: line.slice(at) });
  return out;
}
