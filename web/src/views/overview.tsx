// The first view: a sentence about how parallel the run was and what limited it, the top findings, the activity over
// time, and below it what was recorded.
import { useMemo } from 'preact/hooks';
import { bounded, count, duration, percent, three } from '../lib/format';
import { linkOf } from '../lib/link';
import { sentence, unbroken } from '../lib/names';
import type { Answer, Table } from '../lib/table';
import { api, useAnswer } from '../state/data';
import { elixir, fact, info, rows, scheduled, timed } from '../state/info';
import { People } from '../state/people';
import { asked, here as address, href, narrowed, own, place, range, within } from '../state/place';
import { grows, LAST, recently } from '../state/recording';
import { report } from '../state/report';
import { wholeTimeline } from '../state/timeline';
import { ProgramAlone } from '../ui/program';
import { Busy, Empty, Panel, Problem, Title, Who } from '../ui/bits';
import { Twin } from '../ui/grid';
import { Activity } from './activity';
import type { View } from '../ui/view';

export const overview: View = {
  route: 'overview',
  name: 'Overview',
  section: 'Why',
  icon: 'M2 13V9m4 4V4m4 9V7m4 6V2',
  key: 'o',
  body: Overview,
};

/** Whether the figures of the view are of the program alone: of the whole run, unless the switch is off. */
const isOfProgram = () => !narrowed.value && place.value.own.of !== 'run';

const number = (a: Answer, key: string) => Number(a.meta[key] ?? NaN);

/** Whether an answer is of the program, which is a part of the run. */
const isPart = (a: Answer) => !Number.isNaN(number(a, 'from_ns'));

/** Formats a time that the answer has with bounds, as a share of the range. */
const share = (a: Answer, key: string, text: (v: number) => string) => {
  const of = (bound: string) => number(a, `${key}${bound}_ns`) / number(a, 'span_ns');
  return bounded(text, [of('_low'), of(''), of('_high')], 0.01);
};

/** Whether more than one process can run at a time: the schedulers are not known to be one. */
const isSeveral = (a: Answer) => a.meta.schedulers === null || number(a, 'schedulers') > 1;

/** How many were at work, and whether it stood still or only one could work: the sentence of the run. */
function Sentence({ a }: { a: Answer }) {
  const span = number(a, 'span_ns');
  const busy = three(number(a, 'work_ns') / span).replace(/\.00$/, '');
  const levels = a.tables.level!;
  const idle = levels.rows && levels.num('running', 0) === 0 ? levels.num('ns', 0) / span : 0;
  const serial = isSeveral(a) ? number(a, 'serial_ns') / span : 0;
  const stands = idle > serial;
  const leftOut = number(a, 'left_out') > 0; // processes that were not recorded
  const schedulers = a.meta.schedulers === null ? null : number(a, 'schedulers');
  return (
    <>
      <em>{busy}</em> {leftOut && 'recorded '}
      {busy === '1' ? 'process' : 'processes'} at work on average
      {schedulers !== null && (
        <>
          , on {schedulers} {schedulers === 1 ? 'scheduler' : 'schedulers'}
        </>
      )}
      {stands && idle > 0.02 && (
        <>
          ; for <em class="warm">{percent(idle)}</em> of the time {leftOut ? 'none of them' : 'nothing'} was at work
        </>
      )}
      {!stands && serial > 0.02 && (
        <>
          ; for <em class="warm">{share(a, 'serial', percent)}</em> of the time only one {leftOut && 'of them '}could
          work
        </>
      )}
    </>
  );
}

/** The length of the part of the run that is the program; NaN: it is the whole run, or unknown. */
function programOf(summary: Table | undefined): number {
  const row = summary ? rowsOf(summary, 'program').find((i) => summary.str('group', i) !== 'minor') : undefined;
  return row === undefined ? NaN : summary!.num('value', row);
}

/** `summary`: of the whole run; `recent`: of the last seconds of a recording that goes on. */
function Headline({ a, summary, recent }: { a: Answer; summary: Table | undefined; recent: Answer | null }) {
  const program = programOf(summary);
  return (
    <>
      <h1 class="headline">
        <Sentence a={a} />
        {report && narrowed.value && ' (in the whole run)'}.
      </h1>
      <p class="lede">
        {recent ? (
          <>
            In the last {LAST}: <Sentence a={recent} />.
          </>
        ) : (
          !narrowed.value &&
          !Number.isNaN(program) && (
            <>
              {isOfProgram() ? 'Start-up and shutdown are left out' : 'Start-up and shutdown are counted'}: the program
              itself took <strong>{duration(program)}</strong> of {duration(info.value!.end)}.{' '}
              <button type="button" class="button quiet" onClick={() => own('of', isOfProgram() ? 'run' : '')}>
                {isOfProgram() ? 'Show the whole run' : 'Show the program'}
              </button>
              <ProgramAlone text="Leave them out in all views" />
            </>
          )
        )}
      </p>
    </>
  );
}

/** What the headline leaves out: too few to run, readiness beside idle schedulers, and who worked alone. */
function Parallel({ a, people }: { a: Answer; people: People }) {
  const span = number(a, 'span_ns');
  const alone = a.tables.alone!;
  const first = alone.rows ? { id: alone.num('process', 0), ns: alone.num('ns', 0) } : null;
  const held = a.meta.held_up_ns === null ? 0 : number(a, 'held_up_ns') / span;
  const several = isSeveral(a);
  return (
    <p class="lede">
      {several && a.meta.below_ns !== null && (
        <>
          For <strong>{share(a, 'below', percent)}</strong> of the time fewer processes were at work or runnable than
          there are schedulers.{' '}
        </>
      )}
      {held > 0.005 && (
        <>
          For <strong>{share(a, 'held_up', percent)}</strong> of the time a process was runnable while a scheduler was
          idle.{' '}
        </>
      )}
      {first && several && first.ns / span > 0.005 && (
        <>
          Most often{' '}
          <strong>
            <Who of={people.named(first.id)} id={first.id} />
          </strong>{' '}
          was at work alone, while no other process was runnable: {duration(first.ns)}, {percent(first.ns / span)} of
          the time.
        </>
      )}
    </p>
  );
}

/** Returns the run time in the range for a saved report, from the buckets of the whole run that it holds. */
function useSavedRun(): number | null {
  const t = useAnswer(report && narrowed.value ? wholeTimeline() : null).value?.tables.timeline;
  const [from, to] = range.value;
  if (!t) return null;
  let sum = 0;
  for (let i = 0; i < t.rows; i++) {
    const [start, dur] = [t.num('start', i), t.num('dur', i)];
    const inside = Math.min(to, start + dur) - Math.max(from, start);
    if (inside > 0) sum += ((t.num('running_ns', i) || 0) + (t.num('gc_ns', i) || 0)) * (inside / dur);
  }
  return sum;
}

/** Returns the value of a row of the summary; NaN until it is known. */
function figureOf(t: Table | undefined, item: string): number {
  const i = Array.from({ length: t?.rows ?? 0 }, (_, row) => row).find((row) => t!.str('item', row) === item);
  return i === undefined ? NaN : t!.num('value', i);
}

/** `summary`: of the selected range, but of the whole run in a saved report. */
function Figures({ a, summary, recent }: { a: Answer; summary: Table | undefined; recent: Answer | null }) {
  const span = number(a, 'span_ns');
  const [from, to] = range.value;
  const gc = figureOf(summary, 'collected');
  const ready = number(a, 'ready_ns') / span;
  const saved = useSavedRun();
  const part = isPart(a);
  const all = part || (report && narrowed.value) ? ' in the whole run' : '';
  const known = (v: number, text: (v: number) => string) => (Number.isNaN(v) ? '–' : text(v));
  const figures: [string, string, string?][] = timed()
    ? [[`Duration${part ? ' of the whole run' : ''}`, duration(to - from)]]
    : [];
  const run_ns = figureOf(summary, 'ran');
  const ran = saved === null ? known(run_ns, duration) : `about ${duration(saved)}`;
  if (scheduled()) figures.push([`Run time${narrowed.value ? ' in it' : all}, summed over processes`, ran]);
  figures.push([`Processes${all}`, known(figureOf(summary, 'processes'), count)]);
  if (scheduled())
    figures.push([
      `Runnable${part ? ' in the program' : all}`,
      share(a, 'ready', three),
      (ready === 1 ? 'process on average' : 'processes on average') +
        (recent ? `, ${share(recent, 'ready', three)} in the last ${LAST}` : ''),
    ]);
  if (fact('gc'))
    figures.push([
      `Garbage collection${all}`,
      known(gc, duration),
      gc <= run_ns ? `${percent(gc / run_ns)} of run time` : undefined,
    ]);
  return (
    <dl class="figures">
      {figures.map(([name, value, note]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {value} {note && <small>{note}</small>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Returns the rows of the summary with this item: `look` is a finding, `note` what a reader has to know of the run. */
const rowsOf = (t: Table, item: string) =>
  Array.from({ length: t.rows }, (_, i) => i).filter((i) => t.str('item', i) === item);

/** The findings and notes, in the order of the summary; a note has no gain and leads nowhere. */
function Looks({ t }: { t: Table }) {
  const shown = Array.from({ length: t.rows }, (_, i) => i).filter((i) => LOOKS.has(t.str('item', i) ?? ''));
  return (
    <ul class="looks">
      {shown.map((i) => {
        const share = t.num('value', i) / 1e6;
        const text = t.str('text', i) ?? '';
        const to = linkOf(t.str('see', i) ?? '');
        const cure = t.str('item', i + 1) === 'cure' ? t.str('text', i + 1) : null;
        if (t.str('item', i) !== 'look')
          return (
            <li key={i} class="note">
              <p>{sentence(text)}</p>
            </li>
          );
        return (
          <li key={i}>
            <span class="share">
              {percent(share)}
              <small>
                <i style={{ width: `${Math.min(100, share * 100)}%` }} />
              </small>
            </span>
            <p>
              {unbroken(text)}
              {cure && <span class="cure">Cure: {cure}</span>}
            </p>
            {to && (
              <a class="button" href={address({ own: {}, fn: null, group: null, ...to })} aria-label={`Show: ${text}`}>
                Show
              </a>
            )}
          </li>
        );
      })}
      {!shown.some((i) => t.str('item', i) !== 'note') && (
        <li class="note">
          <p>Nothing stands out.</p>
        </li>
      )}
    </ul>
  );
}

const LOOKS = new Set(['look', 'note', 'nothing']);
/** Rows of the summary that the page shows elsewhere: as findings, in the headline, as figures, or as bars. */
const SHOWN_ELSEWHERE = new Set([
  ...LOOKS,
  'cure',
  'length',
  'processes',
  'parallelism',
  'too few to run',
  'serial',
  'idle',
  'ready beside idle',
  'ran',
  'collected',
  'was ready',
]);

/** The other rows of the summary: the node, what was recorded, losses, the cost of tracing. */
function Facts({ t }: { t: Table }) {
  const facts = Array.from({ length: t.rows }, (_, i) => i).filter(
    (i) => !SHOWN_ELSEWHERE.has(t.str('item', i)!) && t.str('group', i) !== 'minor',
  );
  const whole = report || !narrowed.value;
  return (
    <dl class="run" aria-label={whole ? 'The whole run' : 'The time range'}>
      {whole && narrowed.value && <div>Of the whole run:</div>}
      {facts.map((i) => (
        <div key={i}>
          <dt>{t.str('item', i)}</dt> <dd>{t.str('text', i)}</dd>
        </div>
      ))}
    </dl>
  );
}

function Levels({ a }: { a: Answer }) {
  const t = a.tables.level!;
  const span = number(a, 'span_ns');
  const schedulers = number(a, 'schedulers'); // NaN if unknown: then no bar is low
  // at most twelve bars: neighbours share one
  const per = Math.max(1, Math.ceil(t.rows / 12));
  const bars: { text: string; ns: number; kind: string }[] = [];
  for (let i = 0; i < t.rows; i++) {
    const k = t.num('running', i);
    const last = bars[bars.length - 1];
    if (k > 1 && per > 1 && last && (k - 2) % per !== 0) last.ns += t.num('ns', i);
    else
      bars.push({
        text: per > 1 && k > 1 ? `${k}–${k + per - 1}` : String(k),
        ns: t.num('ns', i),
        kind: k === 0 ? 'none' : k < schedulers ? 'low' : '',
      });
  }
  return (
    <div class="levels">
      {bars.flatMap((b) => [
        <span class="k" key={`${b.text}k`}>
          {b.text}
        </span>,
        <span class="track" key={`${b.text}t`}>
          <i class={b.kind} style={{ width: `${(100 * b.ns) / span}%` }} />
        </span>,
        <span class="v" key={`${b.text}v`}>
          {percent(b.ns / span)}
        </span>,
      ])}
    </div>
  );
}

function Overview() {
  const { value, error, loading } = useAnswer(api('overview', isOfProgram() ? { of: 'program' } : asked()));
  const recent = useAnswer(grows() && !narrowed.value ? api('overview', recently()) : null).value;
  const people = useMemo(() => new People(value?.tables.process), [value]);
  const names = elixir.value ? { elixir: 1 } : {};
  const summary = useAnswer(api('answer/summary', names));
  const here = useAnswer(api('answer/summary', report ? names : { ...names, ...within() })).value?.tables.answer;
  if (!scheduled() && rows('process') === 0)
    return (
      <Empty
        title="This profile is empty"
        text="No process was seen. Record a program that runs for a moment:"
        command="strobe record -- mix test"
      />
    );
  const ofWhat = report && narrowed.value ? 'the whole run' : value && isPart(value) ? "the program's time" : 'time';
  // the picture shows at once; figures that take longer appear in their reserved places
  return (
    <>
      <Busy on={loading} />
      <Problem error={error} />
      {value ? (
        scheduled() ? (
          <Headline a={value} summary={summary.value?.tables.answer} recent={recent} />
        ) : (
          <Title>Overview</Title>
        )
      ) : (
        loading && <div class="room-for-why" />
      )}
      <div class="columns why">
        <Panel
          title="Findings"
          sub={narrowed.value ? 'in the whole run' : undefined}
          tools={
            scheduled() && (
              <a class="button quiet" href={href('findings')} aria-label="All, and where the time went">
                All, and where the time went
              </a>
            )
          }
        >
          {summary.value && !scheduled() && !rowsOf(summary.value.tables.answer!, 'look').length ? (
            <p class="body soft">What limited the run is unknown, because it was not recorded when processes ran.</p>
          ) : summary.value ? (
            <Looks t={summary.value.tables.answer!} />
          ) : (
            summary.loading && <div class="room-for-looks" />
          )}
          <Problem error={summary.error} />
        </Panel>
        {scheduled() && (
          <Panel title="How many were at work at once" sub={`share of ${ofWhat}; dirty schedulers and ports included`}>
            {value && <Levels a={value} />}
            {value && <Twin table={value.tables.level!} label="How many were at work at once" />}
          </Panel>
        )}
      </div>
      {scheduled() ? (
        <Activity capacity={value ? (value.meta.schedulers === null ? 0 : Number(value.meta.schedulers)) : null} />
      ) : (
        timed() && (
          <Empty
            title="When processes ran was not recorded"
            text="Record it with:"
            command="strobe record --trace all -- CMD"
          />
        )
      )}
      {value && scheduled() && <Parallel a={value} people={people} />}
      {value && <Figures a={value} summary={here} recent={recent} />}
      {value && here && <Facts t={here} />}
    </>
  );
}
