// An answer of the server: named tables of columns in one block of bytes.
//
//     "SBC2" | u32 bytes of the header | header (JSON, padded to 8) | columns, each on a multiple of 8
//
// Integers are stored in 1, 2 or 4 bytes where their range allows: base + stored * 2 ** shift, all ones is NULL; else
// as 64-bit floats (nanoseconds stay exact up to 104 days), NULL is NaN. Texts are indices into the header's list of
// that column, 0 is NULL. Integers beyond 2^53 are sent as texts ("digits"). A column is widened on its first read.
export type Unit = 'none' | 'ns' | 'at_ns' | 'words' | 'bytes' | 'count' | 'id' | 'ppm';

export interface Column {
  name: string;
  unit: Unit;
  doc: string;
  text: string[] | null;
  digits?: (row: number) => string | null; // all digits of an integer that a float would round
  readonly data: Float64Array | Uint32Array;
}

interface ColumnHeader {
  name: string;
  unit: Unit;
  doc: string;
  at: number;
  width: 1 | 2 | 4 | 8;
  base?: number;
  shift?: number;
  texts?: string[];
  digits?: boolean;
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
  /** Returns all numbers of a column. */
  nums(name: string): Float64Array {
    return this.column(name).data as Float64Array;
  }
  /** Returns a number; NaN is NULL. */
  num(name: string, row: number): number {
    return this.column(name).data[row] as number;
  }
  str(name: string, row: number): string | null {
    const c = this.column(name);
    if (c.text) return c.text[c.data[row] as number] ?? null;
    return Number.isNaN(c.data[row]) ? null : String(c.data[row]);
  }
  /** Returns a cell in full, for tooltips and copies. */
  exact(c: Column, row: number): string | null {
    const v = c.digits ? c.digits(row) : this.cell(c, row);
    return v === null ? null : String(v);
  }
  /** Returns a cell as it was sent: number, text or null. */
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

const MAGIC = 0x32434253; // "SBC2"
const STORED = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array };

function widened(bytes: ArrayBuffer, c: ColumnHeader, rows: number): Float64Array | Uint32Array {
  if (c.width === 8) return new Float64Array(bytes, c.at, rows);
  const stored = new STORED[c.width](bytes, c.at, rows);
  if (c.texts) return Uint32Array.from(stored);
  const [base, scale, none] = [c.base!, 2 ** c.shift!, 256 ** c.width - 1];
  const wide = new Float64Array(rows);
  for (let i = 0; i < rows; i++) wide[i] = stored[i] === none ? NaN : base + stored[i]! * scale;
  return wide;
}

function columnOf(bytes: ArrayBuffer, c: ColumnHeader, rows: number): Column {
  if (c.digits) {
    const text = [null, ...c.texts!];
    const index = widened(bytes, c, rows);
    const data = Float64Array.from(index, (at) => (at ? Number(text[at]) : NaN));
    return { name: c.name, unit: c.unit, doc: c.doc, text: null, digits: (row) => text[index[row]!]!, data };
  }
  let data: Float64Array | Uint32Array | null = null;
  return {
    name: c.name,
    unit: c.unit,
    doc: c.doc,
    text: c.texts ? [null as unknown as string, ...c.texts] : null,
    get data() {
      data ??= widened(bytes, c, rows);
      return data;
    },
  };
}

export function decode(bytes: ArrayBuffer): Answer {
  const view = new DataView(bytes);
  if (bytes.byteLength < 8 || view.getUint32(0, true) !== MAGIC)
    throw new Error('the answer of the server has an unknown format');
  const length = view.getUint32(4, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 8, length))) as Header;
  const tables: Record<string, Table> = {};
  for (const t of header.tables)
    tables[t.name] = new Table(
      t.name,
      t.title,
      t.rows,
      t.left_out,
      t.columns.map((c) => columnOf(bytes, c, t.rows)),
    );
  return { meta: header.meta, tables };
}
