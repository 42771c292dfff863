// A table as text for other programs: every cell in full, NULL as an empty cell.
import type { Table } from './table';

const quoted = (text: string, mark: string) =>
  text.includes(mark) || /["\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;

/** `mark` separates cells: a comma (RFC 4180), or a tab, which spreadsheets accept from the clipboard. */
export function separated(t: Table, mark: ',' | '\t'): string {
  const line = (cells: string[]) => cells.map((c) => quoted(c, mark)).join(mark);
  const rows = Array.from({ length: t.rows }, (_, i) => line(t.columns.map((c) => t.exact(c, i) ?? '')));
  return [line(t.columns.map((c) => c.name)), ...rows, ''].join(mark === ',' ? '\r\n' : '\n');
}
