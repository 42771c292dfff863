// Tables built from rows of other tables, and columns built from values.
import { Table, type Column, type Unit } from './table';

export const numberColumn = (name: string, unit: Unit, values: number[], doc = ''): Column => ({
  name,
  unit,
  doc,
  text: null,
  data: Float64Array.from(values),
});
export function textColumn(name: string, values: (string | null)[]): Column {
  const text = [null as unknown as string, ...new Set(values.filter((v) => v !== null))];
  const index = new Map(text.map((v, i) => [v as string | null, i]));
  return { name, unit: 'none', doc: '', text, data: Uint32Array.from(values, (v) => index.get(v)!) };
}

/** Returns some rows of a table in the given order. */
export function pick(t: Table, rows: number[]): Table {
  const columns = t.columns.map((c) => {
    const data = c.text ? new Uint32Array(rows.length) : new Float64Array(rows.length);
    rows.forEach((from, to) => {
      data[to] = c.data[from]!;
    });
    return { ...c, data, digits: c.digits && ((row: number) => c.digits!(rows[row]!)) };
  });
  return new Table(t.name, t.title, rows.length, t.leftOut, columns);
}

/** Returns the rows of a table that meet a condition. */
export const where = (t: Table, holds: (row: number) => boolean): Table =>
  pick(t, Array.from({ length: t.rows }, (_, i) => i).filter(holds));

/** Concatenates tables of the same columns. */
export function stack(tables: Table[]): Table {
  const first = tables[0]!;
  const rows = tables.reduce((n, t) => n + t.rows, 0);
  const columns = first.columns.map((c) => {
    if (!c.text) {
      const data = new Float64Array(rows);
      let at = 0;
      for (const t of tables) {
        data.set(t.column(c.name).data, at);
        at += t.rows;
      }
      return { ...c, data };
    }
    const text = [null as unknown as string];
    const index = new Map<string, number>();
    const data = new Uint32Array(rows);
    let at = 0;
    for (const t of tables)
      for (let i = 0; i < t.rows; i++, at++) {
        const s = t.str(c.name, i);
        if (s === null) continue;
        if (!index.has(s)) index.set(s, text.push(s) - 1);
        data[at] = index.get(s)!;
      }
    return { ...c, text, data };
  });
  return new Table(first.name, first.title, rows, 0, columns);
}
