// A picture of lanes as a table, with names instead of ids.
import { spelled, STATES } from '../draw/cells';
import type { Table } from '../lib/table';
import { whoIs } from '../state/people';
import { href } from '../state/place';
import { Twin } from './grid';
import { useGroupNames } from './groups';

/** `lanes` returns the name of a lane; without it there is a single lane, and no column for it. */
export function CellTwin({ table, label, lanes }: { table: Table; label: string; lanes?: (id: number) => string }) {
  const group = useGroupNames();
  const process = (i: number) => {
    const id = table.num('process', i);
    return Number.isNaN(id) ? '–' : <a href={href('process', String(id))}>{whoIs(id)}</a>;
  };
  return (
    <Twin
      table={table}
      as={spelled}
      label={label}
      hide={lanes ? [] : ['lane', 'process', 'group']}
      instead={{
        lane: (i) => lanes?.(table.num('lane', i)),
        state: (i) => (Number.isNaN(table.num('shares', i)) ? (STATES[table.num('state', i)] ?? '–') : 'several'),
        process,
        group: (i) => (Number.isNaN(table.num('group', i)) ? '–' : group(table.num('group', i))),
      }}
    />
  );
}
