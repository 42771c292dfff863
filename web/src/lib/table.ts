// What every answer of the server is: named tables of columns, as one block of bytes.
//
//     "SBC1" | u32 bytes of the header | header (JSON, padded to 8) | columns, each on a multiple of 8
//
// Numbers are 64-bit floats (nanoseconds stay exact up to 104 days), NULL is NaN; texts are u32 indices into the
// header's list of that column, 0 is NULL. Arrays are views into the block: nothing is copied.
export type Unit = 'none' | 'ns' | 'at_ns' | 'words' | 'bytes' | 'count' | 'id' | 'ppm';

export interface Column {
  name: string;
  unit: Unit;
  doc: string;
  text: string[] | null;
  data: Float64Array | Uint32Array;
}

interface ColumnHeader {
  name: string;
  unit: Unit;
  doc: string;
  at: number;
  texts?: string[];
}
interface TableHeader {
  name: string;
  title: string;
  rows: number;
  left_out: number;
  columns: ColumnHeader[];
}
export interface Header {
  meta: Record<string, number | string | boolean | null>;
  tables: TableHeader[];
}

export class Table {
  private readonly index: Map<string, Column>;
  constructor(
    readonly name: string,
    readonly title: string,
    readonly rows: number,
    readonly leftOut: number,
    readonly columns: Column[],
  ) {
    this.index = new Map(columns.map((c) => [c.name, c]));
  }
  has(name: string): boolean {
    return this.index.has(name);
  }
  column(name: string): Column {
    const c = this.index.get(name);
    if (!c) throw new Error(`the answer "${this.name}" has no column "${name}"`);
    return c;
  }
  /** All numbers of a column. */
  nums(name: string): Float64Array {
    return this.column(name).data as Float64Array;
  }
  /** One cell; NaN is NULL. */
  num(name: string, row: number): number {
    return this.column(name).data[row] as number;
  }
  str(name: string, row: number): string | null {
    const c = this.column(name);
    if (c.text) return c.text[c.data[row] as number] ?? null;
    return Number.isNaN(c.data[row]) ? null : String(c.data[row]);
  }
  /** A cell as the wire had it: number, text or NULL. */
  cell(c: Column, row: number): number | string | null {
    const v = c.data[row] as number;
    if (c.text) return c.text[v] ?? null;
    return Number.isNaN(v) ? null : v;
  }
}

export interface Answer {
  meta: Header['meta'];
  tables: Record<string, Table>;
}

const MAGIC = 0x31434253; // "SBC1"

export function decode(bytes: ArrayBuffer): Answer {
  const view = new DataView(bytes);
  if (bytes.byteLength < 8 || view.getUint32(0, true) !== MAGIC) throw new Error('the server sent something that is no answer');
  const length = view.getUint32(4, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 8, length))) as Header;
  const tables: Record<string, Table> = {};
  for (const t of header.tables) {
    const columns = t.columns.map((c): Column => ({
      name: c.name,
      unit: c.unit,
      doc: c.doc,
      text: c.texts ? [null as unknown as string, ...c.texts] : null,
      data: c.texts ? new Uint32Array(bytes, c.at, t.rows) : new Float64Array(bytes, c.at, t.rows),
    }));
    tables[t.name] = new Table(t.name, t.title, t.rows, t.left_out, columns);
  }
  return { meta: header.meta, tables };
}
