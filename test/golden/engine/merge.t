Two nodes analysed apart and merged are, to the byte, the two analysed at once: messages paired, clocks aligned, names of the other node resolved.
--- file A.txt
@meta node=a@h creation=1 otp=27 schedulers=2 recorded=procs,running,messages,gc,calls,marks,vm,ports,sample
1us  <0.5.0> s1 in       mfa=m:f/0
1us  -       -  sample   item=run_queue key="1" value=3
2us  <0.5.0> s1 send     to=<0.7.0>@b@h/1 words=3 ext=9 hash=11
3us  <0.5.0> s1 call     mfa=m:'odd one'/2
3us  <0.5.0> s1 send     to={server,b@h} words=4 ext=10 hash=12
4us  <0.5.0> s1 link     to=<0.7.0>@b@h/1
4us  #Port<0.3> - open   owner=<0.5.0> driver='my drv'
5us  #Port<0.3> s1 in    mfa=command
6us  #Port<0.3> s1 out   mfa=command
6us  <0.5.0> s1 return_to mfa=m:f/0
7us  <0.5.0> s1 out      mfa=m:f/0
9us  <0.5.0> s2 in       mfa=m:f/0
9us  <0.5.0> s2 receive  words=3 ext=9 hash=22
10us <0.5.0> s2 mark     text="half way"
11us <0.5.0> s2 gc_minor_start heap=100 old=20 bin=1 mbuf=0
12us <0.5.0> s2 gc_minor_end   heap=60 old=20 bin=1 mbuf=0
13us -       -  drop     events=2 class=3
20us <0.5.0> s2 exit     reason=killed
--- file B.txt
@meta node=b@h creation=1 otp=27 schedulers=1
501us <0.7.0> s1 register name=server
501us <0.7.0> s1 in       mfa=m:g/0
502us <0.7.0> s1 out      mfa=m:g/0
503us <0.7.0> s1 in       mfa=m:g/0
503us <0.7.0> s1 receive  words=3 ext=9 hash=11
505us <0.7.0> s1 receive  words=4 ext=10 hash=12
508us <0.7.0> s1 send     to=<0.5.0>@a@h/1 words=3 ext=9 hash=22
509us <0.7.0> s1 out      mfa=m:g/0
522us <0.7.0> s1 in       mfa=m:g/0
523us <0.7.0> s1 receive  words=2 ext=9 timeout
--- run
$STROBE analyze A.txt B.txt -o once.sbp > log 2>&1
$STROBE analyze A.txt -o A.sbp > log 2>&1 && $STROBE analyze B.txt -o B.sbp > log 2>&1
$STROBE merge B.sbp A.sbp -o M.sbp && cmp once.sbp M.sbp && $STROBE merge M.sbp -o M2.sbp && cmp M.sbp M2.sbp && $STROBE merge A.sbp -o A2.sbp && cmp A.sbp A2.sbp && echo the same
$STROBE query M.sbp "SELECT name, clock_offset_ns, clock_error_ns, trace_start, trace_end FROM node"
$STROBE query M.sbp "SELECT s.pid AS sender, r.pid AS receiver, sent, received, words FROM message JOIN process s ON s.id = sender JOIN process r ON r.id = receiver ORDER BY sent"
$STROBE query M.sbp "SELECT process, gap.start, wait_ns, runnable_ns, unknown_ns, cause, waker FROM gap ORDER BY process, start"
--- out
the same
name  clock_offset_ns  clock_error_ns  trace_start   trace_end
a@h              0 ns            0 ns   0.000000 s  0.000019 s
b@h           -500 us         4.00 us   0.000000 s  0.000022 s
sender   receiver        sent    received  words
<0.5.0>  <0.7.0>   0.000001 s  0.000002 s      3
<0.5.0>  <0.7.0>   0.000002 s  0.000004 s      4
<0.7.0>  <0.5.0>   0.000007 s  0.000008 s      3
process       start  wait_ns  runnable_ns  unknown_ns  cause    waker
      1  0.000006 s  1.00 us      1.00 us        0 ns  message      2
      1  0.000012 s     0 ns         0 ns     7.00 us  unknown     --
      2  0.000001 s     0 ns      1.00 us        0 ns  message     --
      2  0.000008 s  4.00 us         0 ns        0 ns  unknown     --
      2  0.000012 s     0 ns         0 ns     9.00 us  unknown     --
