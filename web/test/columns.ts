// What the tests of the page share: tables made by hand, and texts with plain spaces.
import { numberColumn } from '../src/lib/rows';
import { Table, type Column } from '../src/lib/table';

export { textColumn as texts } from '../src/lib/rows';
export const thin = (s: string) => s.replace(/\u202f/g, ' ');
export const numbers = (name: string, values: number[]) => numberColumn(name, 'none', values);
export const table = (...columns: Column[]) => new Table('t', 't', columns[0]!.data.length, 0, columns);
