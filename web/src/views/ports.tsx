// Ports: their owners, lifetimes and work.
import { api, useAnswer } from '../state/data';
import { rows, timed } from '../state/info';
import { WHO } from '../state/people';
import { run } from '../state/place';
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

function Ports() {
  const any = rows('port') > 0;
  const { value, error, loading } = useAnswer(any ? api('ask/ports') : null);
  if (!any)
    return (
      <Empty
        title="No port was seen"
        text="Either the program opened none, or the class ports was not recorded."
        command="strobe record --trace ports,procs -- CMD"
      />
    );
  const t = value?.tables.port;
  const last = run.value[1];
  return (
    <>
      <Busy on={loading} />
      <Title>Ports</Title>
      <Problem error={error} />
      {t && (
        <Panel>
          <TableGrid
            table={t}
            label="Ports"
            height={Math.max(320, innerHeight - 220)}
            hide={['id', 'owner', ...WHO]}
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
              whoColumn(t, 'owner', 'owner', 'opened before the recording'),
            ]}
          />
        </Panel>
      )}
    </>
  );
}
