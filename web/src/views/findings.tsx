// Why the run took so long: where the time of the schedulers went, and what to change, ranked by what it gains.
import { Histogram } from '../draw/histogram';
import { accountOf, type Part } from '../lib/account';
import { duration, percent, SPACE } from '../lib/format';
import { functionName, sentence } from '../lib/names';
import type { Table } from '../lib/table';
import { api, useAnswer } from '../state/data';
import { elixir, rows, scheduled } from '../state/info';
import { here, href, own, place, run } from '../state/place';
import { report } from '../state/report';
import { Busy, Empty, Keys, NotSaved, Panel, Problem, Title } from '../ui/bits';
import { TableGrid, Twin } from '../ui/grid';
import { useProgram } from '../ui/program';
import type { View } from '../ui/view';
import { Forecast } from './forecast';

export const findings: View = {
  route: 'findings',
  name: 'Findings',
  section: 'Why',
  icon: 'M8 2a4 4 0 0 1 2 7.5V11H6V9.5A4 4 0 0 1 8 2zM6.5 14h3',
  key: 'n',
  body: Findings,
};

const named = () => (elixir.value ? { elixir: 1 } : {});

/* ---- the account */

const tenths = (p: Part) => `${(p.tenths / 10).toFixed(1)}${SPACE}%`;

const onDirty = (p: Part) => `${duration(p.ns)} on dirty ${p.part === 'dirty_io' ? 'I/O' : 'CPU'} schedulers`;

const Bar = ({ parts }: { parts: Part[] }) => (
  <div class="account-bar" role="img" aria-label="Where the time of the schedulers went, as one bar">
    {parts.map((p, i) => (
      <i
        key={i}
        class={`part-${p.part}`}
        style={{ flexGrow: p.share }}
        title={`${p.what}: ${tenths(p)}, ${duration(p.ns)}`}
      />
    ))}
  </div>
);

const Legend = ({ parts }: { parts: Part[] }) => (
  <ul class="account">
    {parts.map((p, i) => (
      <li key={i} data-tenths={p.tenths}>
        <i class={`part-${p.part}`} />
        <b>{tenths(p)}</b>
        <span>{p.id === null ? p.what : <a href={href('process', String(p.id))}>{p.what}</a>}</span>
        <span class="faint">{duration(p.ns)}</span>
      </li>
    ))}
  </ul>
);

function Account({ t }: { t: Table }) {
  const { parts, dirty, sampled } = accountOf(t);
  if (!parts.length) return <p class="body soft">Unknown: the trace does not state the number of schedulers.</p>;
  const sum = (parts.reduce((all, p) => all + p.tenths, 0) / 10).toFixed(1);
  const ns = parts.reduce((all, p) => all + p.ns, 0);
  return (
    <>
      <div class="body">
        <Bar parts={parts} />
        <Legend parts={parts} />
        <p class="account-sum">
          Together {sum}
          {SPACE}% of {duration(ns)}: the normal schedulers times the length of the run.
          {dirty.length > 0 && ` Beside it: ${dirty.map(onDirty).join(', ')}.`}
        </p>
        {sampled.length > 0 && (
          <ul class="account soft" aria-label="CPU time by samples">
            {sampled.map((p) => (
              <li key={p.what}>
                <i />
                <b>{duration(p.ns)}</b>
                <span>{p.what}</span>
              </li>
            ))}
          </ul>
        )}
      </div>
      <Twin table={t} label="The account of scheduler time" hide={['id']} />
    </>
  );
}

/* ---- the findings */

const BY_REPLAY = ', by a replay of the run with the cure';
const BY_TRACE = ', by the times in the trace, without a replay';

/** The gain as text and as a band on the length of the program. */
function Gain({ t, i, whole }: { t: Table; i: number; whole: number }) {
  const [low, ns, high] = ['gain_low_ns', 'gain_ns', 'gain_high_ns'].map((c) => t.num(c, i)) as [
    number,
    number,
    number,
  ];
  const isBound = Number.isNaN(ns) || (low === 0 && !Number.isNaN(high));
  const share = (v: number) => `${Math.min(100, (100 * v) / whole)}%`;
  const call = t.num('call_p99_ns', i);
  if (Number.isNaN(ns) && Number.isNaN(high))
    return Number.isNaN(call) ? (
      <p class="gain">What a cure saves is unknown.</p>
    ) : (
      <p class="gain">
        A cure saves at most <b>{duration(call)}</b> of a call (p99).
      </p>
    );
  return (
    <div class="gain">
      <p>
        A cure saves {isBound ? 'at most' : 'about'} <b>{duration(isBound ? high : ns)}</b>
        {t.str('gain_in', i) === 'CPU time'
          ? ' of CPU time'
          : `, ${percent((isBound ? high : ns) / whole)} of the program's time`}
        {!isBound && (
          <span class="faint">
            {' '}
            ({duration(low)} to {duration(high)})
          </span>
        )}
        {!Number.isNaN(call) && `, of a call at most ${duration(call)} (p99)`}
        <span class="faint">{t.str('gain_source', i) === 'replay' ? BY_REPLAY : BY_TRACE}</span>
      </p>
      {!isBound && (
        <span class="band" aria-hidden="true" title="from the lower to the upper bound, on the length of the program">
          <i style={{ left: share(low), width: `calc(${share(high)} - ${share(low)})` }} />
          <b style={{ left: share(ns) }} />
        </span>
      )}
    </div>
  );
}

function Finding({ t, i, whole }: { t: Table; i: number; whole: number }) {
  const get = (c: string) => t.str(c, i) ?? '';
  const process = t.num('process', i);
  const [erlang, inElixir] = [get('fix'), get('fix_elixir')];
  return (
    <li id={`finding-${i + 1}`}>
      <h3>
        <span class="rank">{i + 1}</span> {sentence(get('title'))}
      </h3>
      <Gain t={t} i={i} whole={whole} />
      <p class="cure">
        <b>Cure</b> {elixir.value ? inElixir : erlang}
      </p>
      {erlang !== inElixir && (
        <p class="cure soft">
          <b>{elixir.value ? 'In Erlang' : 'In Elixir'}</b> {elixir.value ? erlang : inElixir}
        </p>
      )}
      <p class="about">
        <span>
          rule <code>{get('rule')}</code>
        </span>
        <span>confidence {get('confidence')}</span>
        <a class="button" href={href('sql', null, { own: { q: get('evidence') } })} aria-label={`Evidence ${i + 1}`}>
          Evidence
        </a>
        {!Number.isNaN(process) && (
          <a class="button quiet" href={href('process', String(process))}>
            Process
          </a>
        )}
      </p>
    </li>
  );
}

function List({ t }: { t: Table }) {
  const [from, to] = useProgram(true) ?? run.value;
  if (!t.rows)
    return (
      <p class="body soft">
        No finding: the rules found nothing that would save a twentieth of the program's time
        {rows('message') > 0 ? '' : ', but the trace has no messages, which many of them look at (--trace all)'}.
      </p>
    );
  return (
    <>
      <ol class="findings">
        {Array.from({ length: t.rows }, (_, i) => (
          <Finding key={i} t={t} i={i} whole={to - from} />
        ))}
      </ol>
      <Twin table={t} label="The findings" hide={['process']} />
    </>
  );
}

const serverOf = (t: Table, i: number, column = 'server') => functionName(t.str(column, i), elixir.value);
/** The name of row `i`; servers of one name are told apart by their pids. */
function Server({ t, i, column = 'server' }: { t: Table; i: number; column?: string }) {
  return (
    <a class="who" href={href('process', String(t.num('id', i)))} title={t.str(column, i) ?? ''}>
      <span>{serverOf(t, i, column)}</span>
      <span class="pid">{t.str('pid', i)}</span>
    </a>
  );
}

const Servers = ({ t }: { t: Table }) =>
  t.rows ? (
    <Panel title="Servers" sub="processes that others ask and wait for">
      <TableGrid
        table={t}
        label="Servers"
        height={300}
        hide={['id', 'pid', 'asks_most_requests']}
        instead={{ server: (i) => <Server t={t} i={i} /> }}
      />
    </Panel>
  ) : null;

/** What the time of a round trip goes to, in its order: columns of the answer, words, and colours. */
const TRIP: [string, string, string][] = [
  ['mailbox_ns', 'in the mailbox', 'var(--accent)'],
  ['work_ns', 'the server works', 'var(--run)'],
  ['waiting_ns', 'it waits', 'var(--wait)'],
  ['runnable_ns', 'it is runnable, or its state is unknown', 'var(--ready)'],
  ['reply_ns', 'the reply is on its way', 'var(--handover)'],
];

/** The parts of a mean round trip, as a bar. */
const Trip = ({ t, i }: { t: Table; i: number }) => (
  <span class="trip">
    {TRIP.map(([column, words, colour]) => (
      <i
        key={column}
        title={`${words}: ${duration(t.num(column, i))}`}
        style={{ flexGrow: t.num(column, i) || 0, background: colour }}
      />
    ))}
  </span>
);

/** How long the round trips of the server in the address took. They are asked for when somebody chooses a server: to
    count them the program looks at the whole run, whose other answers it may have kept. */
function Distribution({ t }: { t: Table }) {
  const i = t.nums('id').indexOf(Number(place.value.own.server ?? NaN));
  const path = i < 0 ? null : api('ask/round_trips', { id: t.num('id', i) });
  const held = !report || path === null || report.holds(path);
  const { value, error, loading } = useAnswer(held ? path : null);
  const marks = ['p50', 'p99'].map((m): [string, number] => [m, t.num(`${m}_ns`, i)]);
  return (
    <>
      <Busy on={loading} />
      <Problem error={error} />
      <label class="body with">
        How long they took at
        <select
          class="field"
          aria-label="Server"
          value={i < 0 ? '' : String(t.num('id', i))}
          onChange={(e) => own('server', e.currentTarget.value)}
        >
          <option value="">choose a server</option>
          {Array.from({ length: t.rows }, (_, k) => (
            <option key={k} value={String(t.num('id', k))}>
              {serverOf(t, k)} {t.str('pid', k)}
            </option>
          ))}
        </select>
      </label>
      {!held && <NotSaved has="the round trips of the servers with the most requests" />}
      {value && value.tables.bucket!.rows > 0 && (
        <div style={{ padding: '0 12px' }}>
          <Histogram t={value.tables.bucket!} marks={marks} of="requests" label="How many round trips took how long" />
        </div>
      )}
      {value && <Twin table={value.tables.bucket!} label="Round trips by length" />}
    </>
  );
}

const RoundTrips = ({ t }: { t: Table }) =>
  t.rows ? (
    <Panel
      title="Round trips"
      sub="from the sending of a request to the receipt of its reply; the parts are means"
      tools={
        <div class="legend">
          <Keys of={TRIP.map(([, text, colour]) => ({ text, colour }))} />
        </div>
      }
    >
      <TableGrid
        table={t}
        label="Round trips"
        height={300}
        hide={['id', 'pid', 'server', 'requests_per_s']}
        first={[
          (o) => ({ key: 'server', head: 'server', render: (i) => <Server t={t} i={o(i)} /> }),
          (o) => ({ key: 'trip', head: 'its parts', width: '130px', render: (i) => <Trip t={t} i={o(i)} /> }),
        ]}
      />
      <Distribution t={t} />
    </Panel>
  ) : null;

/** Requests that came over connections, and those that were made. */
const Sockets = ({ t }: { t: Table }) =>
  t.rows ? (
    <Panel title="Requests over sockets" sub="by 99th percentile; work and waiting are of the process, and means">
      <TableGrid
        table={t}
        label="Requests over sockets"
        hide={['id', 'pid']}
        instead={{ process: (i) => <Server t={t} i={i} column="process" /> }}
      />
    </Panel>
  ) : null;

function Findings() {
  const why = useAnswer(api('answer/why', named()));
  const found = useAnswer(api('answer/findings', named()));
  const servers = useAnswer(api('answer/servers', named()));
  const latency = useAnswer(api('answer/latency', named()));
  const sockets = useAnswer(api('answer/sockets', named()));
  if (!scheduled())
    return (
      <Empty
        title="What limited the run is unknown"
        text="When processes ran was not recorded. Record it with:"
        command="strobe record --trace all -- CMD"
      />
    );
  const all = [why, found, servers, latency, sockets];
  return (
    <>
      <Busy on={all.some((a) => a.loading)} />
      <Title
        sub="of the whole run, start-up and shutdown included"
        tools={
          <a class="button" href={here({ view: 'critical', id: null, own: {} })}>
            The chain that led to the end
          </a>
        }
      >
        Why it took so long
      </Title>
      {all.map((a, i) => (
        <Problem key={i} error={a.error} />
      ))}
      <Panel title="Where the time of the schedulers went">
        {why.value && <Account t={why.value.tables.answer!} />}
      </Panel>
      <Panel title="What to change" sub="by what it gains, from a twentieth of the program's time">
        {found.value && <List t={found.value.tables.answer!} />}
      </Panel>
      <Forecast />
      {servers.value && <Servers t={servers.value.tables.answer!} />}
      {latency.value && <RoundTrips t={latency.value.tables.answer!} />}
      {sockets.value && <Sockets t={sockets.value.tables.answer!} />}
    </>
  );
}
