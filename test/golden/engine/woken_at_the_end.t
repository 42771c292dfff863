A process that waits at the end of the trace and was sent a message waited until then; the rest is unknown, in each view.
--- trace
@meta node=a@h creation=1 recorded=procs,running,messages schedulers=1
0 <0.5.0> s1 in mfa=m:loop/0
0 <0.5.0> s1 waits mfa=m:loop/0 kind=1
1us <0.5.0> s1 out mfa=m:loop/0
7us <0.6.0> s1 in mfa=m:f/0
8us <0.6.0> s1 send to=<0.5.0> words=1
10us <0.6.0> s1 out mfa=m:f/0
--- run
$STROBE analyze T.txt -o T.sbp > log 2>&1
$STROBE query T.sbp "SELECT state, start, dur FROM state WHERE process = 1" --format csv
$STROBE query T.sbp "SELECT waiting_ns, unknown_ns FROM state_by(2000, 8500) WHERE process = 1" --format csv
$STROBE query T.sbp "SELECT start, waiting_ns FROM timeline('process:1', 0, 10000, 3)" --format csv
--- out
state,start,dur
running,0,1000
waiting,1000,7000
unknown,8000,2000
waiting_ns,unknown_ns
6000,500
start,waiting_ns
0,3096
4096,3904
8192,0
