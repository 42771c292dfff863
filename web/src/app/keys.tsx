// The keys of the page in one table, which the help dialog and the palette list.
import { useEffect } from 'preact/hooks';
import { pan, zoom } from '../lib/window';
import { dialog } from '../state/dialog';
import { go, look, narrowed, place, range, run, view } from '../state/place';
import { STEP } from '../state/windowed';
import { turnTheme } from '../state/theme';
import { elixir } from '../state/info';
import { momentKeys } from '../ui/moment';
import type { Key } from '../ui/view';
import { views, viewOf } from '../views/index';

const by = (share: number) => () => look(pan(range.value, run.value, share), true);
const to = (factor: number) => () => look(zoom(range.value, run.value, factor), true);

/** Esc clears one thing at a time: the selected slice or state, the time range, the function, the group, the selected
    processes. */
function giveBack() {
  const p = place.value;
  if (dialog.value) dialog.value = null;
  else if (document.activeElement instanceof HTMLInputElement || document.activeElement instanceof HTMLTextAreaElement)
    document.activeElement.blur();
  else if (p.at) go({ at: null });
  else if (narrowed.value) look(null);
  else if (p.fn) go({ fn: null });
  else if (p.group !== null) go({ group: null });
  else if (p.ticked.length) go({ ticked: [] });
}
function find() {
  const field = document.querySelector<HTMLInputElement>('.view input[type=search]');
  if (field) field.focus();
  else dialog.value = 'palette';
}

const KEYS: Key[] = [
  { keys: ['w', '+', '='], what: 'zoom in', act: to(STEP) },
  { keys: ['s', '-'], what: 'zoom out', act: to(1 / STEP) },
  { keys: ['a', 'ArrowLeft'], what: 'earlier', act: by(-0.2) },
  { keys: ['d', 'ArrowRight'], what: 'later', act: by(0.2) },
  { keys: ['Ctrl+ArrowLeft'], what: 'much earlier', act: by(-0.8) },
  { keys: ['Ctrl+ArrowRight'], what: 'much later', act: by(0.8) },
  { keys: ['Shift+ArrowLeft'], what: 'a little earlier', act: by(-0.02) },
  { keys: ['Shift+ArrowRight'], what: 'a little later', act: by(0.02) },
  { keys: ['0', 'Home'], what: 'the whole run', act: () => look(null) },
  { keys: ['/'], what: 'search in this view', act: find },
  { keys: ['Escape'], what: 'clear selection', act: giveBack },
  { keys: ['?'], what: 'these keys', act: () => (dialog.value = 'help') },
  { keys: ['l'], what: 'light or dark', act: turnTheme },
  { keys: ['e'], what: "Erlang's or Elixir's names", act: () => go({ names: elixir.value ? 'erlang' : 'elixir' }) },
];
/** The keys of the page, of what is selected, and of the current view. */
export const keysNow = (): Key[] => [...KEYS, ...momentKeys(), ...(viewOf(place.value.view)?.keys ?? [])];

const writing = (e: EventTarget | null) =>
  e instanceof HTMLElement && (e.matches('input:not([type=checkbox]), textarea, select') || e.isContentEditable);
const scrolls = (e: EventTarget | null) => e instanceof HTMLElement && e.closest('.grid, dialog, .dialog') !== null;

export function useKeys() {
  useEffect(() => {
    let before = '';
    const press = (e: KeyboardEvent) => {
      if ((e.ctrlKey || e.metaKey) && e.key.toLowerCase() === 'k') {
        e.preventDefault();
        dialog.value = dialog.value === 'palette' ? null : 'palette';
        return;
      }
      const arrow = e.key.startsWith('Arrow');
      if ((e.ctrlKey && !arrow) || e.metaKey || e.altKey) return;
      if (e.key !== 'Escape' && (writing(e.target) || dialog.value)) return;
      if ((arrow || e.key === 'Home') && scrolls(e.target)) return;
      const there = before === 'g' ? views().find((v) => v.key === e.key) : undefined;
      before = e.key;
      const held = !arrow ? '' : e.ctrlKey ? 'Ctrl+' : e.shiftKey ? 'Shift+' : '';
      const key = there ? null : keysNow().find((k) => k.keys.includes(held + e.key));
      if (!there && !key) return;
      e.preventDefault();
      if (there) view(there.route);
      else key!.act();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}
