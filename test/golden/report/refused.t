--- copy shop.txt
--- run
$STROBE report T.txt nothing
$STROBE report tests T.txt
$STROBE report T.txt processes --sort nothing
$STROBE report T.txt processes --process nobody
$STROBE report T.txt --format yaml
$STROBE query T.txt "DELETE FROM process"
$STROBE query T.txt "SELECT 1; SELECT 2"
$STROBE query T.txt "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT count(*) FROM n" --timeout 20ms
head -c 200 T.sbp > cut.sbp; $STROBE report cut.sbp
cp T.sbp bad.sbp; printf '\377\377\377' | dd of=bad.sbp bs=1 seek=100 conv=notrunc 2> log; $STROBE merge T.sbp bad.sbp -o M.sbp
--- out
--- err
strobe: unknown section 'nothing': summary, why, critical, findings, servers, latency, sockets, tests, forecast, processes, tree, top, schedulers, activity, waits, moment, messages, migrations, gc, allocation, ports, nodes, cpu, functions, calls, callers, function, paths, active, marks, samples, stacks, loss
strobe: the profile comes before the section: strobe report T.txt tests
strobe: processes has no column 'nothing' to sort by: its columns are in strobe report T.sbp processes --format csv --limit 1
strobe: no process matches 'nobody': give words of its name, label or function, a pid, or process.id
strobe: --format takes text, json, csv, tsv or html, not 'yaml': see strobe report --help
strobe: SQL: table process may not be modified: strobe query --tables lists the tables and their columns
strobe: SQL: more than one statement
strobe: SQL: out of time: narrow it by time or process, or raise the limit with --timeout
strobe: cut.sbp: cut off, or its end is damaged, at byte 200: analyse the trace again
strobe: bad.sbp: process.runnable_ns is damaged, what is lost of it reads as NULL, at byte 96: analyse the trace again
--- exit 1
