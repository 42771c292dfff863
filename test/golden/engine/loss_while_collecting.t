The end of a collection is lost. What the process did from the loss on is unknown, so it does not collect until it is seen again.
--- trace
@meta node=a@h creation=1 schedulers=1
0 <0.2.0> s1 in mfa=m:f/0
10us <0.2.0> s1 gc_minor_start heap=100
12us - - drop events=4 until=2000
9000us <0.2.0> s1 in mfa=m:f/0
9010us <0.2.0> s1 out mfa=m:f/0
--- run
$STROBE analyze T.txt -o P.sbp > log 2>&1
$STROBE query P.sbp "SELECT run_ns, gc_ns, gc_count, unknown_ns FROM process WHERE pid = '<0.2.0>'" --format csv
$STROBE merge P.sbp -o M.sbp > log 2>&1 && cmp P.sbp M.sbp && echo same
--- out
run_ns,gc_ns,gc_count,unknown_ns
22000,0,0,8988000
same
