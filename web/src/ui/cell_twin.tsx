// A picture of lanes as a table, with names instead of ids.
import { useMemo } from 'preact/hooks';
import { spelled, STATES } from '../draw/cells';
import { slug } from '../lib/names';
import type { Table } from '../lib/table';
import { whoIs } from '../state/people';
import { href, inView, isOpen, range } from '../state/place';
import { MomentLink } from './bits';
import { Twin } from './grid';
import { useGroupNames } from './groups';

/** `lanes` returns the name of a lane; without it there is a single lane, and no column for it. */
export function CellTwin({
  table: all,
  label,
  lanes,
}: {
  table: Table;
  label: string;
  lanes?: (id: number) => string;
}) {
  const group = useGroupNames();
  const open = isOpen(slug(label));
  const table = useMemo(() => (open ? inView(all, 'start', (i) => all.num('end', i)) : all), [open, all, range.value]);
  const process = (i: number) => {
    const id = table.num('process', i);
    return Number.isNaN(id) ? '–' : <a href={href('process', String(id))}>{whoIs(id)}</a>;
  };
  return (
    <Twin
      table={table}
      as={spelled}
      one
      label={label}
      hide={lanes ? [] : ['lane', 'process', 'group']}
      instead={{
        start: (i) => (
          <MomentLink
            process={table.num('process', i)}
            at={table.num('start', i)}
            to={table.num('count', i) === 1 ? null : table.num('end', i)}
          />
        ),
        lane: (i) => lanes?.(table.num('lane', i)),
        state: (i) => (Number.isNaN(table.num('shares', i)) ? (STATES[table.num('state', i)] ?? '–') : 'several'),
        process,
        group: (i) => (Number.isNaN(table.num('group', i)) ? '–' : group(table.num('group', i))),
      }}
    />
  );
}
