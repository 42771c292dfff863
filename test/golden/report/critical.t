The chain that set the length: work, and waits up to whoever ended them, each moment of the run once. Where the trace does not show it, it is unknown.
In the report processes of one name are one row.
--- file pipeline.txt
@meta node=a@h creation=1 recorded=procs,running,messages,gc schedulers=2
0us    <0.5.0> s1 in mfa=m:first/0
0us    <0.5.0> s1 waits mfa=m:wait/0 kind=1
100us  <0.5.0> s1 spawn child=<0.6.0> mfa=m:second/0
150us  <0.6.0> s2 in mfa=m:second/0
200us  <0.6.0> s2 out mfa=m:wait/0
400us  <0.5.0> s1 send to=<0.6.0> words=3 hash=1
450us  <0.5.0> s1 out mfa=m:wait/0
500us  <0.6.0> s2 in mfa=m:wait/0
510us  <0.6.0> s2 receive words=3 hash=1
600us  <0.6.0> s2 gc_minor_start heap=500
650us  <0.6.0> s2 gc_minor_end heap=100
900us  <0.6.0> s2 send to=<0.5.0> words=3 hash=2
950us  <0.6.0> s2 out mfa=m:wait/0
910us  <0.5.0> s1 in mfa=m:wait/0
915us  <0.5.0> s1 receive words=3 hash=2
1000us <0.5.0> s1 exit reason=normal
--- file outside.txt
@meta node=a@h creation=1 recorded=procs,running,messages,ports schedulers=1 dirty_cpu=1
0us     <0.5.0> s1 in mfa=m:f/0
100us   <0.5.0> s1 out mfa=timer:sleep/1
3000us  <0.5.0> s1 in mfa=timer:sleep/1
3001us  <0.5.0> s1 receive words=1 timeout
3100us  <0.5.0> s1 out mfa=gen:do_call/4
5000us  #Port<0.1> s1 in mfa=command
5100us  #Port<0.1> s1 out mfa=command
5105us  <0.5.0> s1 in mfa=gen:do_call/4
5106us  <0.5.0> s1 receive words=3 hash=1
5200us  <0.5.0> s1 out mfa=m:f/0
5300us  <0.5.0> s1 in mfa=m:f/0
5500us  <0.5.0> s1 exit reason=normal
6000us  <0.6.0> - link to=<0.7.0>
--- file silent.txt
@meta node=a@h creation=1 recorded=procs,messages schedulers=1
0us   <0.5.0> s1 spawn child=<0.6.0> mfa=m:f/0
100us <0.6.0> s1 exit reason=normal
--- file cut.txt
@meta node=a@h creation=1 recorded=procs,running,messages schedulers=1
10us  <0.6.0> s1 out mfa=m:f/0
20us  <0.5.0> s1 in mfa=m:g/0
50us  <0.5.0> s1 send to=<0.6.0> words=3 hash=1
60us  <0.6.0> s1 in mfa=m:f/0
--- file alike.txt
@meta node=a@h creation=1 recorded=procs,running,messages schedulers=1
0us    <0.5.0> s1 in mfa=m:first/0
10us   <0.5.0> s1 spawn child=<0.6.0> mfa=m:part/0
20us   <0.5.0> s1 out mfa=m:first/0
30us   <0.6.0> s1 in mfa=m:part/0
400us  <0.6.0> s1 send to=<0.5.0> words=3 hash=1
400us  <0.6.0> s1 exit reason=normal
410us  <0.5.0> s1 in mfa=m:first/0
411us  <0.5.0> s1 receive words=3 hash=1
420us  <0.5.0> s1 spawn child=<0.7.0> mfa=m:part/0
430us  <0.5.0> s1 out mfa=m:first/0
440us  <0.7.0> s1 in mfa=m:part/0
700us  <0.7.0> s1 send to=<0.5.0> words=3 hash=2
700us  <0.7.0> s1 exit reason=normal
710us  <0.5.0> s1 in mfa=m:first/0
711us  <0.5.0> s1 receive words=3 hash=2
720us  <0.5.0> s1 exit reason=normal
--- run
COLUMNS=100 $STROBE report pipeline.txt critical
$STROBE report alike.txt critical --format csv
for t in pipeline outside silent cut; do
    echo "== $t"
    $STROBE query $t.txt "SELECT id, process, kind, function, peer, start, dur FROM critical" --format csv
    $STROBE query $t.txt "SELECT id, process, peer, kind, function, start, dur, steps, first_step AS step, run_ns AS run, gc_ns AS gc, queue_ns AS queue FROM critical_link" --format csv
done
# a program that goes on when its recording ends has no result that set the length
grep -v exit outside.txt > goes_on.txt
COLUMNS=100 $STROBE report outside.txt critical | grep -A2 '^-- ' || echo ended
COLUMNS=100 $STROBE report goes_on.txt critical --sort steps | grep -A2 '^-- '
# nor has a server that starts a process for each connection
sed '1s/schedulers=1/schedulers=2/; 1a 0us <0.6.0> s2 in mfa=m:serve/0\n0us <0.6.0> s2 spawn child=<0.5.0> mfa=m:f/0\n1us <0.6.0> s2 out mfa=m:serve/0' outside.txt > served.txt
COLUMNS=100 $STROBE report served.txt critical | grep -c '^-- no result'
--- out
The chain of work and waits that led to the end of the recording, by its time on it
  share     time  kind     process     processes  function   peer        steps  pid
40.00 %   400 us  run      <0.5.0>             1  m:first/0  --              1  <0.5.0>
35.00 %   350 us  run      m:second/0          1  m:wait/0   --              2  <0.6.0>
10.00 %   100 us  queue    m:second/0          1  --         --              1  <0.6.0>
 9.00 %  90.0 us  run      <0.5.0>             1  m:wait/0   --              1  <0.5.0>
 5.00 %  50.0 us  gc       m:second/0          1  m:wait/0   --              1  <0.6.0>
 1.00 %  10.0 us  queue    <0.5.0>             1  --         --              1  <0.5.0>
 0.00 %     0 ns  message  <0.5.0>             1  --         m:second/0      1  <0.5.0>
 0.00 %     0 ns  message  m:second/0          1  --         <0.5.0>         1  <0.6.0>
share,ns,kind,process,processes,function,peer,steps,pid,id,peer_id,note,node,samples,hot
87.5,630000,run,m:part/0,2,m:part/0,,2,,,,,1,,
5.55555555555556,40000,queue,m:part/0,2,,<0.5.0>,2,,,1,,1,,
4.16666666666667,30000,run,<0.5.0>,1,m:first/0,,3,<0.5.0>,1,,,1,,
2.77777777777778,20000,queue,<0.5.0>,1,,,2,<0.5.0>,1,,,1,,
0,0,message,<0.5.0>,1,,m:part/0,2,<0.5.0>,1,,,1,,
0,0,message,m:part/0,2,,<0.5.0>,2,,,1,,1,,
== pipeline
id,process,kind,function,peer,start,dur
1,1,run,m:first/0,,0,400000
2,2,message,,1,400000,0
3,2,queue,,,400000,100000
4,2,run,m:wait/0,,500000,100000
5,2,gc,m:wait/0,,600000,50000
6,2,run,m:wait/0,,650000,250000
7,1,message,,2,900000,0
8,1,queue,,,900000,10000
9,1,run,m:wait/0,,910000,90000
id,process,peer,kind,function,start,dur,steps,step,run,gc,queue
1,1,,run,m:first/0,0,400000,1,1,400000,0,0
2,2,1,run,m:wait/0,400000,500000,5,2,350000,50000,100000
3,1,2,run,m:wait/0,900000,100000,3,7,90000,0,10000
== outside
id,process,kind,function,peer,start,dur
1,1,run,m:f/0,,0,100000
2,1,timer,timer:sleep/1,,100000,2898000
3,1,queue,,,2998000,2000
4,1,run,timer:sleep/1,,3000000,100000
5,1,port,gen:do_call/4,,3100000,2003000
6,1,queue,,,5103000,2000
7,1,run,gen:do_call/4,,5105000,95000
8,1,queue,,,5200000,100000
9,1,run,m:f/0,,5300000,200000
10,,unknown,,,5500000,500000
id,process,peer,kind,function,start,dur,steps,step,run,gc,queue
1,1,,timer,timer:sleep/1,0,5500000,9,1,495000,0,104000
2,,,unknown,,5500000,500000,1,10,0,0,0
== silent
id,process,kind,function,peer,start,dur
1,,unknown,,,0,100000
id,process,peer,kind,function,start,dur,steps,step,run,gc,queue
1,,,unknown,,0,100000,1,1,0,0,0
== cut
id,process,kind,function,peer,start,dur
1,2,unknown,,,0,10000
2,2,run,m:g/0,,10000,40000
id,process,peer,kind,function,start,dur,steps,step,run,gc,queue
1,2,,run,m:g/0,0,50000,2,1,40000,0,0
-- waits set most of this length, the longest for a timer: <0.5.0> waited 2.90 ms of 6.00 ms in
   timer:sleep/1
-- no result set this length: <0.5.0> was at work when the recording ended. Most of the path is
   waiting, longest for a timer: <0.5.0> waited 2.90 ms of 6.00 ms in timer:sleep/1
-- how long its requests took: strobe report goes_on.sbp latency
1
