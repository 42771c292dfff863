// The frame around every view: the rail, the run with the window looked at, what is ticked, and what went wrong.
import { useEffect, useErrorBoundary, useMemo, useRef, useState } from 'preact/hooks';
import { copy } from '../lib/clipboard';
import { count, duration, percent } from '../lib/format';
import { fullTitle, functionName, groupTitle } from '../lib/names';
import { START } from '../lib/route';
import type { Table } from '../lib/table';
import { scaleX } from '../draw/axis';
import { drawActivity } from '../draw/area';
import { Stage } from '../draw/stage';
import { Still } from '../draw/still';
import { dialog } from '../state/dialog';
import { api, useAnswer } from '../state/data';
import { analysing, books, elixir, fact, failure, info, rows, timed } from '../state/info';
import { named } from '../state/people';
import { go, href, look, narrowed, place, range, run } from '../state/place';
import { report } from '../state/report';
import { wholeTimeline } from '../state/timeline';
import { palette, theme, turnTheme } from '../state/theme';
import { tip } from '../state/tip';
import { VIEWS, viewOf } from '../views/index';
import { Empty } from '../ui/bits';
import { Help, Palette } from './dialogs';
import { useKeys } from './keys';
import { Tip } from './tip';

function Mark() {
  return (
    <svg width="24" height="24" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="#14181f" />
      <path d="M6 8h9v4H6zm11 0h4v4h-4zM6 20h4v4H6zm7 0h13v4H13z" fill="#23a67a" />
      <path d="M9 14h14v4H9z" fill="#e69f00" />
    </svg>
  );
}

function Rail() {
  const here = place.value.view === 'process' ? 'processes' : place.value.view;
  const sections = [...new Set(VIEWS.map((v) => v.section).filter(Boolean))];
  return (
    <nav class="rail" aria-label="Views">
      <a class="brand" href={href('overview')}>
        <Mark />
        <span>strobe</span>
      </a>
      {sections.map((s) => (
        <div key={s}>
          <h2>{s}</h2>
          <ul>
            {VIEWS.filter((v) => v.section === s).map((v) => (
              <li key={v.route}>
                <a href={href(v.route)} aria-current={v.route === here ? 'page' : undefined}>
                  <svg
                    viewBox="0 0 16 16"
                    fill="none"
                    stroke="currentColor"
                    stroke-width="1.6"
                    stroke-linecap="round"
                    stroke-linejoin="round"
                    aria-hidden="true"
                  >
                    <path d={v.icon} />
                  </svg>
                  <span>{v.name}</span>
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <div class="foot">
        <button
          type="button"
          class="button quiet"
          onClick={turnTheme}
          aria-label={theme.value === 'dark' ? 'Light colours' : 'Dark colours'}
          title="Light or dark"
        >
          {theme.value === 'dark' ? '☀' : '☾'}
        </button>
        <button
          type="button"
          class="button quiet"
          onClick={() => (dialog.value = 'help')}
          aria-label="Keys"
          title="Keys (?)"
        >
          ?
        </button>
        <span>{info.value ? info.value.version : ''}</span>
      </div>
    </nav>
  );
}

/** The whole run as a strip, the window on it: drag to look at a part, on every view. */
function Strip() {
  const { value } = useAnswer(wholeTimeline());
  const [from, to] = range.value;
  const p = palette.value;
  const still = useMemo(() => new Still(), []);
  const draw = useMemo(
    () => (g: CanvasRenderingContext2D, w: number, h: number) => {
      const box = { x: 0, y: 3, w, h: h - 5 };
      const t = value?.tables.timeline;
      if (t)
        still.show(g, w, h, [t, p.run], (pen) =>
          drawActivity(pen, t, run.value, box, [{ columns: ['running_ns', 'gc_ns'], colour: p.run }], p),
        );
      g.fillStyle = p.line;
      g.fillRect(0, h - 2, w, 1);
      if (!narrowed.value) return;
      const x = scaleX(run.value, box);
      const [a, b] = [x(from), Math.max(x(to), x(from) + 2)];
      g.fillStyle = p.panel;
      g.globalAlpha = 0.72;
      g.fillRect(0, 0, a, h);
      g.fillRect(b, 0, w - b, h);
      g.globalAlpha = 1;
      g.fillStyle = p.accent;
      g.fillRect(a - 1, 0, 2, h);
      g.fillRect(b - 1, 0, 2, h);
    },
    [value, from, to, p],
  );
  return (
    <Stage
      height={38}
      label="The whole run; the window looked at is marked"
      draw={draw}
      time={{ left: 0, right: 0 }}
      window={() => run.value}
    />
  );
}

function Chip({ text, drop, label }: { text: string; drop: () => void; label: string }) {
  return (
    <span class="chip">
      <span>{text}</span>
      <button type="button" onClick={drop} aria-label={label} title={label}>
        ×
      </button>
    </span>
  );
}

/** The name of the profile; of several, a list to choose from. */
function Profiles() {
  const t = books.value;
  if (!t?.rows) return null;
  const name = (i: number) => t.str('path', i) ?? '';
  if (t.rows === 1)
    return (
      <span class="what" title={name(0)}>
        {name(0)}
      </span>
    );
  const { view, profile } = place.value;
  const choose = (n: number) => go({ ...START, view: view === 'process' ? 'processes' : view, profile: n });
  const state = (i: number) => (t.str('state', i) === 'failed' ? ' (failed)' : '');
  return (
    <select
      class="field what"
      aria-label="Profile"
      value={String(profile)}
      onChange={(e) => choose(Number(e.currentTarget.value))}
    >
      {Array.from({ length: t.rows }, (_, i) => (
        <option key={i} value={String(i)}>
          {name(i)}
          {state(i)}
        </option>
      ))}
    </select>
  );
}

/** Where the frame is not there yet: the other profiles all the same. */
const Choose = () =>
  books.value && books.value.rows > 1 ? (
    <div style={{ padding: '12px', textAlign: 'center' }}>
      <Profiles />
    </div>
  ) : null;

/** Whom the selection names. */
function useSelected(): { ticked: string; group: string } {
  const { ticked, group } = place.value;
  const one = useAnswer(ticked.length === 1 ? api('ask/process', { id: ticked[0]! }) : null).value?.tables.process;
  const groups = useAnswer(group !== null ? api('ask/tree') : null).value?.tables.group;
  const at = groups && group !== null ? groups.nums('id').indexOf(group) : -1;
  return {
    ticked:
      ticked.length > 1
        ? `${ticked.length} processes`
        : one?.rows
          ? fullTitle(named(one, 0), elixir.value)
          : `process ${ticked[0]}`,
    group: at >= 0 ? groupTitle(named(groups!, at), groups!.num('processes', at), elixir.value) : `group ${group}`,
  };
}

/** The address of what is shown, for somebody else: with the token, which the address bar does not have. */
function CopyLink() {
  const [said, say] = useState<string | null>(null); // null: not asked; a link: the clipboard would not take it
  const here = place.value;
  useEffect(() => say(null), [here]);
  const take = async () => {
    const page = report
      ? location.href.split('#')[0]!
      : await fetch('api/link').then(
          (r) => (r.ok ? r.text() : location.origin),
          () => location.origin,
        );
    const link = `${page}${location.hash}`;
    say((await copy(link)) ? '' : link);
  };
  if (said)
    return <input class="field" aria-label="Link to this view" readOnly value={said} ref={(e) => e?.select()} />;
  return (
    <button
      type="button"
      class="button quiet"
      onClick={() => void take()}
      title="The address of this view, with the token that opens it"
    >
      {said === '' ? 'Copied' : 'Copy link'}
    </button>
  );
}

function Head() {
  const i = info.value!;
  const p = place.value;
  const [from, to] = range.value;
  const selected = useSelected();
  const nodes = i.answer.tables.node;
  return (
    <header class="head">
      <div class="row">
        <Profiles />
        <span class="faint">
          {timed() ? duration(i.end) : 'no times known'} · {count(rows('process'))} processes
          {nodes && nodes.rows > 1 ? ` · ${nodes.rows} nodes` : ''}
        </span>
        <div class="chips" aria-live="polite">
          {narrowed.value && (
            <Chip
              text={`${duration(to - from)} from ${duration(from)}`}
              drop={() => look(null)}
              label="Show the whole run"
            />
          )}
          {p.ticked.length > 0 && (
            <Chip text={selected.ticked} drop={() => go({ ticked: [] })} label="Clear the selected processes" />
          )}
          {p.fn && (
            <Chip text={functionName(p.fn, elixir.value)} drop={() => go({ fn: null })} label="Clear the function" />
          )}
          {p.group !== null && <Chip text={selected.group} drop={() => go({ group: null })} label="Clear the group" />}
          <CopyLink />
          <button type="button" class="button quiet" onClick={() => (dialog.value = 'palette')}>
            Find or go to <kbd>Ctrl K</kbd>
          </button>
        </div>
      </div>
      {timed() && <Strip />}
    </header>
  );
}

/** What was lost: a class of events, or ("any") events of which nothing is known. */
const kindOf = (t: Table, i: number) => (t.str('class', i) ?? 'any').replace(/^any$/, 'events');

/** Events that were dropped, by class; places that could not be read are another matter. */
export function lossText(t: Table): string {
  const sums = new Map<string, number>();
  for (let i = 0; i < t.rows; i++) sums.set(kindOf(t, i), (sums.get(kindOf(t, i)) ?? 0) + (t.num('events', i) || 0));
  const damage = sums.get('damage') ?? 0;
  sums.delete('damage');
  const lost = sums.size ? `Lost while recording: ${[...sums].map(([k, n]) => `${count(n)} ${k}`).join(', ')}. ` : '';
  return (
    lost +
    (damage
      ? `${damage === 1 ? '1 place of the trace is' : `${count(damage)} places of the trace are`} damaged, and what they held is not here. `
      : '')
  );
}

/** How fine a saved report is: what is shorter than its buckets is an average over one. */
function Finest() {
  const t = useAnswer(report ? wholeTimeline() : null).value?.tables.timeline;
  return t?.rows ? (
    <>Its finest resolution is {duration(t.num('dur', 0))}: anything shorter is an average over that time. </>
  ) : null;
}

/** What everybody has to know of the run before looking at any view of it. */
function Notices() {
  const t = info.value?.answer.tables.loss;
  const notices = [];
  if (!timed())
    notices.push(
      <div class="notice" key="timed" role="status">
        <b>No times are known.</b>
        <span>
          The trace has no time stamps: what can be counted is told, in the order of the file; when things happened and
          how long they took is not.
        </span>
      </div>,
    );
  if (t && t.rows > 0)
    notices.push(
      <div class="notice" key="loss" role="status">
        <b>Part of the run is missing.</b>
        <span>{lossText(t)} Times around a gap count as unknown.</span>
      </div>,
    );
  if (report && (narrowed.value || place.value.ticked.length))
    notices.push(
      <div class="notice" key="report" role="status">
        <b>A saved report.</b>
        <span>
          Pictures over time follow the time range and the selected processes; sums, calls and messages are of the whole
          run and of all processes. <Finest />
          strobe serve narrows all of them.
        </span>
      </div>,
    );
  if (fact('replaced'))
    notices.push(
      <div class="notice" key="replaced" role="status">
        <b>The profile was replaced on disk.</b>
        <span>This page still shows the one that was opened; start strobe serve again for the new one.</span>
      </div>,
    );
  return <>{notices}</>;
}

function Body() {
  const [error, reset] = useErrorBoundary((e: unknown) => console.error(e));
  const where = place.value.view;
  useEffect(() => reset(), [where, place.value.id]);
  const v = viewOf(where);
  if (error)
    return (
      <Empty
        title="This view met an error"
        text={error instanceof Error ? error.message : String(error)}
        command="strobe report P   # the same answers as text"
      />
    );
  if (!v)
    return (
      <Empty
        title="There is no such view"
        text={`Nothing is called "${where}". The rail on the left lists the views.`}
      />
    );
  return <v.body key={`${v.route} ${place.value.id ?? ''}`} />;
}

export function Shell() {
  const main = useRef<HTMLElement>(null);
  const where = place.value.view;
  useKeys();
  useEffect(() => {
    main.current?.scrollTo(0, 0);
    tip.value = null; // what it describes is gone
  }, [where, place.value.id]);
  const profile = books.value?.rows ? books.value.str('path', place.value.profile) : null;
  useEffect(() => {
    document.title = [viewOf(where)?.name ?? where, profile, 'strobe'].filter(Boolean).join(' · ');
  }, [where, profile]);
  if (analysing.value !== null && !info.value)
    return (
      <main class="empty">
        <Choose />
        <h1>Analysing the trace</h1>
        <div class="progress">
          <i style={{ width: `${100 * analysing.value}%` }} />
        </div>
        <p role="status">{percent(analysing.value)} read. The page opens by itself when the profile is there.</p>
      </main>
    );
  if (!info.value)
    return failure.value ? (
      <main>
        <Choose />
        <Empty title="strobe could not show this" text={failure.value} />
      </main>
    ) : (
      <div class="busy" />
    );
  return (
    <div class="frame">
      <Rail />
      <Head />
      <main class="view" ref={main} tabIndex={-1}>
        {failure.value && (
          <div class="notice bad" role="alert">
            <b>Something in this page failed.</b>
            <span style={{ whiteSpace: 'pre-wrap' }}>{failure.value}</span>
            <button type="button" class="button quiet" onClick={() => (failure.value = null)}>
              Dismiss
            </button>
          </div>
        )}
        <Notices />
        <Body />
      </main>
      <Tip />
      {dialog.value === 'palette' && <Palette />}
      {dialog.value === 'help' && <Help />}
    </div>
  );
}
