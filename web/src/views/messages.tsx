// Messages between processes, groups, schedulers or nodes: a picture, single messages, and the connections.
import { counted } from '../lib/format';
import type { Table } from '../lib/table';
import { api, useAnswer } from '../state/data';
import { fact, info, rows } from '../state/info';
import { asked, go, href, narrowed, own, place } from '../state/place';
import { report } from '../state/report';
import { Busy, Choice, Empty, NotSaved, Panel, Problem, Title } from '../ui/bits';
import { TableGrid, type GridColumn, type Order } from '../ui/grid';
import type { View } from '../ui/view';
import { Singles } from './message_list';
import { choosePair, LEVELS, useNames, type Level, type NameOf } from './message_names';
import { Picture } from './message_picture';

export const messages: View = {
  route: 'messages',
  name: 'Messages',
  section: 'What',
  icon: 'M2 4h12v8H2zm0 0 6 5 6-5',
  key: 'm',
  body: Messages,
};

function Threshold({ name, text, after }: { name: 'min_count' | 'min_words'; text: string; after: string }) {
  return (
    <label class="with">
      {text}
      <input
        class="field"
        type="number"
        min="0"
        style={{ width: '68px' }}
        value={place.value.own[name] ?? (name === 'min_count' ? '1' : '0')}
        onChange={(e) => own(name, e.currentTarget.value)}
      />
      {after}
    </label>
  );
}

function End({ level, id, name }: { level: Level; id: number; name: NameOf }) {
  const { name: text, note } = name(id);
  const body = (
    <>
      <span>{text}</span>
      {note && <span class={note.includes(' of ') ? 'pid of' : 'pid'}>{note}</span>}
    </>
  );
  const to = { process: href('process', String(id)), group: href('processes', null, { group: id }) };
  return level === 'process' || level === 'group' ? (
    <a class="who" href={to[level]}>
      {body}
    </a>
  ) : (
    <span class="who">{body}</span>
  );
}

/** The connections as a table. Rows lead to their messages if single messages are known. */
function Connections({ t, level, name }: { t: Table; level: Level; name: NameOf }) {
  const end =
    (key: 'from' | 'to', head: string) =>
    (at: Order): GridColumn => ({
      key,
      head,
      sort: true,
      value: (i) => t.num(key, at(i)),
      render: (i) => <End level={level} id={t.num(key, at(i))} name={name} />,
    });
  const show = (at: Order): GridColumn => ({
    key: 'pair',
    head: <span class="hidden-text">messages</span>,
    render: (i) => (
      <button
        type="button"
        class="button quiet"
        style={{ height: '22px' }}
        onClick={() => choosePair(level, t.num('from', at(i)), t.num('to', at(i)))}
      >
        Show messages
      </button>
    ),
  });
  return (
    <Panel title="Connections">
      {report && rows('message') > 0 && <NotSaved has="no messages of a single connection" />}
      <TableGrid
        table={t}
        label="Message edges"
        height={360}
        hide={['from', 'to', 'matched', 'ext_bytes']}
        first={[end('from', 'sender'), end('to', 'receiver')]}
        last={[level !== 'scheduler' && rows('message') > 0 && !report && show]}
      />
    </Panel>
  );
}

/** The accuracy of the clocks of several nodes, since no latency between two of them is shown that is shorter. */
const Clocks = ({ t }: { t: Table }) => (
  <Panel title="Nodes and their clocks">
    <TableGrid table={t} label="Nodes" height={160} hide={['id', 'trace_start']} />
  </Panel>
);

function useEdges(level: Level) {
  const { own: o, ticked } = place.value;
  const thresholds = { min_count: o.min_count, min_words: o.min_words };
  const wanted = { level, ...thresholds, p: ticked.join(','), n: 1000, ...asked() };
  return useAnswer(rows('message_edge') > 0 ? api('messages', wanted) : null);
}

const Nothing = () =>
  fact('messages') ? (
    <Empty
      title="No message went from one process to another"
      text="Messages were recorded, but processes sent none to each other."
    />
  ) : (
    <Empty
      title="Messages were not recorded"
      text="The content of messages is never recorded, only their sizes. Record them with:"
      command="strobe record --trace messages,running,procs -- CMD"
    />
  );

/** Says that the time range does not narrow the figures, and why. */
const NotNarrowed = ({ sums }: { sums: boolean }) => (
  <div class="notice">
    <b>The whole run.</b>
    <span>
      {sums
        ? 'Only sums are stored between schedulers and between nodes.'
        : 'This profile holds no single messages, so the time range cannot narrow them.'}
    </span>
  </div>
);

function Messages() {
  const { own: o } = place.value;
  // groups, if processes would be too many to read
  const usual: Level = rows('process') > 60 && rows('process_group') < rows('process') / 2 ? 'group' : 'process';
  const level = LEVELS.find((l) => l === o.level) ?? usual;
  const { value, error, loading } = useEdges(level);
  const name = useNames(level, value);
  if (!rows('message_edge')) return <Nothing />;
  const node = info.value!.answer.tables.node;
  const nodes = node?.rows ?? 1;
  const between = [
    ['process', 'Processes'],
    ['group', 'Groups'],
    ['scheduler', 'Schedulers'],
    ...(nodes > 1 ? [['node', 'Nodes'] as const] : []),
  ] as const;
  const t = value?.tables.edge;
  const meta = value?.meta;
  return (
    <>
      <Busy on={loading} />
      <Title
        sub={meta && `${counted(Number(meta.messages), 'message')} on ${counted(Number(meta.edges), 'connection')}`}
        tools={
          <>
            <Threshold name="min_count" text="at least" after="messages" />
            <Threshold name="min_words" text="of" after="words on average" />
            <Choice
              label="Between"
              value={level}
              of={between}
              pick={(v) => go({ own: { ...o, level: v, pair: '' } })}
            />
          </>
        }
      >
        Messages
      </Title>
      <Problem error={error} />
      {narrowed.value && meta && !meta.narrowed && <NotNarrowed sums={Boolean(meta.kept)} />}
      {t && t.rows === 0 && <Empty title="No connection reaches the thresholds" text="Lower them to see more." />}
      {t && t.rows > 0 && <Picture t={t} level={level} name={name} />}
      {node && nodes > 1 && <Clocks t={node} />}
      <Singles level={level} name={name} />
      {t && t.rows > 0 && <Connections t={t} level={level} name={name} />}
    </>
  );
}
