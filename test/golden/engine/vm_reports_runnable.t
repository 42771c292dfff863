Where the VM recorded which processes were runnable, the cause is what the trace shows until then: a message, the end of a monitored process, a timeout, or nothing, however soon a message came afterwards.
--- file T.txt
@meta node=a@h creation=1
0 <0.2.0> 1 in mfa=m:w/0
0 <0.3.0> 2 in mfa=m:o/0
10us <0.2.0> 1 out mfa=m:w/0
11us <0.2.0> - profile_inactive mfa=m:w/0
20us <0.3.0> 2 send to=<0.2.0> words=3 ext=9 hash=1
21us <0.2.0> - profile_active mfa=m:w/0
25us <0.2.0> 1 in mfa=m:w/0
26us <0.2.0> 1 receive words=3 ext=9 hash=1
30us <0.2.0> 1 out mfa=m:w/0
31us <0.2.0> - profile_inactive mfa=m:w/0
40us <0.2.0> - profile_active mfa=m:w/0
45us <0.3.0> 2 send to=<0.2.0> words=3 ext=9 hash=2
50us <0.2.0> 1 in mfa=m:w/0
51us <0.2.0> 1 receive words=3 ext=9 hash=2
52us <0.2.0> 1 out mfa=m:w/0
53us <0.2.0> - profile_inactive mfa=m:w/0
60us <0.3.0> 2 exit reason=normal
61us <0.2.0> - profile_active mfa=m:w/0
65us <0.2.0> 1 in mfa=m:w/0
66us <0.2.0> 1 call mfa=m:g/0
67us <0.2.0> 1 receive down=<0.3.0> words=6 ext=30 hash=3
70us <0.2.0> 1 out mfa=m:w/0
71us <0.2.0> - profile_inactive mfa=m:w/0
90us <0.2.0> - profile_active mfa=m:w/0
92us <0.2.0> 1 in mfa=m:w/0
93us <0.2.0> 1 receive words=1 ext=9 timeout
95us <0.2.0> 1 out mfa=m:w/0
96us <0.2.0> 1 in mfa=m:w/0
99us <0.2.0> 1 exit reason=normal
--- run
$STROBE analyze T.txt -o P.sbp > log 2>&1
$STROBE query P.sbp "SELECT gap.start, gap.wait_ns, gap.runnable_ns, cause, w.pid AS waker FROM gap JOIN process p ON p.id = process LEFT JOIN process w ON w.id = waker WHERE p.pid = '<0.2.0>'" --format csv
$STROBE merge P.sbp -o M.sbp > log 2>&1 && cmp P.sbp M.sbp && echo same
--- out
start,wait_ns,runnable_ns,cause,waker
10000,0,1000,preempted,
11000,10000,4000,message,<0.3.0>
30000,0,1000,preempted,
31000,9000,10000,unknown,
52000,0,1000,preempted,
53000,8000,4000,exit,<0.3.0>
70000,0,1000,preempted,
71000,19000,2000,timeout,
95000,0,1000,preempted,
same
