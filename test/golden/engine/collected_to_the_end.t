With system_profile the time after an `in` without an `out` is unknown; but a process that collected garbage ran until its collection ended, in every bucket.
--- trace
@meta node=a@h creation=1 recorded=procs,running,gc,profile schedulers=1
0 <0.5.0> - profile_active mfa=m:f/0
1000 <0.5.0> s1 in mfa=m:f/0
5000 <0.5.0> s1 gc_minor_start heap=100
9000 <0.5.0> s1 gc_minor_end heap=50
12000 <0.6.0> - profile_active mfa=m:f/0
--- run
$STROBE analyze T.txt -o T.sbp > log 2>&1
$STROBE query T.sbp "SELECT run_ns, gc_ns, unknown_ns FROM process WHERE id = 1" --format csv
$STROBE query T.sbp "SELECT start, dur FROM slice" --format csv
$STROBE query T.sbp "SELECT sum(running_ns), sum(gc_ns), min(running_ns) FROM pyramid WHERE track = 1 AND level = 14" --format csv
$STROBE merge T.sbp -o M.sbp > log 2>&1 && cmp T.sbp M.sbp
--- out
run_ns,gc_ns,unknown_ns
8000,4000,3000
start,dur
1000,8000
sum(running_ns),sum(gc_ns),min(running_ns)
4000,4000,4000
