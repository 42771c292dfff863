// What differs between two of the profiles that are served. Its body is a script of its own: views/diff/body.tsx.
import type { FunctionComponent } from 'preact';
import { argument, profiles } from '../state/info';
import { report } from '../state/report';
import { useLater } from '../state/later';
import { Empty } from '../ui/bits';
import type { View } from '../ui/view';

declare global {
  var strobeDiff: FunctionComponent | undefined;
}
const areSeveral = () => (profiles.value?.rows ?? 0) > 1;

export const diff: View = {
  route: 'diff',
  name: 'Difference',
  section: 'Why',
  icon: 'M5 2v8M2.5 7.5 5 10l2.5-2.5M11 14V6M8.5 8.5 11 6l2.5 2.5',
  key: 'd',
  shown: areSeveral,
  body: Difference,
};

function Difference() {
  const Body = useLater('diff.js', () => globalThis.strobeDiff, areSeveral());
  if (!areSeveral())
    return report ? (
      <Empty
        title="This report holds one profile"
        text="A report that compares it with another one comes from:"
        command={`strobe report ${argument()} --with OTHER --format html -o FILE`}
      />
    ) : (
      <Empty
        title="There is no other profile to compare with"
        text="The page compares profiles that are served together:"
        command={`strobe serve ${argument()} OTHER`}
      />
    );
  return Body ? <Body /> : null;
}
