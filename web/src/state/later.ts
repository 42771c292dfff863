// Scripts that few visits need: they are asked for when a view wants them.
import { useLayoutEffect, useState } from 'preact/hooks';
import { runLater } from '../lib/document';
import { begin, end } from './settled';

const coming = new Map<string, Promise<void>>();
/** Returns what a script gives, which is run once; undefined until then, or if nobody wants it. */
export function useLater<T>(file: string, given: () => T | undefined, wanted = true): T | undefined {
  const [value, set] = useState(given);
  useLayoutEffect(() => {
    if (!wanted || value) return;
    begin();
    const run = () =>
      runLater(file).finally(() => {
        if (given()) return;
        coming.delete(file);
        throw new Error(`This part of the page, ${file}, cannot be loaded: reload the page.`);
      });
    if (!coming.has(file)) coming.set(file, run());
    void coming
      .get(file)!
      .then(() => set(given))
      .finally(end);
  }, [wanted, value]);
  return value;
}
