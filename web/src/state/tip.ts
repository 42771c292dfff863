// What the tooltip shows, and where the pointer is.
import { signal } from '@preact/signals';

export interface TipContent {
  title: string | (() => string); // a function: of what is not known yet
  rows?: [string, string][];
  note?: string;
}
export const tip = signal<(TipContent & { x: number; y: number }) | null>(null);
