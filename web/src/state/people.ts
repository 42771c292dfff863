// Names of processes. Pictures of a hundred thousand cells are sent without names; a name is fetched when the pointer
// needs it.
import { signal } from '@preact/signals';
import { fullTitle, title, type Named } from '../lib/names';
import type { Table } from '../lib/table';
import { api, ask } from './data';
import { question } from './edition';
import { elixir, nodeName } from './info';

/** The columns that identify a process: a table that shows its name hides them. */
export const WHO = ['node', 'pid', 'who'];
/** The columns of a process in an answer of `strobe report`, which has its name as one text. */
export interface Columns {
  who: string;
  pid: string;
  node: string;
}
export const PROCESS: Columns = { who: 'process', pid: 'pid', node: 'node' };
/** Returns the process in row `i` of a table with its pid and name, and its node if there are several. A name that is
    its pid adds nothing. */
export function named(
  t: Table,
  i: number,
  { who, pid, node }: Columns = { who: 'who', pid: 'pid', node: 'node' },
): Named {
  const get = (c: string) => (t.has(c) ? t.str(c, i) : null);
  const on = t.has(node) ? nodeName(t.num(node, i)) : '';
  const [name, bare] = [get(who), get(pid)];
  return { pid: on && bare ? `${bare} ${on}` : bare, name: bare && name?.startsWith(bare) ? null : name };
}

const NOBODY: Named = { pid: null, name: null };
/** The processes of an answer, by id. */
export class People {
  private readonly row = new Map<number, number>();
  constructor(private readonly t: Table | undefined) {
    if (t) for (let i = 0; i < t.rows; i++) this.row.set(t.num('id', i), i);
  }
  named(id: number): Named {
    const i = this.row.get(id);
    return i === undefined ? NOBODY : named(this.t!, i);
  }
  title(id: number): string {
    return Number.isNaN(id) ? 'a port' : title(this.named(id), elixir.value);
  }
  full(id: number): string {
    return Number.isNaN(id) ? 'a port' : fullTitle(this.named(id), elixir.value);
  }
}

const known = new Map<string, { who: Named | null; path: string }>();
const news = signal(0);

/** Returns the name and pid of a process, or a sign of waiting until the answer arrives; then the caller renders again.
    The name in the previous edition remains until that in the next one arrives. */
export function whoIs(id: number): string {
  void news.value;
  const path = api('people', { ids: id });
  const key = question(path);
  const old = known.get(key);
  const shown = old?.who ? fullTitle(old.who, elixir.value) : '…';
  if (old?.path === path) return shown;
  known.set(key, { who: old?.who ?? null, path });
  void ask(path).then(
    (a) => {
      const t = a.tables.process!;
      known.set(key, { who: t.rows ? named(t, 0) : { ...NOBODY, pid: `process ${id}` }, path });
      news.value++;
    },
    () => known.delete(key),
  );
  return shown;
}
