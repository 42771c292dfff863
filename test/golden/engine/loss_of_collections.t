Where events were lost, a collection counts if both its ends are seen in one stay: neither the wait after a lost end nor what began before a lost `in` is collecting. Everybody tells of the same collections.
--- trace
@meta node=a@h creation=1 schedulers=1 recorded=procs,running,gc lost=2
0us  <0.2.0> s1 in mfa=m:f/0
10us <0.2.0> s1 gc_minor_start heap=100
20us <0.2.0> s1 out mfa=m:f/0
80us <0.2.0> s1 in mfa=m:f/0
81us <0.2.0> s1 gc_minor_start heap=100
84us <0.2.0> s1 gc_minor_end heap=50
90us <0.2.0> s1 out mfa=m:f/0
91us <0.2.0> s1 gc_minor_start heap=100
95us <0.2.0> s1 gc_minor_end heap=50
96us <0.2.0> s1 out mfa=m:f/0
--- run
$STROBE analyze T.txt -o P.sbp > log 2>&1
$STROBE query P.sbp "SELECT run_ns, gc_ns, gc_count FROM process" --format csv 2> err
$STROBE query P.sbp "SELECT start, dur FROM gc" --format csv 2> err
$STROBE query P.sbp "SELECT start, dur FROM state WHERE state = 'gc'" --format csv 2> err
$STROBE report P.sbp summary --format csv 2> err | grep -o '^collected,[0-9]*'
$STROBE merge P.sbp -o M.sbp > log 2>&1 && cmp P.sbp M.sbp && echo same
--- out
run_ns,gc_ns,gc_count
30000,3000,1
start,dur
81000,3000
start,dur
81000,3000
collected,3000
same
