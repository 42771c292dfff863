A wait that an exit signal ended, for which the VM has no event. The path goes on with the process that sent it; where the trace does not show who did, the wait is unknown, and so is whether other cores would end it sooner.
--- file shutdown.txt
@meta node=a@h creation=1 recorded=procs,running,messages schedulers=1
0us    <0.5.0> s1 in mfa=m:sup/0
0us    <0.5.0> s1 waits mfa=supervisor:shutdown/1 kind=1
0us    <0.5.0> s1 waits mfa=gen_server:loop/7 kind=1
50us   <0.5.0> s1 spawn child=<0.6.0> mfa=m:child/0
60us   <0.5.0> s1 out mfa=m:sup/0
60us   <0.6.0> s1 in mfa=m:child/0
100us  <0.6.0> s1 out mfa=gen_server:loop/7
100us  <0.5.0> s1 in mfa=m:sup/0
1000us <0.5.0> s1 out mfa=supervisor:shutdown/1
1001us <0.6.0> s1 in mfa=gen_server:loop/7
1020us <0.6.0> s1 exit reason=shutdown
1021us <0.5.0> s1 in mfa=supervisor:shutdown/1
1022us <0.5.0> s1 receive words=6 hash=1 down=<0.6.0>
1100us <0.5.0> s1 exit reason=normal
--- file traps.txt
@meta node=a@h creation=1 recorded=procs,running,messages schedulers=1
0us    <0.5.0> s1 in mfa=m:sup/0
0us    <0.5.0> s1 waits mfa=supervisor:shutdown/1 kind=1
0us    <0.5.0> s1 waits mfa=gen_server:loop/7 kind=1
50us   <0.5.0> s1 spawn child=<0.6.0> mfa=m:child/0
60us   <0.5.0> s1 out mfa=m:sup/0
60us   <0.6.0> s1 in mfa=m:child/0
100us  <0.6.0> s1 out mfa=gen_server:loop/7
100us  <0.5.0> s1 in mfa=m:sup/0
1000us <0.5.0> s1 out mfa=supervisor:shutdown/1
1001us <0.6.0> s1 in mfa=gen_server:loop/7
1002us <0.6.0> s1 receive words=4 hash=2 down=<0.5.0>
1020us <0.6.0> s1 exit reason=shutdown
1021us <0.5.0> s1 in mfa=supervisor:shutdown/1
1022us <0.5.0> s1 receive words=6 hash=1 down=<0.6.0>
1100us <0.5.0> s1 exit reason=normal
--- file stranger.txt
@meta node=a@h creation=1 recorded=procs,running,messages schedulers=1
0us    <0.5.0> s1 in mfa=m:sup/0
0us    <0.5.0> s1 waits mfa=gen_server:loop/7 kind=1
50us   <0.5.0> s1 spawn child=<0.6.0> mfa=m:child/0
60us   <0.5.0> s1 out mfa=gen_server:loop/7
60us   <0.6.0> s1 in mfa=m:child/0
100us  <0.6.0> s1 out mfa=gen_server:loop/7
1001us <0.6.0> s1 in mfa=gen_server:loop/7
1020us <0.6.0> s1 exit reason=killed
1021us <0.5.0> s1 in mfa=gen_server:loop/7
1022us <0.5.0> s1 receive words=4 hash=1 down=<0.6.0>
1100us <0.5.0> s1 exit reason=normal
--- run
export XDG_CACHE_HOME=$PWD # no constants of this machine
for t in shutdown traps stranger; do
    echo "== $t"
    $STROBE query $t.txt "SELECT id, process, kind, function, peer, start, dur FROM critical" --format csv
    $STROBE predict $t.txt --cores 2 --format csv 2>/dev/null | cut -d, -f1-4,8
done
$STROBE predict stranger.txt --cores 2 2>/dev/null
--- out
== shutdown
id,process,kind,function,peer,start,dur
1,1,run,m:sup/0,,0,60000
2,1,queue,,,60000,40000
3,1,run,m:sup/0,,100000,899000
4,2,message,,1,999000,0
5,2,queue,,,999000,2000
6,2,run,gen_server:loop/7,,1001000,19000
7,1,message,,2,1020000,0
8,1,queue,,,1020000,1000
9,1,run,supervisor:shutdown/1,,1021000,79000
cores,low_ns,ns,high_ns,span_ns
2,951300,1057000,1162700,1057000
== traps
id,process,kind,function,peer,start,dur
1,1,run,m:sup/0,,0,60000
2,1,queue,,,60000,40000
3,1,run,m:sup/0,,100000,899000
4,2,message,,1,999000,0
5,2,queue,,,999000,2000
6,2,run,gen_server:loop/7,,1001000,19000
7,1,message,,2,1020000,0
8,1,queue,,,1020000,1000
9,1,run,supervisor:shutdown/1,,1021000,79000
cores,low_ns,ns,high_ns,span_ns
2,951300,1057000,1162700,1057000
== stranger
id,process,kind,function,peer,start,dur
1,1,run,m:sup/0,,0,50000
2,2,message,,1,50000,0
3,2,queue,,1,50000,10000
4,2,run,m:child/0,,60000,40000
5,2,unknown,gen_server:loop/7,,100000,899000
6,2,queue,,,999000,2000
7,2,run,gen_server:loop/7,,1001000,19000
8,1,message,,2,1020000,0
9,1,queue,,,1020000,1000
10,1,run,gen_server:loop/7,,1021000,79000
cores,low_ns,ns,high_ns,span_ns
2,188000,1087000,1195700,1087000
cores          at least    estimate     at most  speed-up
    2            188 us     1.09 ms     1.20 ms      1.01
recorded       1.10 ms on 1 scheduler, with the cost of tracing
work           198 us, of all processes
longest chain  1.09 ms; 1.09 ms with the cost of messages between cores. Without
               its waits that the trace does not explain it is 188 us: no number
               of cores is faster than that
parallelism    0.18: less than one core has work on average, as 82 % of the
               longest chain or more is waits and dirty schedulers
contention     unknown: more cores may even be slower
note           the longest chain has waits of which the trace does not show what
               ended them; where other cores end them sooner, the run is shorter
               than the estimate
note           the cost of tracing is not in the trace, so times include it
note           costs of messages between cores are typical values; strobe
               calibrate measures them
note           waits for locks of the VM (ETS) and for counters that processes
               share do not show in a trace of one scheduler; a second trace at
               2 schedulers (+S 2) shows them
