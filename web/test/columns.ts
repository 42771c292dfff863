// What the tests of the page share: columns and tables made by hand, and texts with plain spaces.
import { Table, type Column } from '../src/lib/table';

export const thin = (s: string) => s.replace(/\u202f/g, ' ');
export const numbers = (name: string, values: number[]): Column => ({
  name,
  unit: 'none',
  doc: '',
  text: null,
  data: Float64Array.from(values),
});
export const texts = (name: string, values: (string | null)[]): Column => {
  const text = [null as unknown as string, ...new Set(values.filter((v) => v !== null))];
  return {
    name,
    unit: 'none',
    doc: '',
    text,
    data: Uint32Array.from(values.map((v) => (v === null ? 0 : text.indexOf(v)))),
  };
};
export const table = (...columns: Column[]) => new Table('t', 't', columns[0]!.data.length, 0, columns);
