// The frames of a flame graph: one that is clicked becomes the root.
import type { Table } from '../lib/table';
import { own } from '../state/place';
import type { TipContent } from '../state/tip';
import { focusOf } from './flame';
import { Stage, type Pen } from './stage';

interface Frames {
  t: Table;
  root: number;
  focus: string; // the parameter of the address that names the root
  height: number;
  label: string;
  draw: (pen: Pen, width: number, height: number) => void;
  rowAt: (x: number, y: number, w: number) => number | null;
  tip: (row: number) => TipContent;
}
export function Frames({ t, root, focus, height, label, draw, rowAt, tip }: Frames) {
  return (
    <>
      {root !== 0 && (
        <div class="body">
          <button type="button" class="button" onClick={() => own(focus, '')}>
            Show the whole tree
          </button>
        </div>
      )}
      <div
        style={{ maxHeight: '560px', overflow: 'auto', padding: '0 12px' }}
        tabIndex={0}
        role="group"
        aria-label={label}
      >
        <Stage
          height={height}
          label={label}
          draw={draw}
          hover={(x, y, w) => {
            const row = rowAt(x, y, w);
            return row === null ? null : tip(row);
          }}
          click={(x, y, w) => {
            const row = rowAt(x, y, w);
            if (row !== null) own(focus, focusOf(t, row));
          }}
        />
      </div>
    </>
  );
}
