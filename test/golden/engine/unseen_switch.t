A switch without its function shows neither a wait nor readiness, so the gap is unknown, as that of <0.1.0>. Three things
show a wait: a message just before the process is back and fetches it (<0.2.0>, not <0.6.0>), an elapsed timer (<0.3.0>),
and run queues that were seen empty (<0.4.0>, <0.5.0>, the latter until the end of the trace).
--- trace
@meta node=n@h schedulers=2 recorded=procs,running,messages,vm
1us <0.1.0> s1 in
2us <0.1.0> s1 out
3us <0.2.0> s1 in
4us <0.2.0> s1 out
5us <0.3.0> s1 in
6us <0.3.0> s1 out
7us <0.6.0> s1 in
8us <0.6.0> s1 out
10000us <0.8.0> s2 send to=<0.6.0> words=1 hash=3
29950us <0.8.0> s2 send to=<0.2.0> words=1 hash=2
29960us <0.2.0> s1 in
29961us <0.2.0> s1 receive words=1 hash=2
29962us <0.2.0> s1 exit reason=normal
30000us <0.1.0> s1 in
30001us <0.1.0> s1 send to=<0.9.0> words=1 hash=1
30002us <0.1.0> s1 exit reason=normal
30010us <0.3.0> s1 in
30011us <0.3.0> s1 receive words=1 timeout
30012us <0.3.0> s1 exit reason=normal
30020us <0.6.0> s1 in
30021us <0.6.0> s1 receive words=1 hash=3
30022us <0.6.0> s1 exit reason=normal
40000us <0.4.0> s1 in
40001us <0.4.0> s1 out
40002us <0.5.0> s1 in
40003us <0.5.0> s1 out
50000us - - sample item=run_queue key="1" value=0
50001us - - sample item=run_queue key="2" value=0
61000us <0.4.0> s1 in
61001us <0.4.0> s1 send to=<0.9.0> words=1 hash=4
61002us <0.4.0> s1 exit reason=normal
70000us - - sample item=run_queue key="1" value=0
70001us - - sample item=run_queue key="2" value=0
--- run
$STROBE analyze T.txt -o T.sbp > log 2>&1
$STROBE query T.sbp "SELECT p.pid, g.wait_ns, g.runnable_ns, g.unknown_ns, low_ns, high_ns, cause FROM gap g
    JOIN process p ON p.id = process WHERE g.start < 45000000 AND p.slices > 0 ORDER BY p.pid, g.start" --format csv
--- out
pid,wait_ns,runnable_ns,unknown_ns,low_ns,high_ns,cause
<0.1.0>,0,0,29998000,0,29998000,unknown
<0.2.0>,0,0,2000,0,0,unknown
<0.2.0>,29946000,10000,0,0,29956000,message
<0.3.0>,0,0,4000,0,0,unknown
<0.3.0>,30002000,2000,0,0,30004000,timeout
<0.4.0>,0,0,39999000,0,0,unknown
<0.4.0>,20997000,2000,0,0,11999000,unknown
<0.5.0>,0,0,40001000,0,0,unknown
<0.5.0>,29998000,0,0,0,0,unknown
<0.6.0>,0,0,6000,0,0,unknown
<0.6.0>,0,0,30012000,0,30012000,unknown
