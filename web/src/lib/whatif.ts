// A change to the program, as the address and the question write it.
import { quoted } from './shell';

export interface Change {
  what: string; // a pid
  faster: number;
  split: number;
}
export const MOST = 8;

const factor = (text: string | undefined) => {
  const n = Number(text);
  return n >= 1 && n <= MOST ? n : 1;
};
export const changeOf = (own: Record<string, string>): Change => ({
  what: own.what ?? '',
  faster: factor(own.faster),
  split: Math.round(factor(own.split)),
});
/** Returns the parameters of a question about a change; null: it changes nothing. */
export function paramsOf(c: Change): Record<string, string> | null {
  if (!c.what || (c.faster === 1 && c.split === 1)) return null;
  return {
    ...(c.faster > 1 ? { faster: `${c.what}=${c.faster}` } : {}),
    ...(c.split > 1 ? { split: `${c.what}=${c.split}` } : {}),
  };
}
/** Returns the command that answers the same; `profile` is a word of a command line. */
export const commandOf = (c: Change, profile: string): string =>
  [`strobe predict ${profile}`, ...Object.entries(paramsOf(c) ?? {}).map(([k, v]) => `--${k} ${quoted(v)}`)].join(' ');
