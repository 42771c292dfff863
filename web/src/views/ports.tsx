import { api, useAnswer } from '../state/data';
import { rows, timed } from '../state/info';
import { named, WHO } from '../state/people';
import { run } from '../state/place';
import { Busy, Empty, Panel, Problem, Title, Who } from '../ui/bits';
import { TableGrid } from '../ui/grid';

/** Ports: who opened them, how long they lived, how long they worked. */
export function Ports() {
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
              (o) => ({
                key: 'who',
                head: 'owner',
                render: (i) =>
                  Number.isNaN(t.num('owner', o(i))) ? (
                    <span class="faint">opened before the recording</span>
                  ) : (
                    <Who of={named(t, o(i))} id={t.num('owner', o(i))} />
                  ),
              }),
            ]}
          />
        </Panel>
      )}
    </>
  );
}
