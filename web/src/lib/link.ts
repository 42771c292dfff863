// From a command that the report suggests to the view that shows the same.
import type { Place } from './route';

/** The words of a command line; quotes keep a word together. */
export function words(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map((m) => m[1] ?? m[2] ?? m[3] ?? '');
}

const SORTS: Record<string, string> = { runnable: 'runnable_ns', runnable_low: 'runnable_ns', runnable_high: 'runnable_ns', dirty: 'dirty_ns', handover: 'handover_ns', wait: 'wait_ns', gc: 'gc_ns', run: 'run_ns' };
const VIEWS: Record<string, string> = {
  processes: 'processes', waits: 'processes', messages: 'messages', gc: 'gc', migrations: 'schedulers', schedulers: 'schedulers', functions: 'calls', calls: 'calls', ports: 'ports', tree: 'tree',
};

/** "strobe report P processes --sort runnable" is #/processes?sort=runnable_ns; null when no view shows it. */
export function linkOf(command: string): Partial<Place> | null {
  const [program, report, , section, ...rest] = words(command);
  if (program !== 'strobe' || report !== 'report' || !section) return null;
  if (section === 'callers') return rest[0] ? { view: 'calls', id: null, fn: rest[0] } : null;
  const after = (flag: string) => (rest.includes(flag) ? rest[rest.indexOf(flag) + 1] : undefined);
  const process = after('--process');
  if (process) return { view: 'process', id: process };
  const view = VIEWS[section];
  if (!view) return null;
  const sort = after('--sort');
  return { view, id: null, ...(sort && view === 'processes' ? { own: { sort: SORTS[sort] ?? sort } } : {}) };
}
