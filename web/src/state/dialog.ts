// Which dialog is open, if any.
import { signal } from '@preact/signals';

export const dialog = signal<'palette' | 'help' | null>(null);
