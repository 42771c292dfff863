A word that strobe does not know is refused with the nearest one that it knows: commands, options, sections, formats,
columns, tables and classes. A word that is like none is refused without, and a
column of another table is named with its table.
--- trace
@meta node=a@h creation=1 recorded=procs,running schedulers=1
0 <0.5.0> s1 in mfa=m:f/0
5us <0.5.0> s1 out mfa=m:f/0
--- run
$STROBE analyze T.txt -o T.sbp > log
for c in "reprot" "zzz" "report T.sbp --limt 3" "report T.sbp proceses" "report T.sbp proc" "report T.sbp --format jsn" \
    "report T.sbp processes --sort run_sn" \
    "report T.sbp processes --sort runable" "top a@h --sort mailbx" "top a@h --once --sort mailbox" "export T.sbp --to speedscop" "export T.sbp --to csv --table slices" \
    "query --tables proces" "dump T.txt --format jsnol" "record --trace mesages -- touch ran" "help recrod"; do
    $STROBE $c
done
$STROBE query T.sbp "SELECT * FROM proces"
$STROBE query T.sbp "SELECT p.run_sn FROM process p"
$STROBE query T.sbp "SELECT p.total_ns FROM process p"
$STROBE query T.sbp "SELECT zzzzzz FROM process p"
ls ran 2> /dev/null
--- out
--- err
strobe: unknown command 'reprot', did you mean report?: see strobe --help
strobe: unknown command 'zzz': see strobe --help
strobe: unknown option '--limt', did you mean --limit?: see strobe report --help
strobe: unknown section 'proceses', did you mean processes?: summary, why, critical, findings, servers, latency, sockets, tests, forecast, processes, tree, top, schedulers, activity, waits, moment, messages, migrations, gc, allocation, ports, nodes, cpu, functions, calls, callers, function, paths, active, marks, samples, stacks, loss
strobe: unknown section 'proc', did you mean processes?: summary, why, critical, findings, servers, latency, sockets, tests, forecast, processes, tree, top, schedulers, activity, waits, moment, messages, migrations, gc, allocation, ports, nodes, cpu, functions, calls, callers, function, paths, active, marks, samples, stacks, loss
strobe: --format takes text, json, csv, tsv or html, not 'jsn', did you mean json?: see strobe report --help
strobe: processes has no column 'run_sn' to sort by, did you mean run_ns?: its columns are in strobe report T.sbp processes --format csv --limit 1
strobe: processes has no column 'runable' to sort by, did you mean runnable?: its columns are in strobe report T.sbp processes --format csv --limit 1
strobe: --sort takes core, gc, dirty, slices, sends, receives, mailbox, memory, core_ppm, gc_ppm or dirty_ppm, not 'mailbx', did you mean mailbox?: see strobe top --help
strobe: --once asks the node about the rows it prints only, so it cannot sort by mailbox: see strobe top --help
strobe: --to takes collapsed, callgrind, pprof, speedscope, perfetto, chrome, csv, parquet, svg, flame, dot, firefox or otf2, not 'speedscop', did you mean speedscope?: see strobe export --help
strobe: unknown table 'slices', did you mean slice?: strobe query --tables lists the tables
strobe: no table 'proces', did you mean process?
strobe: --format takes text, json or jsonl, not 'jsnol', did you mean jsonl?: see strobe dump --help
strobe: --trace does not know 'mesages', did you mean messages?; it takes all, procs, running, messages, gc, ports, vm, calls, sample, marks, migration, schedulers, cpu: see strobe record --help
strobe: unknown command 'recrod', did you mean record?: see strobe --help
strobe: SQL: no such table: proces, did you mean process?: strobe query --tables lists the tables and their columns
strobe: SQL: no such column: p.run_sn, did you mean run_ns?: strobe query --tables lists the tables and their columns
strobe: SQL: no such column: p.total_ns, which is a column of wait, wait_by, slice_by: strobe query --tables lists the tables and their columns
strobe: SQL: no such column: zzzzzz: strobe query --tables lists the tables and their columns
--- exit 2
