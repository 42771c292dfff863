-- Tables of a dataset as views of DuckDB, to be read in its folder: cd DIR && duckdb -init .../examples/fleet/duckdb.sql
create view node as from read_parquet('**/node.parquet', hive_partitioning = true, union_by_name = true);
create view process as from read_parquet('**/process.parquet', hive_partitioning = true, union_by_name = true);
create view wait as from read_parquet('**/wait.parquet', hive_partitioning = true, union_by_name = true);
create view thread as from read_parquet('**/thread.parquet', hive_partitioning = true, union_by_name = true);
create view loss as from read_parquet('**/loss.parquet', hive_partitioning = true, union_by_name = true);
create view function as from read_parquet('**/function.parquet', hive_partitioning = true, union_by_name = true);
create view message_edge as from
  read_parquet('**/message_edge.parquet', hive_partitioning = true, union_by_name = true);
