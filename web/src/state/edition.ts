// The edition of the profile that the page asks about while its trace is being written; null: there is only one.
import { signal } from '@preact/signals';

export const edition = signal<number | null>(null);
/** Returns a path without its edition: the same question about any edition. */
export const question = (path: string) => path.replace(/[?&]edition=\d+/, '');
