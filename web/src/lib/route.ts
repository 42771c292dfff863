// The whole state of the page is its address: #/VIEW/ID?t=FROM-TO&p=1,2&f=m:f/a&g=3&at=1.500&...
// Other parameters belong to the view (`own`).
/** The selected slice or state: what a process did at `from`, or, up to `to`, its longest slice; or what ran on a
    scheduler, as a port did. */
export interface Moment {
  process: number; // NaN: what ran on the scheduler
  scheduler?: number;
  from: number;
  to: number | null;
}

export interface Place {
  view: string;
  id: string | null;
  range: [number, number] | null; // nanoseconds from t0
  ticked: number[]; // process ids
  fn: string | null;
  group: number | null;
  at: Moment | null;
  profile: number; // index among those that are served
  names: 'erlang' | 'elixir' | null; // null: as the profile suggests
  own: Record<string, string>;
}

export const START: Place = {
  view: 'overview',
  id: null,
  range: null,
  ticked: [],
  fn: null,
  group: null,
  at: null,
  profile: 0,
  names: null,
  own: {},
};

const MOST_TICKED = 2000;
const SHARED = new Set(['t', 'p', 'f', 'g', 'at', 'profile', 'names']);

export function parse(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  const [view, id] = path.split('/');
  const q = new URLSearchParams(query);
  return {
    view: view || START.view,
    id: id ? decodeURIComponent(id) : null,
    range: range(q.get('t')),
    ticked: ids(q.get('p')),
    fn: q.get('f') || null,
    group: ids(q.get('g'))[0] ?? null,
    at: momentOf(q.get('at')),
    profile: ids(q.get('profile'))[0] ?? 0,
    names: namesOf(q.get('names')),
    own: Object.fromEntries([...q].filter(([k]) => !SHARED.has(k))),
  };
}

const namesOf = (text: string | null) => (text === 'erlang' || text === 'elixir' ? text : null);

function momentOf(text: string | null): Moment | null {
  const m = /^(s?)(\d{1,15})\.(\d{1,19})(?:-(\d{1,19}))?$/.exec(text ?? '');
  if (!m) return null;
  const of = m[1] ? { process: NaN, scheduler: Number(m[2]) } : { process: Number(m[2]) };
  return { ...of, from: Number(m[3]), to: m[4] ? Number(m[4]) : null };
}

function range(text: string | null): [number, number] | null {
  const m = /^(\d{1,19})-(\d{1,19})$/.exec(text ?? '');
  if (!m) return null;
  const [from, to] = [Number(m[1]), Number(m[2])];
  return to > from ? [from, to] : null;
}

function ids(text: string | null): number[] {
  const all = (text ?? '')
    .split(',')
    .filter((s) => /^\d{1,15}$/.test(s))
    .map(Number);
  return [...new Set(all)].slice(0, MOST_TICKED);
}

export function write(p: Place): string {
  const q: string[] = [];
  const put = (k: string, v: string) =>
    q.push(`${k}=${encodeURIComponent(v).replace(/%(2C|3A|2F)/g, decodeURIComponent)}`);
  if (p.range) put('t', `${Math.floor(p.range[0])}-${Math.ceil(p.range[1])}`);
  // digits and commas need no quoting, and there may be thousands
  if (p.ticked.length) q.push(`p=${p.ticked.join(',')}`);
  if (p.fn) put('f', p.fn);
  if (p.group !== null) put('g', String(p.group));
  if (p.at) {
    const of = p.at.scheduler === undefined ? p.at.process : `s${p.at.scheduler}`;
    put('at', `${of}.${p.at.from}${p.at.to === null ? '' : `-${p.at.to}`}`);
  }
  if (p.profile) put('profile', String(p.profile));
  if (p.names) put('names', p.names);
  for (const [k, v] of Object.entries(p.own).sort()) if (v !== '') put(k, v);
  return `#/${p.view}${p.id ? `/${encodeURIComponent(p.id)}` : ''}${q.length ? `?${q.join('&')}` : ''}`;
}
