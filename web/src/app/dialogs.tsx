// The command palette, and the list of keys with the licences of what the page contains.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { at as moment, duration, parseRange, parseTime } from '../lib/format';
import { score } from '../lib/fuzzy';
import { fullTitle, functionName } from '../lib/names';
import { api, useAnswer } from '../state/data';
import { dialog } from '../state/dialog';
import { elixir, rows, timed } from '../state/info';
import { named } from '../state/people';
import { go, look, range, run, view } from '../state/place';
import { later } from '../lib/document';
import { around } from '../lib/window';
import { views } from '../views/index';
import { keysNow } from './keys';

const shut = () => (dialog.value = null);

interface Command {
  text: string;
  kind: string;
  act: () => void;
}

function useCommands(query: string): Command[] {
  const find = query.trim().toLowerCase();
  const people = useAnswer(api('processes', { find, n: 12 })).value?.tables.processes;
  const marks = useAnswer(rows('mark') > 0 ? api('answer/marks', { limit: 2000 }) : null).value?.tables.answer;
  const functions = useAnswer(rows('function') > 0 ? api('answer/functions', { limit: 5000 }) : null).value?.tables
    .answer;
  return useMemo(() => {
    const all: Command[] = views()
      .filter((v) => v.section)
      .map((v) => ({
        text: v.name,
        kind: v.key ? `view · g ${v.key}` : 'view',
        act: () => view(v.route),
      }));
    for (const k of keysNow())
      all.push({ text: k.what[0]!.toUpperCase() + k.what.slice(1), kind: k.keys[0]!, act: k.act });
    const found = all.map((c) => ({ c, s: score(find, c.text) })).filter((x) => x.s >= 0);
    const piece = parseRange(find);
    const list = (find ? found.sort((a, b) => b.s - a.s) : found).map((x) => x.c);
    if (piece)
      list.unshift({
        text: `Look at ${duration(piece[0])} to ${duration(piece[1])}`,
        kind: 'time',
        act: () => look(piece),
      });
    // a number without a unit is more likely part of a name
    const time = /[a-zµ]/.test(find) && timed() ? parseTime(find) : null;
    if (time !== null && time <= run.value[1])
      list.unshift({
        text: `Go to ${moment(time)}`,
        kind: 'time',
        act: () => look(around(time, range.value, run.value)),
      });
    for (let i = 0, n = 0; marks && find && i < marks.rows && n < 12; i++) {
      const [text, time] = [marks.str('text', i) ?? '', marks.num('at', i)];
      if (score(find, text) < 0) continue;
      n++;
      list.push({
        text: `${text} at ${moment(time)}`,
        kind: 'mark',
        act: () => look(around(time, range.value, run.value)),
      });
    }
    if (people)
      for (let i = 0; i < people.rows; i++)
        list.push({
          text: fullTitle(named(people, i), elixir.value),
          kind: 'process',
          act: () => view('process', String(people.num('id', i))),
        });
    if (functions && find)
      for (let i = 0, n = 0; i < functions.rows && n < 12; i++) {
        const mfa = functions.str('function', i) ?? '';
        if (score(find, mfa) < 0) continue;
        n++;
        list.push({
          text: functionName(mfa, elixir.value),
          kind: 'function',
          act: () => go({ view: 'calls', id: null, own: {}, fn: mfa }),
        });
      }
    return list.slice(0, 60);
  }, [find, people, functions, marks, elixir.value]);
}

function Veil({ label, children }: { label: string; children: preact.ComponentChildren }) {
  const back = useRef(document.activeElement as HTMLElement | null);
  useEffect(() => () => back.current?.focus?.(), []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc closes it (keys.tsx)
    // biome-ignore lint/a11y/noStaticElementInteractions: the same
    <div class="veil" onClick={(e) => e.target === e.currentTarget && shut()}>
      <div class="dialog" role="dialog" aria-modal="true" aria-label={label}>
        {children}
      </div>
    </div>
  );
}

export function Palette() {
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  const commands = useCommands(query);
  const chosen = Math.min(at, commands.length - 1);
  useEffect(() => field.current?.focus(), []);
  useEffect(() => document.getElementById(`command-${chosen}`)?.scrollIntoView({ block: 'nearest' }), [chosen]);
  const take = (c: Command | undefined) => {
    shut();
    c?.act();
  };
  const press = (e: KeyboardEvent) => {
    const step = e.key === 'ArrowDown' ? 1 : e.key === 'ArrowUp' ? -1 : 0;
    if (step) {
      e.preventDefault();
      setAt((chosen + step + commands.length) % Math.max(1, commands.length));
    } else if (e.key === 'Enter') take(commands[chosen]);
  };
  return (
    <Veil label="Find or go to">
      <input
        ref={field}
        class="search"
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls="commands"
        aria-activedescendant={`command-${chosen}`}
        aria-label="Find or go to"
        placeholder="A view, a process, a function, a time (500ms, 10ms-20ms), a mark…"
        value={query}
        onKeyDown={press}
        onInput={(e) => {
          setQuery(e.currentTarget.value);
          setAt(0);
        }}
      />
      <div id="commands" role="listbox" aria-label="Commands">
        {commands.map((c, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the focus and handles the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the same; aria-activedescendant names the option
          <div
            key={`${c.kind} ${c.text} ${i}`}
            id={`command-${i}`}
            role="option"
            aria-selected={i === chosen}
            onPointerMove={() => setAt(i)}
            onClick={() => take(c)}
          >
            <span>{c.text}</span>
            <small>{c.kind}</small>
          </div>
        ))}
      </div>
    </Veil>
  );
}

const POINTER: [string, string][] = [
  ['drag', 'narrow the time range, on every view'],
  ['Shift drag', 'move along'],
  ['Ctrl wheel', 'zoom at the pointer'],
  ['double click', 'the whole run'],
  ['Ctrl K, 10ms-20ms', 'exactly that time range'],
  ['Ctrl K, 500ms', 'around that moment'],
];
const SHOWN: Record<string, string> = { ArrowLeft: '←', ArrowRight: '→', Escape: 'Esc' };

function Licences() {
  const [text, setText] = useState('');
  return (
    <details class="licences" onToggle={() => void later('notice.txt').then(setText)}>
      <summary>Licences</summary>
      <pre>{text}</pre>
    </details>
  );
}

export function Help() {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <Veil label="Keys">
      <h2>Keys</h2>
      <div class="keys" ref={box} tabIndex={-1}>
        {keysNow().flatMap((k) => [
          <span key={`${k.what}k`}>
            {k.keys.map((n) => (
              <>
                <kbd key={n}>{n.replace('+Arrow', ' Arrow').replace(/Arrow\w+|Escape/, (k) => SHOWN[k] ?? k)}</kbd>{' '}
              </>
            ))}
          </span>,
          <span key={k.what}>{k.what}</span>,
        ])}
        <span>
          <kbd>Ctrl K</kbd>
        </span>
        <span>find or go to anything</span>
        <span>
          <kbd>g</kbd> …
        </span>
        <span>
          {views()
            .filter((v) => v.key)
            .map((v) => `${v.key} ${v.name.toLowerCase()}`)
            .join(', ')}
        </span>
        {POINTER.flatMap(([k, what]) => [
          <span key={k} class="soft">
            {k}
          </span>,
          <span key={what}>{what}</span>,
        ])}
      </div>
      <Licences />
    </Veil>
  );
}
