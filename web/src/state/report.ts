// The data of a one-file report: answers to the questions of the views, by their address. A question about a range gets
// the answer for the whole run. Lists that the server would sort and cut are sorted and cut here.
import { bytesOf, inDocument } from '../lib/document';
import { pick, stack } from '../lib/rows';
import { decode, type Answer, type Table } from '../lib/table';

type Saved = Record<string, string>; // address to answer, as base64 of gzip

async function unpack(base64: string): Promise<ArrayBuffer> {
  return new Response(new Blob([bytesOf(base64)]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}

const KEYS_OF_ZOOM = new Set(['t0', 't1', 'since', 'until', 'limit', 'n', 'p', 'min_count', 'min_words']);
const params = (path: string) => new URLSearchParams(path.split('?')[1] ?? '');
/** Returns the address without range, selection and zoom. */
export function widest(path: string): string {
  const [route = '', query = ''] = path.split('?');
  const kept = query.split('&').filter((pair) => pair && !KEYS_OF_ZOOM.has(pair.split('=')[0]!));
  return kept.length ? `${route}?${kept.join('&')}` : route;
}

/** Returns a page of the processes, as the server does. */
export function page(all: Table, q: URLSearchParams): { total: number; table: Table } {
  const find = q.get('find') ?? '';
  const same = (column: string, wanted: string | null) => (i: number) =>
    wanted === null || all.num(column, i) === Number(wanted);
  const group = same('group_id', q.get('group'));
  const parent = same('parent', q.get('parent'));
  const found = (i: number) =>
    !find || ['pid', 'who', 'name', 'label', 'entry'].some((c) => all.str(c, i)?.toLowerCase().includes(find));
  const column = all.column(q.get('sort') ?? 'run_ns');
  const sign = q.get('dir') === 'up' ? 1 : -1;
  const rows = Array.from({ length: all.rows }, (_, i) => i).filter((i) => group(i) && parent(i) && found(i));
  rows.sort((a, b) => {
    const [x, y] = [all.cell(column, a), all.cell(column, b)];
    if (x === null || y === null) return x === y ? a - b : x === null ? 1 : -1;
    return sign * (typeof x === 'string' ? (x < String(y) ? -1 : x > String(y) ? 1 : 0) : x - Number(y)) || a - b;
  });
  const from = Number(q.get('from') ?? 0);
  return { total: rows.length, table: pick(all, rows.slice(from, from + Number(q.get('n') ?? 100))) };
}

class Report {
  private readonly unpacked = new Map<string, Promise<Answer>>();
  constructor(private readonly saved: Saved) {}

  private get(key: string): Promise<Answer> | null {
    const packed = this.saved[key];
    if (packed === undefined) return null;
    const old = this.unpacked.get(key);
    if (old) return old;
    const fresh = unpack(packed).then(decode);
    this.unpacked.set(key, fresh);
    return fresh;
  }

  private async processes(path: string): Promise<Answer> {
    const saved = await this.get('api/processes')!;
    const { total, table } = page(saved.tables.processes!, params(path));
    return { meta: { ...saved.meta, total }, tables: { processes: table } };
  }

  private async people(ids: number[]): Promise<Answer> {
    const saved = await this.get('api/processes')!;
    const t = saved.tables.processes!;
    const place = new Map(Array.from(t.nums('id'), (id, row) => [id, row]));
    return {
      meta: {},
      tables: {
        process: pick(
          t,
          ids.flatMap((id) => place.get(id) ?? []),
        ),
      },
    };
  }

  private async lanes(ids: string[]): Promise<Answer> {
    const found = (await Promise.all(ids.map((id) => this.get(`api/lanes?of=process&ids=${id}`)))).filter(
      (a) => a !== null,
    );
    if (!found.length) throw new Error('this report holds the states of the processes that ran most, and of no others');
    const join = (name: string) => stack(found.map((a) => a.tables[name]!));
    return {
      meta: { ...found[0]!.meta, missing: ids.length - found.length },
      tables: { cell: join('cell'), mark: join('mark') },
    };
  }

  /** Whether it holds the answer to a question about one process, scheduler or server. */
  holds(path: string): boolean {
    return widest(path) in this.saved;
  }

  answer(path: string): Promise<Answer> {
    if (path.startsWith('api/processes')) return this.processes(path);
    const q = params(path);
    if (path.startsWith('api/people')) return this.people((q.get('ids') ?? '').split(',').map(Number));
    if (q.get('of') === 'process') return this.lanes((q.get('ids') ?? '').split(','));
    const found = this.get(path) ?? this.get(widest(path));
    return found ?? Promise.reject(new Error('this report does not hold that answer; use strobe serve on the profile'));
  }
}

const saved = inDocument<Saved>('saved');
export const report = saved ? new Report(saved) : null;
