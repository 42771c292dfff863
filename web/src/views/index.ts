// The views in the order of the rail. A view is a file that begins with its description, and a row here.
import type { View } from '../ui/view';
import { calls } from './calls';
import { compare } from './compare';
import { critical } from './critical';
import { diff } from './diff';
import { findings } from './findings';
import { gc } from './gc';
import { messages } from './messages';
import { overview } from './overview';
import { ports } from './ports';
import { process } from './process';
import { processes } from './processes';
import { schedulers } from './schedulers';
import { sql } from './sql';
import { tree } from './tree';

const VIEWS: View[] = [
  overview,
  findings,
  critical,
  diff,
  schedulers,
  compare,
  processes,
  process,
  tree,
  ports,
  messages,
  calls,
  gc,
  sql,
];
/** The views that have something to show. */
export const views = () => VIEWS.filter((v) => v.shown?.() ?? true);
export const viewOf = (route: string) => VIEWS.find((v) => v.route === route) ?? null;
