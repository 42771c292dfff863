// The head of every view: the profile, the run, the selected range, and the selection.
import { useEffect, useState } from 'preact/hooks';
import { copy } from '../lib/clipboard';
import { count, duration } from '../lib/format';
import { fullTitle, functionName, groupTitle } from '../lib/names';
import { dialog } from '../state/dialog';
import { api, useAnswer } from '../state/data';
import { profiles, elixir, info, rows, timed, tracedNodes } from '../state/info';
import { named } from '../state/people';
import { go, look, narrowed, place, range } from '../state/place';
import { report } from '../state/report';
import { viewOf } from '../views/index';
import { ProgramAlone } from '../ui/program';
import { openProfile } from './drop';
import { Live } from './live';
import { Strip } from './strip';

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

/** The name of the profile, or a list if there are several. */
function Profiles() {
  const t = profiles.value;
  if (!t?.rows) return null;
  const name = (i: number) => t.str('path', i) ?? '';
  if (t.rows === 1 || report)
    return (
      <span class="what" title={name(place.value.profile)}>
        {name(place.value.profile)}
      </span>
    );
  const state = (i: number) => (t.str('state', i) === 'failed' ? ' (failed)' : '');
  return (
    <select
      class="field what"
      aria-label="Profile"
      value={String(place.value.profile)}
      onChange={(e) => openProfile(Number(e.currentTarget.value))}
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

/** The list of profiles while the frame is not shown. */
export const Choose = () =>
  profiles.value && profiles.value.rows > 1 ? (
    <div style={{ padding: '12px', textAlign: 'center' }}>
      <Profiles />
    </div>
  ) : null;

/** Returns the names of the selected processes and group. */
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
    group:
      at >= 0
        ? groupTitle(named(groups!, at), groups!.str('entry', at), groups!.num('processes', at), elixir.value)
        : `group ${group}`,
  };
}

/** Copies a link to this view, with the token that the address bar does not have. */
function CopyLink() {
  const [note, setNote] = useState<string | null>(null); // null: not asked; '': copied; else the link, refused
  const here = place.value;
  useEffect(() => setNote(null), [here]);
  const take = async () => {
    const page = report
      ? location.href.split('#')[0]!
      : await fetch('api/link').then(
          (r) => (r.ok ? r.text() : location.origin),
          () => location.origin,
        );
    const link = `${page}${location.hash}`;
    setNote((await copy(link)) ? '' : link);
  };
  if (note)
    return <input class="field" aria-label="Link to this view" readOnly value={note} ref={(e) => e?.select()} />;
  return (
    <button
      type="button"
      class="button quiet"
      onClick={() => void take()}
      title="The address of this view, with the token that opens it"
    >
      {note === '' ? 'Copied' : 'Copy link'}
    </button>
  );
}

/** The sections whose views count start-up and shutdown. */
const WHOLE = new Set(['When', 'Who', 'What']);

export function Head() {
  const i = info.value!;
  const p = place.value;
  const [from, to] = range.value;
  const selected = useSelected();
  const nodes = tracedNodes();
  const shown = viewOf(p.view);
  const section = (shown?.under ? viewOf(shown.under) : shown)?.section ?? '';
  return (
    <header class="head">
      <div class="row">
        <Profiles />
        <span class="faint">
          {timed() ? duration(i.end) : 'times unknown'} · {count(rows('process'))} processes
          {nodes > 1 ? ` · ${nodes} nodes` : ''}
        </span>
        {WHOLE.has(section) && <ProgramAlone text="Leave out start-up and shutdown" />}
        <Live />
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
