// Two readers of Parquet that share no code, DuckDB and hyparquet; DuckDB reads CSV as well.
import { readFileSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';
import { parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { decompress } from 'fzstd';

export async function duckdb() {
  const db = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
  return {
    rows: async (sql) => (await db.runAndReadAll(sql)).getRowObjectsJS(),
    cells: async (sql) => (await db.runAndReadAll(sql)).getRowsJson(),
    one: async (sql) => (await db.runAndReadAll(sql)).getRowsJS()[0][0],
  };
}
export async function hyparquet(file) {
  const bytes = readFileSync(file);
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  const compressors = { ZSTD: (input, length) => decompress(input, new Uint8Array(length)) };
  return { meta: await parquetMetadataAsync(buffer), rows: await parquetReadObjects({ file: buffer, compressors }) };
}
