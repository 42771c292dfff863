The time of the schedulers splits into parts that add up: work, collections, and for each idle scheduler what it was idle for.
--- trace
@meta node=a@h creation=1 recorded=procs,running,messages,gc,ports schedulers=2
0us     <0.5.0> s1 in mfa=m:f/0
0us     <0.5.0> s1 waits mfa=m:loop/0 kind=1
1000us  <0.5.0> s1 gc_minor_start heap=500
1400us  <0.5.0> s1 gc_minor_end heap=100
2000us  <0.5.0> s1 spawn child=<0.6.0> mfa=m:g/0
2500us  <0.6.0> s2 in mfa=m:g/0
4000us  <0.6.0> s2 out mfa=m:loop/0
6000us  <0.5.0> s1 send to=<0.6.0> words=3 hash=1
6300us  <0.6.0> s2 in mfa=m:loop/0
6310us  <0.6.0> s2 receive words=3 hash=1
7000us  <0.6.0> s2 out mfa=m:loop/0
7000us  <0.5.0> s1 out mfa=timer:sleep/1
8000us  #Port<0.1> s2 in mfa=command
8500us  #Port<0.1> s2 out mfa=command
9000us  <0.5.0> s1 in mfa=timer:sleep/1
9010us  <0.5.0> s1 receive words=1 timeout
9500us  <0.5.0> s1 out mfa=m:f/0
9600us  <0.5.0> s1 in mfa=m:f/0
10000us <0.5.0> s1 exit reason=normal
--- file silent.txt
@meta node=a@h creation=1 recorded=procs,messages schedulers=2
0us   <0.5.0> s1 spawn child=<0.6.0> mfa=m:f/0
100us <0.6.0> s1 exit reason=normal
--- run
$STROBE report T.txt why
$STROBE query T.sbp "SELECT node, part, of, ns, share, process FROM account" --format csv
$STROBE query silent.txt "SELECT part, ns, share FROM account WHERE ns > 0" --format csv
--- out
Where the time of the schedulers went
  share     time  what
51.00 %  10.2 ms  processes and ports at work
24.50 %  4.90 ms  idle: all wait for <0.5.0>
12.50 %  2.50 ms  idle: all wait for a port
 4.98 %   996 us  idle: all wait, the next for a timer
 2.50 %   500 us  idle beside a process in another queue
 2.00 %   400 us  garbage collection on normal schedulers with a CPU
 1.50 %   300 us  switching to the next process of its queue
 0.98 %   196 us  idle: all wait for timers, ports or other nodes
 0.04 %  8.00 us  unknown
node,part,of,ns,share,process
1,work,,10200000,51,
1,gc,,400000,2,
1,switching,,300000,1.5,
1,elsewhere,,500000,2.5,
1,process,<0.5.0>,4900000,24.5,1
1,outside,,196000,0.98,
1,outside,timer,996000,4.98,
1,outside,port,2500000,12.5,
1,unknown,,8000,0.04,
part,ns,share
unknown,200000,100
