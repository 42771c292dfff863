What a process did at a moment, with what led to it and what came of it: a slice with its messages, its waker and whom it
woke; the wait before it; a process that nobody woke in the trace; and the longest slice in a range.
--- trace
@meta node=n@h schedulers=2 recorded=procs,running,messages,gc,marks
1000 <0.9.0> s1 spawned parent=<0.1.0> mfa=m:start/0
1000 <0.9.0> s1 in mfa=m:start/0
1200 <0.9.0> s1 gc_minor_start heap=9 block=9 bin=0 old=0 mbuf=0 need=1
1900 <0.9.0> s1 gc_minor_end heap=5 block=9 bin=0 old=0 mbuf=0 need=1
2000 <0.9.0> s1 send to=<0.8.0> words=2 hash=1
2300 <0.8.0> s2 in mfa=gen_server:loop/7
2500 <0.9.0> s1 out mfa=gen:do_call/4
2600 <0.8.0> s2 receive words=2 hash=1
3000 <0.8.0> s2 send to=<0.9.0> words=7 hash=2
3100 <0.8.0> s2 mark text=answered
4000 <0.8.0> s2 out mfa=gen_server:loop/7
4200 <0.9.0> s2 in mfa=gen:do_call/4
4300 <0.9.0> s2 receive words=7 hash=2
5000 <0.9.0> s2 exit reason=normal
--- run
$STROBE analyze T.txt -o T.sbp > log 2>&1
for t in 1500 2700 3300; do $STROBE report T.sbp moment --process '<0.9.0>' --since ${t}ns --format csv | tr -d '\r' | cut -d, -f1-15; done
$STROBE report T.sbp moment --process '<0.8.0>' --since 0 --until 5us
$STROBE report T.sbp moment --process '<0.8.0>' --since 4500ns
$STROBE report T.sbp moment --since 1us
--- out
relation,state,at,dur,low_ns,high_ns,process,other_at,cause,words,function,out_function,scheduler,other_scheduler,text
it,waiting,1500,500,,,m:start/0,,,,,gen:do_call/4,,,
woken_by,,2000,1200,1200,1200,<0.8.0>,2000,message,7,,,,2,
before,running,0,1500,,,m:start/0,,,,,,1,,
after,runnable,2000,1200,,,m:start/0,,,,,,,,
relation,state,at,dur,low_ns,high_ns,process,other_at,cause,words,function,out_function,scheduler,other_scheduler,text
it,runnable,2000,1200,1200,1200,m:start/0,,,,,gen:do_call/4,,,
woken_by,,2000,1200,1200,1200,<0.8.0>,2000,message,7,,,,2,
before,waiting,1500,500,,,m:start/0,,,,,,,,
after,running,3200,800,,,m:start/0,,,,,,2,,
relation,state,at,dur,low_ns,high_ns,process,other_at,cause,words,function,out_function,scheduler,other_scheduler,text
it,running,3200,800,,,m:start/0,,,,gen:do_call/4,,2,,normal
woken_by,,2000,1200,1200,1200,<0.8.0>,2000,message,7,,,,2,
before,runnable,2000,1200,1200,1200,m:start/0,,,,,,,,
received,,3300,1300,,,<0.8.0>,2000,,7,,,,2,
What a process did at a moment
relation  state            at      dur  process      other at  cause    words
it        running  0.000001 s  1.70 us  <0.8.0>            --  --          --
woken_by  --               --       --  --                 --  unknown     --
before    unknown  0.000000 s  1.30 us  <0.8.0>            --  --          --
after     unknown  0.000003 s  1.00 us  <0.8.0>            --  --          --
marked    --       0.000002 s       --  --                 --  --          --
received  --       0.000002 s   600 ns  m:start/0  0.000001 s  --           2
sent      --       0.000002 s  1.30 us  m:start/0  0.000003 s  --           7
woke      --       0.000002 s  1.20 us  m:start/0  0.000003 s  message     --
What a process did at a moment
-- none of these processes in this range of time
What a process did at a moment
-- none in this range of time
