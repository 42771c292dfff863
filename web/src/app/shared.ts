// The modules that scripts which are run later take from the page (vite.config.ts).
import { useEffect, useMemo, useState } from 'preact/hooks';
import { Fragment, jsx, jsxs } from 'preact/jsx-runtime';
import * as axis from '../draw/axis';
import * as flame from '../draw/flame';
import * as frames from '../draw/frames';
import * as account from '../lib/account';
import * as format from '../lib/format';
import * as names from '../lib/names';
import * as route from '../lib/route';
import * as rows from '../lib/rows';
import * as table from '../lib/table';
import * as ticks from '../lib/ticks';
import * as data from '../state/data';
import * as info from '../state/info';
import * as place from '../state/place';
import * as report from '../state/report';
import * as theme from '../state/theme';
import * as bits from '../ui/bits';
import * as grid from '../ui/grid';

declare global {
  var strobePage: Record<string, unknown>;
}
globalThis.strobePage = {
  'preact/hooks': { useEffect, useMemo, useState },
  'preact/jsx-runtime': { Fragment, jsx, jsxs },
  'draw/axis': axis,
  'draw/flame': flame,
  'draw/frames': frames,
  'lib/account': account,
  'lib/format': format,
  'lib/names': names,
  'lib/route': route,
  'lib/rows': rows,
  'lib/table': table,
  'lib/ticks': ticks,
  'state/data': data,
  'state/info': info,
  'state/place': place,
  'state/report': report,
  'state/theme': theme,
  'ui/bits': bits,
  'ui/grid': grid,
};
