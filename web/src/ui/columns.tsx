// Columns that tables of several views have.
import { percent } from '../lib/format';
import type { Table } from '../lib/table';
import { named, type Columns } from '../state/people';
import { Share, Who } from './bits';
import type { GridColumn, Order } from './grid';

/** A process by name. `id`: the column of its id; `none`: the text if there is no process; `columns`: where an answer
    has the rest. */
export const whoColumn =
  (t: Table, id: string, head = 'process', none = '', columns?: Columns) =>
  (at: Order): GridColumn => ({
    key: 'who',
    head,
    render: (i) =>
      none && Number.isNaN(t.num(id, at(i))) ? (
        <span class="faint">{none}</span>
      ) : (
        <Who of={named(t, at(i), columns)} id={t.num(id, at(i))} />
      ),
  });

/** A share as a bar and a percentage; a share above one is unknown. */
export const shareColumn =
  (head: string, of: (row: number) => number, colour = 'var(--accent)') =>
  (at: Order): GridColumn => ({
    key: 'share',
    head,
    render: (i) => {
      const share = of(at(i));
      if (!(share <= 1)) return <span class="null">–</span>;
      return (
        <>
          <Share of={share} colour={colour} />
          {percent(share)}
        </>
      );
    },
  });
