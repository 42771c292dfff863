A collection that lasts to the end of the trace counts, and has no row, since its sizes are unknown.
--- trace
@meta node=a@h creation=1 recorded=procs,running,gc schedulers=1
0 <0.5.0> s1 in mfa=m:f/0
1000 <0.5.0> s1 gc_minor_start heap=100
3000 <0.5.0> s1 gc_minor_end heap=50
5000 <0.5.0> s1 gc_major_start heap=100
9000 <0.6.0> - register name=last
--- run
$STROBE analyze T.txt -o T.sbp > log 2>&1
$STROBE query T.sbp "SELECT run_ns, gc_ns, gc_count FROM process WHERE id = 1" --format csv
$STROBE query T.sbp "SELECT start, dur FROM gc" --format csv
--- out
run_ns,gc_ns,gc_count
9000,6000,1
start,dur
1000,2000
