// A file that is dropped onto the page. The server opens the files that it was started with, or those of its folder,
// and a page does not learn where a dropped file lies: its name is looked for among these, and nothing of it is read.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { START } from '../lib/route';
import { messageOf } from '../state/data';
import { lookAgain, profiles } from '../state/info';
import { go, place } from '../state/place';
import { report } from '../state/report';
import { viewOf } from '../views/index';

/** Opens another profile, in the same view. */
export function openProfile(n: number) {
  const { view } = place.value;
  go({ ...START, view: viewOf(view)?.under ?? view, profile: n });
}

const refused = signal<string | null>(null);
async function openDropped(name: string) {
  try {
    await lookAgain();
    const t = profiles.value!;
    const found = Array.from({ length: t.rows }, (_, i) => i).filter((i) => t.str('path', i) === name);
    if (found.length === 1) openProfile(found[0]!);
    refused.value =
      found.length === 1
        ? null
        : found.length
          ? `${found.length} files that are served have the name ${name}: choose one in the list.`
          : `${name} is none of the files that are served, and the page reads no others. strobe serve FILE shows it.`;
  } catch (e) {
    refused.value = messageOf(e);
  }
}

export function useDrop() {
  useEffect(() => {
    if (report) return undefined;
    const over = (e: DragEvent) => e.dataTransfer?.types.includes('Files') && e.preventDefault();
    const drop = (e: DragEvent) => {
      const file = e.dataTransfer?.files[0];
      if (!file) return;
      e.preventDefault();
      void openDropped(file.name);
    };
    addEventListener('dragover', over);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('drop', drop);
    };
  }, []);
}

export const Refused = () =>
  refused.value ? (
    <div class="notice" role="alert">
      <b>Not opened.</b>
      <span>{refused.value}</span>
      <button type="button" class="button quiet" onClick={() => (refused.value = null)}>
        Dismiss
      </button>
    </div>
  ) : null;
