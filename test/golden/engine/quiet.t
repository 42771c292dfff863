A runnable process is in a run queue. Samples of the node's queues contradict the runnable state of a suspended
process, and bound the time when a timer woke another. An occupied queue contradicts nothing, nor does the queue of a
dirty scheduler. A process that no sample contradicts was preempted. The certain part of a long gap begins at the first
of several samples that saw an occupied queue. If a tick saw empty queues, no process was runnable until ten
milliseconds before the next event: <0.7.0> became runnable at 889 ms at the earliest. <0.8.0> may have been runnable
since the quiet moment at 979 ms, since a process waited in a queue at the last tick.
--- trace
@meta node=n@h schedulers=2 recorded=procs,running,messages,vm
0 <0.5.0> s1 waits mfa=m:spin/1 kind=0
0 <0.5.0> s1 waits mfa=timer:sleep/1 kind=1
1us <0.5.0> s1 in mfa=m:spin/1
2us <0.6.0> s2 in mfa=timer:sleep/1
3us <0.6.0> s2 out mfa=timer:sleep/1
9us <0.5.0> s1 out mfa=m:spin/1
10000us - - sample item=run_queue key="1" value=0
10001us - - sample item=run_queue key="2" value=0
10002us - - sample item=run_queue key="3" value=4
490000us - - sample item=run_queue key="1" value=0
490001us - - sample item=run_queue key="2" value=0
490002us - - sample item=run_queue key="3" value=0
500000us <0.6.0> s2 in mfa=timer:sleep/1
500001us <0.6.0> s2 receive words=1 timeout
500002us <0.6.0> s2 exit reason=normal
500009us <0.5.0> s1 in mfa=m:spin/1
500010us <0.5.0> s1 out mfa=m:spin/1
510000us - - sample item=run_queue key="1" value=0
510001us - - sample item=run_queue key="2" value=1
530000us - - sample item=run_queue key="1" value=1
530001us - - sample item=run_queue key="2" value=0
540000us <0.5.0> s1 in mfa=m:spin/1
540001us <0.5.0> s1 exit reason=killed
550000us <0.7.0> s1 in mfa=timer:sleep/1
550001us <0.7.0> s1 out mfa=timer:sleep/1
560000us - - sample item=run_queue key="1" value=0
560001us - - sample item=run_queue key="2" value=0
900000us <0.7.0> s1 in mfa=timer:sleep/1
900001us <0.7.0> s1 receive words=1 timeout
900002us <0.7.0> s1 exit reason=normal
900100us - - sample item=idle_ended_ago_ns key="" value=100000
900110us - - sample item=run_queue key="1" value=0
900111us - - sample item=run_queue key="2" value=0
910000us <0.8.0> s1 in mfa=timer:sleep/1
910001us <0.8.0> s1 out mfa=timer:sleep/1
979000us - - sample item=run_queue key="1" value=0
979001us - - sample item=run_queue key="2" value=0
981000us - - sample item=run_queue key="1" value=0
981001us - - sample item=run_queue key="2" value=1
1400000us <0.8.0> s1 in mfa=timer:sleep/1
1400001us <0.8.0> s1 receive words=1 timeout
1400002us <0.8.0> s1 exit reason=normal
1400100us - - sample item=idle_ended_ago_ns key="" value=100000
--- run
$STROBE analyze T.txt -o T.sbp > log 2>&1
$STROBE query T.sbp "SELECT pid, gap.wait_ns, gap.runnable_ns, low_ns, high_ns, cause FROM gap JOIN process p ON p.id = process WHERE gap.wait_ns + gap.runnable_ns > 0 ORDER BY 1" --format csv
$STROBE merge T.sbp -o M.sbp > log 2>&1 && cmp T.sbp M.sbp && echo same
--- out
pid,wait_ns,runnable_ns,low_ns,high_ns,cause
<0.5.0>,499998000,2000,0,20000000,unknown
<0.5.0>,0,39990000,29999000,39990000,preempted
<0.6.0>,499995000,2000,0,10999000,timeout
<0.7.0>,349997000,2000,0,11000000,timeout
<0.8.0>,489997000,2000,0,421999000,timeout
same
