// The view that shows what a suggested command of the report prints.
import { parseTime } from './format';
import type { Place } from './route';

/** Splits a command line into words; quotes keep a word together. */
export function words(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map((m) => m[1] ?? m[2] ?? m[3] ?? '');
}

/** Times, which `--sort` names without the unit. */
const TIMES = new Set([
  'run',
  'runnable',
  'wait',
  'gc',
  'dirty',
  'handover',
  'unknown',
  'runnable_low',
  'runnable_high',
]);
/** The view of each section of the report, with its parameters. */
const VIEWS: Record<string, [string, Record<string, string>?]> = {
  why: ['findings'],
  findings: ['findings'],
  servers: ['findings'],
  latency: ['findings'],
  sockets: ['findings'],
  critical: ['critical'],
  processes: ['processes'],
  waits: ['processes', { sort: 'wait_ns' }],
  messages: ['messages'],
  nodes: ['messages', { level: 'node' }],
  gc: ['gc'],
  migrations: ['processes', { sort: 'migrations' }],
  schedulers: ['schedulers'],
  functions: ['calls'],
  calls: ['calls'],
  paths: ['calls'],
  active: ['calls'],
  ports: ['ports'],
  tree: ['tree'],
  activity: ['overview'],
  callers: ['calls'],
  loss: ['sql', { q: 'SELECT * FROM loss' }],
};

/** Returns the range of --since and --until; either end may be open. */
function windowOf(after: (flag: string) => string | undefined): Place['range'] | undefined {
  const [since, until] = [after('--since'), after('--until')].map((text) =>
    text === undefined ? null : parseTime(text),
  );
  if (since === null && until === null) return undefined;
  return [since ?? 0, until ?? Number.MAX_SAFE_INTEGER];
}

/** Converts "strobe report P processes --sort runnable" to #/processes?sort=runnable_ns; null if no view shows it. */
export function linkOf(command: string): Partial<Place> | null {
  const all = words(command);
  const at = all.findIndex((word, i) => i > 2 && word in VIEWS); // the name of the profile may have spaces
  if (all[0] !== 'strobe' || all[1] !== 'report' || at < 0) return null;
  const [section, rest] = [all[at]!, all.slice(at + 1)];
  const after = (flag: string) => (rest.includes(flag) ? rest[rest.indexOf(flag) + 1] : undefined);
  const range = windowOf(after);
  const where = (place: Partial<Place>) => ({ id: null, ...place, ...(range ? { range } : {}) });
  if (section === 'callers') return rest[0] ? where({ view: 'calls', fn: rest[0] }) : null;
  const process = after('--process');
  if (process) return where({ view: 'process', id: process });
  const [view, how = {}] = VIEWS[section]!;
  const sort = after('--sort');
  const sorted: Record<string, string> =
    sort && view === 'processes' ? { sort: TIMES.has(sort) ? `${sort}_ns` : sort } : {};
  const own = { ...how, ...sorted };
  return where({ view, ...(Object.keys(own).length ? { own } : {}) });
}
