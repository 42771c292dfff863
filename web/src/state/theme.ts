// Light or dark: the system's choice unless the user made one. Canvases read the colours from the style sheet.
import { signal, effect } from '@preact/signals';

const system = matchMedia('(prefers-color-scheme: dark)');
const stored = (() => {
  try {
    return localStorage.getItem('strobe-theme');
  } catch {
    return null; // a page that is a file may have no storage
  }
})();
export const theme = signal<'light' | 'dark'>(
  stored === 'light' || stored === 'dark' ? stored : system.matches ? 'dark' : 'light',
);
system.addEventListener('change', () => {
  if (!stored) theme.value = system.matches ? 'dark' : 'light';
});

export interface Palette {
  ink: string;
  soft: string;
  faint: string;
  line: string;
  strong: string;
  panel: string;
  paper: string;
  accent: string;
  run: string;
  ready: string;
  gc: string;
  dirty: string;
  wait: string;
  handover: string;
  unknown: string;
  bad: string;
}
export const palette = signal<Palette>(undefined as unknown as Palette);
effect(() => {
  document.documentElement.dataset.theme = theme.value;
  const s = getComputedStyle(document.documentElement);
  const v = (name: string) => s.getPropertyValue(`--${name}`).trim();
  palette.value = {
    ink: v('ink'),
    soft: v('soft'),
    faint: v('faint'),
    line: v('line'),
    strong: v('line-strong'),
    panel: v('panel'),
    paper: v('paper'),
    accent: v('accent'),
    run: v('run'),
    ready: v('ready'),
    gc: v('gc'),
    dirty: v('dirty'),
    wait: v('wait'),
    handover: v('handover'),
    unknown: v('unknown'),
    bad: v('bad'),
  };
});
export function turnTheme() {
  theme.value = theme.value === 'dark' ? 'light' : 'dark';
  try {
    localStorage.setItem('strobe-theme', theme.value);
  } catch {
    /* the choice is not stored */
  }
}
// Ten colours that the colour-blind can distinguish on both backgrounds; groups get them by rank of run time.
const GROUPS = {
  light: ['#3f72c9', '#1d9e74', '#d98200', '#2d4a8a', '#6a7f1f', '#c4503c', '#3aa5c0', '#7d62c4', '#9a6b3a', '#5d6b7c'],
  dark: ['#6f9df0', '#2bb58a', '#f0a52a', '#c4d0f5', '#a9bf4a', '#ef7f6b', '#5cc3de', '#a58cf0', '#c99a66', '#8f9caf'],
};
export const groupColours = () => GROUPS[theme.value];
