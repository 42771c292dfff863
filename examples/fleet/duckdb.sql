-- Tables of a dataset as views of DuckDB, to be read in its folder: cd DIR && duckdb -init .../examples/fleet/duckdb.sql
-- The folders of the labels, of date, node and run: a pattern that names each level finds the files of a table several
-- times as fast as **, which lists the files of all tables.
set variable runs = (
  select repeat('*/', len(regexp_extract_all(file, '='))) from glob('**/process.parquet') limit 1
);
set parquet_metadata_cache = true;
create macro strobe_table(name) as table
  from read_parquet(getvariable('runs') || name || '.parquet', hive_partitioning = true, union_by_name = true);
create view node as from strobe_table('node');
create view process as from strobe_table('process');
create view wait as from strobe_table('wait');
create view thread as from strobe_table('thread');
create view loss as from strobe_table('loss');
create view function as from strobe_table('function');
create view message_edge as from strobe_table('message_edge');
