// What a table or a picture gives to other programs.
import { useEffect, useState } from 'preact/hooks';
import { copy, save } from '../lib/clipboard';
import { separated } from '../lib/csv';
import type { Table } from '../lib/table';

/** Copies a table, or saves it, with all rows and columns, each cell in full. */
export function TakeTable({ table, label, name }: { table: Table; label: string; name: string }) {
  const [note, setNote] = useState('');
  useEffect(() => setNote(''), [table]);
  const copied = async () => setNote((await copy(separated(table, '\t'))) ? 'Copied' : 'The browser refused');
  const saved = () => save(`${name}.csv`, new Blob([separated(table, ',')], { type: 'text/csv' }));
  return (
    <div class="take">
      <span class="faint" role="status">
        {note}
      </span>
      <button type="button" class="button quiet" aria-label={`Copy table: ${label}`} onClick={() => void copied()}>
        Copy
      </button>
      <button type="button" class="button quiet" aria-label={`Save as CSV: ${label}`} onClick={saved}>
        CSV
      </button>
    </div>
  );
}
