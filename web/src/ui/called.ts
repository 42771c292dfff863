// Processes whose calls were recorded, and the address of their calls.
import { useMemo } from 'preact/hooks';
import { api, useAnswer } from '../state/data';
import { rows } from '../state/info';

/** Returns the ids of the processes that have a call tree; null where no calls were recorded. */
export function useCalled(): Set<number> | null {
  const t = useAnswer(rows('call_node') > 0 ? api('ask/called') : null).value?.tables.called;
  return useMemo(() => (t ? new Set(t.nums('process')) : null), [t]);
}
export const callsOf = (id: number) => ({ view: 'calls', id: null, ticked: [id], group: null, fn: null, own: {} });
