// Who a process is, asked when somebody points at it: a picture of a hundred thousand cells travels without names.
import { signal } from '@preact/signals';
import { fullTitle, type Named } from '../lib/names';
import { named } from '../ui/bits';
import { api, ask } from './data';
import { elixir } from './info';

const known = new Map<string, Named>();
const news = signal(0);

/** Its name and pid; its number until the answer is there (whoever renders this is called again then). */
export function whoIs(id: number): string {
  void news.value;
  const path = api('people', { ids: id });
  const who = known.get(path);
  if (who) return fullTitle(who, elixir.value);
  known.set(path, { pid: `process ${id}`, name: null, label: null, entry: null });
  void ask(path).then(
    (a) => {
      const t = a.tables.process!;
      if (t.rows) known.set(path, named(t, 0));
      news.value++;
    },
    () => known.delete(path),
  );
  return '…';
}
