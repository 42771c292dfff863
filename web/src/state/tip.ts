// The content of the tooltip, and the position of the pointer.
import { signal } from '@preact/signals';

export interface TipContent {
  title: string | (() => string); // a function if the text is not known yet
  rows?: [string, string][];
  note?: string;
}
export const tip = signal<(TipContent & { x: number; y: number }) | null>(null);
