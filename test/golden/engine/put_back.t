A process that its scheduler only put back into the run queue, as for each trap of a BIF, need not have waited for any
other: it was runnable, but its time in the queue has no lower bound. One that another scheduler took did wait.
Where the node records nothing of its run queues, a gap of 100 ms may be that of a suspended process.
--- trace
@meta node=n@h schedulers=2 recorded=procs,running,messages
0 <0.5.0> s1 waits mfa=erlang:md5_trap/2 kind=0
1us <0.5.0> s1 in mfa=erlang:md5_trap/2
2us <0.5.0> s1 out mfa=erlang:md5_trap/2
6us <0.5.0> s1 in mfa=erlang:md5_trap/2
7us <0.5.0> s1 out mfa=erlang:md5_trap/2
11us <0.5.0> s2 in mfa=erlang:md5_trap/2
12us <0.5.0> s2 out mfa=erlang:md5_trap/2
5000us <0.5.0> s2 in mfa=erlang:md5_trap/2
5001us <0.5.0> s2 out mfa=erlang:md5_trap/2
505001us <0.5.0> s1 in mfa=erlang:md5_trap/2
505002us <0.5.0> s1 exit reason=normal
--- run
$STROBE analyze T.txt -o T.sbp > log 2>&1
$STROBE query T.sbp "SELECT gap.wait_ns, gap.runnable_ns, low_ns, high_ns, cause FROM gap WHERE cause <> 'unknown'" --format csv
--- out
wait_ns,runnable_ns,low_ns,high_ns,cause
0,4000,0,4000,preempted
0,4000,4000,4000,preempted
0,4988000,4988000,4988000,preempted
0,500000000,0,500000000,preempted
