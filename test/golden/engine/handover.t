A process that goes to a dirty scheduler is neither ready nor waiting until it runs there, nor on its way back. A process
that hibernates may collect its garbage on a dirty scheduler first: what comes after that is a wait.
--- trace
@meta node=n@h schedulers=2 recorded=procs,running,messages,gc
1000 <0.9.0> s1 spawned parent=<0.1.0> mfa=m:start/0
1000 <0.9.0> s1 in mfa=m:start/0
1500 <0.9.0> s1 out mfa=prim_file:read_file/1
1600 <0.9.0> i1 in mfa=prim_file:read_file_nif/1
2600 <0.9.0> i1 out mfa=prim_file:read_file_nif/1
2800 <0.9.0> s2 in mfa=prim_file:read_file/1
3000 <0.9.0> s2 out mfa=erlang:hibernate/3
3100 <0.9.0> d1 in mfa=erlang:hibernate/3
3200 <0.9.0> d1 gc_major_start heap=9 block=9 bin=0 old=0 mbuf=0 need=1
3900 <0.9.0> d1 gc_major_end heap=9 block=9 bin=0 old=0 mbuf=0 need=1
4000 <0.9.0> d1 out mfa=erlang:hibernate/3
9000 <0.8.0> s1 in mfa=m:start/0
9000 <0.8.0> s1 send to=<0.9.0> words=2 hash=1
9200 <0.9.0> s2 in mfa=erlang:hibernate/3
9300 <0.9.0> s2 receive words=2 hash=1
9400 <0.9.0> s2 exit reason=normal
9500 <0.8.0> s1 out mfa=m:start/0
--- run
$STROBE analyze T.txt -o T.sbp > log 2>&1
$STROBE query T.sbp "SELECT gap.start, gap.wait_ns, gap.handover_ns, gap.runnable_ns, low_ns, high_ns, cause FROM gap JOIN process p ON p.id = process WHERE pid = '<0.9.0>'"
$STROBE query T.sbp "SELECT state, sum(dur) AS ns FROM state JOIN process p ON p.id = process WHERE pid = '<0.9.0>' GROUP BY 1 ORDER BY 1"
$STROBE query T.sbp "SELECT run_ns, dirty_ns, handover_ns, gc_ns, dirty_gc_ns, runnable_ns, wait_ns FROM process WHERE pid = '<0.9.0>'"
$STROBE query T.sbp "SELECT sum(handover_ns) AS handover, sum(dirty_ns) AS dirty, sum(dirty_gc_ns) AS dirty_gc FROM pyramid WHERE track = 1 GROUP BY level LIMIT 1"
--- out
     start  wait_ns  handover_ns  runnable_ns  low_ns  high_ns  cause
0.000000 s     0 ns       100 ns         0 ns    0 ns     0 ns  handover
0.000002 s     0 ns       200 ns         0 ns    0 ns     0 ns  handover
0.000002 s     0 ns       100 ns         0 ns    0 ns     0 ns  handover
0.000003 s  5.00 us         0 ns       200 ns  200 ns   200 ns  message
state        ns
dirty     1,200
gc          700
handover    400
runnable    200
running     900
waiting   5,000
 run_ns  dirty_ns  handover_ns   gc_ns  dirty_gc_ns  runnable_ns  wait_ns
1.60 us   1.20 us       400 ns  700 ns       700 ns       200 ns  5.00 us
handover  dirty  dirty_gc
     400  1,200       700
