// Ports: their owners, lifetimes and work.
import { api, useAnswer } from '../state/data';
import { rows, timed } from '../state/info';
import { narrowed, run, within } from '../state/place';
import { report } from '../state/report';
import { Busy, Empty, Panel, Problem, Title } from '../ui/bits';
import { whoColumn } from '../ui/columns';
import { TableGrid } from '../ui/grid';
import type { View } from '../ui/view';

export const ports: View = {
  route: 'ports',
  name: 'Ports',
  section: 'Who',
  icon: 'M5 2v4m6-4v4M3 6h10v3a5 5 0 0 1-10 0zm5 8v-1',
  key: 'i',
  body: Ports,
};

const OWNER = { who: 'owner', pid: 'owner_pid', node: 'node' };

function Ports() {
  const any = rows('port') > 0;
  const { value, error, loading } = useAnswer(any ? api('answer/ports', { ...within(), limit: 5000 }) : null);
  if (!any)
    return (
      <Empty
        title="No port was seen"
        text="Either the program opened none, or the class ports was not recorded."
        command="strobe record --trace ports,procs -- CMD"
      />
    );
  const t = value?.tables.answer;
  const last = run.value[1];
  return (
    <>
      <Busy on={loading} />
      <Title sub={!narrowed.value ? undefined : report ? 'in the whole run' : 'that were open in the time range'}>
        Ports
      </Title>
      <Problem error={error} />
      {t && (
        <Panel>
          <TableGrid
            table={t}
            label="Ports"
            height={Math.max(320, innerHeight - 220)}
            hide={['id', 'owner_id', ...Object.values(OWNER)]}
            first={[
              timed() &&
                ((o) => ({
                  key: 'life',
                  head: 'life',
                  width: '130px',
                  render: (i) => {
                    const [a, b] = [
                      t.num('start', o(i)) || 0,
                      Number.isNaN(t.num('end', o(i))) ? last : t.num('end', o(i)),
                    ];
                    return (
                      <span class="life">
                        <i style={{ left: `${(100 * a) / last}%`, width: `${(100 * (b - a)) / last}%` }} />
                      </span>
                    );
                  },
                })),
              whoColumn(t, 'owner_id', 'owner', 'opened before the recording', OWNER),
            ]}
          />
        </Panel>
      )}
    </>
  );
}
