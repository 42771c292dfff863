The sampler was asleep while nothing happened: the sample that it takes when it wakes says until when the queues were
empty, which bounds how long <0.7.0> can have been ready. It has a later stamp than the end of that wait, and counts for it
wherever windows end: other processes were at work in between.
--- trace
@meta node=n@h schedulers=2 recorded=procs,running,messages,vm,marks
0 <0.7.0> s1 waits mfa=timer:sleep/1 kind=1
1us <0.7.0> s1 in mfa=timer:sleep/1
2us <0.7.0> s1 out mfa=timer:sleep/1
10000us - - sample item=run_queue key="1" value=0
10001us - - sample item=run_queue key="2" value=0
900000us <0.7.0> s1 in mfa=timer:sleep/1
900001us <0.7.0> s1 receive words=1 timeout
900002us <0.7.0> s1 exit reason=normal
900010us <0.9.0> s1 mark text="work"
900011us <0.10.0> s2 mark text="work"
900020us <0.9.0> s1 mark text="work"
900021us <0.10.0> s2 mark text="work"
900030us <0.9.0> s1 mark text="work"
900031us <0.10.0> s2 mark text="work"
900040us <0.9.0> s1 mark text="work"
900041us <0.10.0> s2 mark text="work"
900050us <0.9.0> s1 mark text="work"
900051us <0.10.0> s2 mark text="work"
900060us <0.9.0> s1 mark text="work"
900061us <0.10.0> s2 mark text="work"
900070us <0.9.0> s1 mark text="work"
900071us <0.10.0> s2 mark text="work"
900080us <0.9.0> s1 mark text="work"
900081us <0.10.0> s2 mark text="work"
900100us - - sample item=idle_ended_ago_ns key="" value=100000
--- run
$STROBE analyze T.txt -o T.sbp > log 2>&1
$STROBE query T.sbp "SELECT wait_ns, runnable_ns, low_ns, high_ns, cause FROM gap WHERE wait_ns > 0" --format csv
$STROBE analyze T.txt -o W.sbp --memory 1K > log 2>&1 && cmp T.sbp W.sbp && echo same
--- out
wait_ns,runnable_ns,low_ns,high_ns,cause
899996000,2000,0,11000000,timeout
same
