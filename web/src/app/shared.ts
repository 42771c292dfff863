// The modules that scripts which are run later take from the page (vite.config.ts).
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Fragment, jsx, jsxs } from 'preact/jsx-runtime';
import * as arrow from '../draw/arrow';
import * as axis from '../draw/axis';
import * as flame from '../draw/flame';
import * as frames from '../draw/frames';
import * as stage from '../draw/stage';
import * as account from '../lib/account';
import * as format from '../lib/format';
import * as names from '../lib/names';
import * as route from '../lib/route';
import * as rows from '../lib/rows';
import * as table from '../lib/table';
import * as ticks from '../lib/ticks';
import * as data from '../state/data';
import * as edition from '../state/edition';
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
  'preact/hooks': { useEffect, useLayoutEffect, useMemo, useRef, useState },
  'preact/jsx-runtime': { Fragment, jsx, jsxs },
  'draw/arrow': arrow,
  'draw/axis': axis,
  'draw/flame': flame,
  'draw/frames': frames,
  'draw/stage': stage,
  'lib/account': account,
  'lib/format': format,
  'lib/names': names,
  'lib/route': route,
  'lib/rows': rows,
  'lib/table': table,
  'lib/ticks': ticks,
  'state/data': data,
  'state/edition': edition,
  'state/info': info,
  'state/place': place,
  'state/report': report,
  'state/theme': theme,
  'ui/bits': bits,
  'ui/grid': grid,
};
