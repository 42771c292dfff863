// The views, a row each: its route, its name, where it stands in the rail, what it needs, and the view itself.
import type { FunctionComponent } from 'preact';
import { Calls } from './calls';
import { Compare } from './compare';
import { Gc } from './gc';
import { Messages } from './messages';
import { Overview } from './overview';
import { Ports } from './ports';
import { Process } from './process';
import { Processes } from './processes';
import { Schedulers } from './schedulers';
import { Sql } from './sql';
import { Tree } from './tree';

export interface View {
  route: string;
  name: string;
  section: string; // of the rail; empty: not in it
  icon: string; // a path in a box of 16
  key?: string; // pressed after g
  body: FunctionComponent;
}

export const VIEWS: View[] = [
  { route: 'overview', name: 'Overview', section: 'Why', icon: 'M2 13V9m4 4V4m4 9V7m4 6V2', key: 'o', body: Overview },
  {
    route: 'schedulers',
    name: 'Schedulers',
    section: 'When',
    icon: 'M2 4h7m2 0h3M2 8h3m2 0h7M2 12h9m2 0h1',
    key: 's',
    body: Schedulers,
  },
  { route: 'compare', name: 'Compare', section: 'When', icon: 'M2 3v10M2 5h9M2 8h6m-6 3h11', key: 'c', body: Compare },
  { route: 'processes', name: 'Processes', section: 'Who', icon: 'M2 4h12M2 8h12M2 12h12', key: 'p', body: Processes },
  { route: 'process', name: 'Process', section: '', icon: '', body: Process },
  {
    route: 'tree',
    name: 'Tree',
    section: 'Who',
    icon: 'M3 3h4m-2 0v10h4M5 8h4m1-2h4v4h-4zm0 5h4v4h-4z',
    key: 't',
    body: Tree,
  },
  {
    route: 'ports',
    name: 'Ports',
    section: 'Who',
    icon: 'M5 2v4m6-4v4M3 6h10v3a5 5 0 0 1-10 0zm5 8v-1',
    key: 'i',
    body: Ports,
  },
  { route: 'messages', name: 'Messages', section: 'What', icon: 'M2 4h12v8H2zm0 0 6 5 6-5', key: 'm', body: Messages },
  { route: 'calls', name: 'Calls', section: 'What', icon: 'M2 13h12M2 9h9M2 5h5', key: 'f', body: Calls },
  { route: 'gc', name: 'Memory & GC', section: 'What', icon: 'M3 5h10l-1 9H4zM6 5V2h4v3M2 5h12', key: 'y', body: Gc },
  { route: 'sql', name: 'SQL', section: 'Ask', icon: 'M3 4l4 4-4 4m6 0h5', key: 'q', body: Sql },
];
export const viewOf = (route: string) => VIEWS.find((v) => v.route === route) ?? null;
