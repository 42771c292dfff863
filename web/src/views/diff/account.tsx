// The accounts of scheduler time of both runs, as two bars on one axis.
import { JOINED, ORDER } from '../../lib/account';
import { duration, moment, percent } from '../../lib/format';
import { pick } from '../../lib/rows';
import type { Table } from '../../lib/table';
import { ticks } from '../../lib/ticks';
import { Panel } from '../../ui/bits';
import { TableGrid } from '../../ui/grid';
import { changes, SHOWN } from './tables';

const TICKS = 8;
const what = (t: Table, i: number) => {
  const part = t.str('subject', i)!;
  return JOINED[part] ?? part;
};
/** The parts of the account in the order of its bar. */
const partsOf = (t: Table) =>
  Array.from({ length: t.rows }, (_, i) => i)
    .filter((i) => t.str('kind', i) === 'account')
    .sort((i, k) => ORDER.indexOf(t.str('subject', i)!) - ORDER.indexOf(t.str('subject', k)!));

interface Side {
  t: Table;
  parts: number[];
  column: 'a' | 'b';
  most: number; // the end of the axis
}
const Bar = ({ t, parts, column, most }: Side) => (
  <div class="account-bar">
    {parts.map((i) => (
      <i
        key={i}
        class={`part-${t.str('subject', i)}`}
        style={{ flex: 'none', width: `${(100 * t.num(column, i)) / most}%` }}
        title={`${what(t, i)}: ${duration(t.num(column, i))}, ${percent(t.num(`${column}_share`, i))}`}
      />
    ))}
  </div>
);

function Axis({ most }: { most: number }) {
  const { step, at } = ticks(0, most, TICKS);
  return (
    <div class="axis" aria-hidden="true">
      {at
        .filter((ns) => ns < 0.97 * most)
        .map((ns) => (
          <span key={ns} style={{ left: `${(100 * ns) / most}%` }}>
            {ns ? moment(ns, step) : '0'}
          </span>
        ))}
    </div>
  );
}

export function Account({ t, names }: { t: Table; names: [string, string] }) {
  const parts = partsOf(t);
  const sum = (column: string) => parts.reduce((all, i) => all + (t.num(column, i) || 0), 0);
  const most = Math.max(sum('a'), sum('b'));
  const account = pick(
    t,
    [...parts].sort((i, k) => Math.abs(t.num('difference', k)) - Math.abs(t.num('difference', i))),
  );
  return (
    <Panel title="Where the time of the schedulers went" sub="the normal schedulers times the length of the run">
      {parts.length ? (
        <>
          <div class="body two-bars" role="img" aria-label={`The accounts of ${names[0]} and ${names[1]} on one axis`}>
            <span>A</span>
            <Bar t={t} parts={parts} column="a" most={most} />
            <span>B</span>
            <Bar t={t} parts={parts} column="b" most={most} />
            <span />
            <Axis most={most} />
          </div>
          <TableGrid
            table={account}
            label="The accounts of scheduler time"
            hide={[...SHOWN, 'kind']}
            last={changes(account, true)}
            instead={{
              subject: (i) => (
                <span class="part">
                  <i class={`part-${account.str('subject', i)}`} />
                  {what(account, i)}
                </span>
              ),
            }}
          />
        </>
      ) : (
        <p class="body soft">Unknown: the traces do not state the number of schedulers.</p>
      )}
    </Panel>
  );
}
