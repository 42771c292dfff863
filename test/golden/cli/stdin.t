"-" is standard input: a trace for analyze, info, dump and fprof, a statement for query. A profile of a trace from
standard input has no name of its own.
--- trace
@meta node=a@h creation=1 recorded=procs,running schedulers=1
0 <0.5.0> s1 in mfa=m:f/0
5us <0.5.0> s1 out mfa=m:f/0
--- run
cat T.txt | $STROBE analyze -
cat T.txt | $STROBE analyze -oT.sbp - > log && $STROBE info T.txt --format json > 1 && cat T.txt | $STROBE info - --format=json | cmp - 1
$STROBE dump T.txt > 2; cat T.txt | $STROBE dump - | cmp - 2
echo "SELECT run_ns FROM process" | $STROBE query T.sbp - --format csv
: | $STROBE dump -
--- out
run_ns
5000
--- err
strobe: a trace from standard input needs a name for its profile: give -o: see strobe analyze --help
strobe: standard input: is empty, at byte 0: record it again
--- exit 1
