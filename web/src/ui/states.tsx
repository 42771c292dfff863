// The states of a process as a legend: one word and one colour each, on every view.
import { palette, type Palette } from '../state/theme';
import { Keys, type Key } from './bits';

const STATE_KEYS = {
  running: (p) => ({ text: 'running', colour: p.run }),
  runnable: (p) => ({ text: 'runnable', colour: p.ready, look: 'hatched' }),
  waiting: (p) => ({ text: 'waiting', colour: p.wait }),
  gc: (p) => ({ text: 'collecting', colour: p.gc }),
  dirty: (p) => ({ text: 'dirty', colour: p.dirty }),
  handover: (p) => ({ text: 'dirty hand-over', colour: p.handover, title: 'between a normal and a dirty scheduler' }),
  unknown: (p) => ({ text: 'unknown', colour: p.unknown }),
} satisfies Record<string, (p: Palette) => Key>;
export type StateName = keyof typeof STATE_KEYS;

export const StateKeys = ({ of }: { of: StateName[] }) => <Keys of={of.map((s) => STATE_KEYS[s](palette.value))} />;
