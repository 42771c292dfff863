// The messages between lanes: whether they are drawn as arrows, how many are not, and all of them as a table.
import { count, counted } from '../lib/format';
import { slug } from '../lib/names';
import type { Answer } from '../lib/table';
import { schedulerName } from '../state/info';
import { whoIs } from '../state/people';
import { href, inView, isOpen, own, showsFlows } from '../state/place';
import { MomentLink } from './bits';
import { Twin } from './grid';

const LABEL = 'The messages in view';
const COUNTED = 100000; // the server counts no more than that (serve/lane_flows.c)

export function Flows({ answer }: { answer: Answer }) {
  const all = answer.tables.flow;
  const n = Number(answer.meta.flows ?? 0);
  if (!all || n === 0) return null;
  const crowded = all.rows < n;
  const text = n >= COUNTED ? `over ${count(COUNTED)} messages` : counted(n, 'message');
  const table = isOpen(slug(LABEL)) ? inView(all, 'sent', (i) => all.num('received', i)) : all;
  const who = (c: string) => (i: number) => (
    <a href={href('process', String(table.num(c, i)))}>{whoIs(table.num(c, i))}</a>
  );
  const on = (c: string) => (i: number) => schedulerName(table.num(c, i));
  return (
    <>
      <div class="legend flows">
        <label class="with">
          <input
            type="checkbox"
            checked={showsFlows()}
            onChange={(e) => own('flows', e.currentTarget.checked ? '' : 'no')}
          />
          messages as arrows
        </label>
        <span class="faint">
          {text} in and around the view{crowded && ', too many to draw: zoom in to see them'}
        </span>
      </div>
      {!crowded && (
        <Twin
          table={table}
          label={LABEL}
          one
          instead={{
            from: who('from'),
            to: who('to'),
            sent: (i) => <MomentLink process={table.num('from', i)} at={table.num('sent', i)} />,
            received: (i) => <MomentLink process={table.num('to', i)} at={table.num('received', i)} />,
            from_scheduler: on('from_scheduler'),
            to_scheduler: on('to_scheduler'),
          }}
        />
      )}
    </>
  );
}
