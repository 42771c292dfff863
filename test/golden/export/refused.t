--- trace
0     <0.80.0>  s1  in        mfa=shop:main/0
10us  <0.80.0>  s1  out       mfa=shop:main/0
--- run
try() { "$STROBE" export "$@" 2>&1; echo "exit $?"; }
try T.txt
try --to collapsed
try T.txt --to word
try T.txt --to collapsed --what messages
try T.txt --to collapsed --what calls
try T.txt --to collapsed --what waits --since 5us
try T.txt --to chrome --what lanes
try T.txt --to chrome --table slice
try T.txt --to csv --table slices
try T.txt --to csv --table activity
try T.txt --to csv -o -
try T.txt --to collapsed --process '<0.81.0>'
try T.txt --to collapsed --since 5us --until 5us
try T.txt --to collapsed --since soon
try none.sbp --to collapsed
try T.txt --to collapsed -o no/such/folder/x
ls
--- out
strobe: no format given with --to: see strobe export --help
exit 2
strobe: no profile given: see strobe export --help
exit 2
strobe: --to takes collapsed, callgrind, pprof, speedscope, perfetto, chrome, csv, parquet, svg, flame, dot, firefox or otf2, not 'word': see strobe export --help
exit 2
strobe: collapsed has no view 'messages': --what is one of calls slices waits samples cpu
exit 2
strobe: calls were not recorded: record with --trace all,calls --module M
exit 1
strobe: waits were not recorded: record with --trace running
exit 1
strobe: chrome has only one view: omit --what
exit 2
strobe: chrome has no tables: --table works with csv and parquet
exit 2
strobe: unknown table 'slices', did you mean slice?: strobe query --tables lists the tables
exit 2
strobe: table 'activity' is computed by each query, and export writes stored ones: strobe query P 'SELECT * FROM activity' --format csv
exit 2
strobe: csv is a folder of files and cannot go to stdout: select one table with --table, or a folder with -o
exit 2
strobe: no process matches '<0.81.0>': give words of its name, label or function, a pid, or process.id
exit 1
strobe: --since is not before --until
exit 2
strobe: --since takes a time such as 20ms or 1.5s, not 'soon': see strobe export --help
exit 2
strobe: none.sbp: cannot open it: No such file or directory: check the name
exit 1
strobe: no/such/folder/x: cannot write it: No such file or directory
exit 1
T.sbp
T.txt
