// The views in the order of the rail. A view is a file that begins with its description, and a row here.
import type { View } from '../ui/view';
import { calls } from './calls';
import { compare } from './compare';
import { critical } from './critical';
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

export const VIEWS: View[] = [
  overview,
  findings,
  critical,
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
export const viewOf = (route: string) => VIEWS.find((v) => v.route === route) ?? null;
