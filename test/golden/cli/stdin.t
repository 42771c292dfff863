"-" is standard input: a trace for analyze, info, dump and fprof, a profile or a trace for report and query, a statement
for query. A profile of a trace from standard input has no name of its own.
--- trace
@meta node=a@h creation=1 recorded=procs,running schedulers=1
0 <0.5.0> s1 in mfa=m:f/0
5us <0.5.0> s1 out mfa=m:f/0
--- run
cat T.txt | $STROBE analyze -
cat T.txt | $STROBE analyze -oT.sbp - > log && $STROBE info T.txt --format json > 1 && cat T.txt | $STROBE info - --format=json | cmp - 1
$STROBE dump T.txt > 2; cat T.txt | $STROBE dump - | cmp - 2
echo "SELECT run_ns FROM process" | $STROBE query T.sbp - --format csv
cat T.txt | TMPDIR=. $STROBE report - schedulers --format csv && find . -name "strobe-*"
cat T.sbp | $STROBE query - "SELECT count(*) AS n FROM slice" --format csv
cat T.sbp | $STROBE query - -
: | $STROBE dump -
--- out
run_ns
5000
scheduler,used_ppm,slice_ns,slices,mean_ns,gc_ns,active_ns,over_time,node,id,on_cpu_ns,no_core_ns,involuntary
1,1000000,5000,1,5000,,,████████████████████████████████████████████████,1,1,,,
n
1
--- err
strobe: a trace from standard input needs a name for its profile: give -o: see strobe analyze --help
strobe: the profile and the statement cannot both be standard input: see strobe query --help
strobe: standard input: is empty, at byte 0: record it again
--- exit 1
