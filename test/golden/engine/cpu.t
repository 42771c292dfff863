A sample of the CPU belongs to the process whose slice its thread was in: running, collecting or on a dirty scheduler. A
frame number means the frame that was the last to get it. Recursion counts once in a total.
--- trace
@meta node=n@h schedulers=1 recorded=procs,running,gc,cpu
1000 <0.9.0> s1 spawned parent=<0.1.0> mfa=m:start/0
1000 <0.9.0> s1 in mfa=m:start/0
1000 - - thread name="1_scheduler" tid=41 cpu=0 queue=0 voluntary=0 involuntary=0
1000 - - thread name="1_dirty_cpu_sch" tid=42 cpu=0 queue=0 voluntary=0 involuntary=0
1000 - - thread name="async_1" tid=43 cpu=0 queue=0 voluntary=0 involuntary=0
1100 - - cpu_frame name="m:start/0" number=1 caller=0 kind=0
1100 - - cpu_frame name="m:f/1" number=2 caller=1 kind=0
1100 - - cpu_sample tid=41 stack=2
1200 - - cpu_frame name="m:g/0" number=3 caller=2 kind=0
1200 - - cpu_frame name="m:f/1" number=4 caller=3 kind=0
1200 - - cpu_sample tid=41 stack=4
1300 <0.9.0> s1 gc_minor_start heap=9 block=9 bin=0 old=0 mbuf=0 need=1
1350 - - cpu_frame name="beam.smp:garbage_collect" number=5 caller=0 kind=1
1350 - - cpu_sample tid=41 stack=5
1400 <0.9.0> s1 gc_minor_end heap=9 block=9 bin=0 old=0 mbuf=0 need=1
2000 <0.9.0> s1 out mfa=m:start/0
2000 - - cpu_sample tid=41 stack=5
2100 <0.9.0> d1 in mfa=m:nif/0
2150 - - cpu_sample tid=42 stack=2
2200 <0.9.0> d1 out mfa=m:nif/0
2300 - - cpu_sample tid=43 stack=0
2400 <0.9.0> s1 in mfa=m:start/0
2450 - - cpu_frame name="m:h/0" number=2 caller=1 kind=0
2450 - - cpu_sample tid=41 stack=2
2500 <0.9.0> s1 out_exited
2500 <0.9.0> s1 exit reason=normal
--- run
$STROBE analyze T.txt -o T.sbp > log 2>&1
$STROBE query T.sbp "SELECT c.at, p.pid, c.scheduler, c.kind, s.function FROM cpu_sample c LEFT JOIN process p ON p.id = c.process LEFT JOIN cpu_stack s ON s.id = c.stack"
$STROBE report T.sbp cpu
$STROBE report T.sbp cpu --since 1us --until 2us --format csv
$STROBE report T.sbp cpu --process '<0.9.0>' --format csv | tail -n 1
$STROBE query T.sbp "SELECT * FROM cpu_function(0, 300, NULL)"
$STROBE export T.sbp --to collapsed --what cpu -o -
ask T.sbp 'calls?of=cpu' | tr -d ' \n' | sed 's/},/&\n/g'; echo
ask T.sbp 'calls?of=cpu&mode=callers&f=m:f/1&t0=1100&t1=1300' | tr -d ' \n' | sed 's/},/&\n/g'; echo
ask T.sbp 'calls?of=cpu&mode=inverted' | tr -d ' \n' | sed 's/},/&\n/g'; echo
$STROBE merge T.sbp -o M.sbp > log && $STROBE export M.sbp --to collapsed --what cpu -o - | wc -l
$STROBE export T.sbp --to flame -o F.html && grep -c '"names":\["","outside of processes","' F.html
--- out
        at  pid      scheduler  kind     function
0.000000 s  <0.9.0>          1  run      m:f/1
0.000000 s  <0.9.0>          1  run      m:f/1
0.000000 s  <0.9.0>          1  gc       beam.smp:garbage_collect
0.000001 s  --               1  outside  beam.smp:garbage_collect
0.000001 s  <0.9.0>          2  dirty    m:f/1
0.000001 s  --              --  outside  --
0.000001 s  <0.9.0>          1  run      m:h/0
Functions by samples of the CPU, by samples of their own
  self%   error%   total%  self  total  processes  function
42.86 %  29.57 %  42.86 %     3      3          1  m:f/1
28.57 %  27.94 %  28.57 %     2      2          1  beam.smp:garbage_collect
14.29 %  24.37 %  14.29 %     1      1          1  m:h/0
 0.00 %  17.72 %  57.14 %     0      4          1  m:start/0
 0.00 %  17.72 %  14.29 %     0      1          1  m:g/0
self_ppm,error_ppm,total_ppm,self,total,processes,native,function,place
250000,326889,250000,1,1,0,1,beam.smp:garbage_collect,
250000,326889,250000,1,1,1,0,m:f/1,
250000,326889,250000,1,1,1,0,m:h/0,
0,244950,500000,0,2,1,0,m:start/0,
0,217246,200000,0,1,1,0,m:g/0,
function   self  total  processes  native  samples
m:f/1         2      2          1       0        2
m:start/0     0      2          1       0        2
m:g/0         0      1          1       0        2
outside of processes 1
outside of processes;beam.smp:garbage_collect 1
m:start/0;m:f/1 1
m:start/0;m:f/1;m:g/0;m:f/1 1
m:start/0;beam.smp:garbage_collect 1
m:start/0;m:h/0 1
m:start/0;m:f/1 1
{"meta":{"total":7,"total_run":7,"least_acc":0,"least_run":0,"sampled":true},
"call":[{"id":2,"parent":0,"mfa":"m:start/0","calls":4,"own":0,"acc":4,"run":4,"recursive":0,"first":100,"more":0},
{"id":3,"parent":2,"mfa":"m:f/1","calls":3,"own":2,"acc":3,"run":3,"recursive":0,"first":100,"more":0},
{"id":4,"parent":3,"mfa":"m:g/0","calls":1,"own":0,"acc":1,"run":1,"recursive":0,"first":200,"more":0},
{"id":5,"parent":4,"mfa":"m:f/1","calls":1,"own":1,"acc":1,"run":1,"recursive":0,"first":200,"more":0},
{"id":6,"parent":0,"mfa":"beam.smp:garbage_collect","calls":1,"own":1,"acc":1,"run":1,"recursive":0,"first":350,"more":0},
{"id":7,"parent":2,"mfa":"m:h/0","calls":1,"own":1,"acc":1,"run":1,"recursive":0,"first":1450,"more":0},
{"id":8,"parent":0,"mfa":"outsideofprocesses","calls":2,"own":1,"acc":2,"run":2,"recursive":0,"first":1000,"more":0},
{"id":13,"parent":8,"mfa":"beam.smp:garbage_collect","calls":1,"own":1,"acc":1,"run":1,"recursive":0,"first":1000,"more":0}]}
{"meta":{"total":1,"total_run":1,"least_acc":0,"least_run":0,"sampled":true},
"call":[{"id":1,"parent":0,"mfa":"m:f/1","calls":1,"own":1,"acc":1,"run":1,"recursive":0,"first":1150,"more":0},
{"id":2,"parent":1,"mfa":"m:start/0","calls":1,"own":1,"acc":1,"run":1,"recursive":0,"first":1150,"more":0}]}
{"meta":{"total":7,"total_run":7,"least_acc":0,"least_run":0,"sampled":true},
"call":[{"id":1,"parent":0,"mfa":"m:f/1","calls":4,"own":3,"acc":3,"run":3,"recursive":0,"first":100,"more":0},
{"id":2,"parent":0,"mfa":"beam.smp:garbage_collect","calls":2,"own":2,"acc":2,"run":2,"recursive":0,"first":350,"more":0},
{"id":3,"parent":0,"mfa":"m:h/0","calls":1,"own":1,"acc":1,"run":1,"recursive":0,"first":1450,"more":0},
{"id":4,"parent":0,"mfa":"outsideofprocesses","calls":2,"own":1,"acc":1,"run":1,"recursive":0,"first":1000,"more":0},
{"id":5,"parent":1,"mfa":"m:start/0","calls":3,"own":0,"acc":2,"run":2,"recursive":0,"first":100,"more":0},
{"id":6,"parent":1,"mfa":"m:g/0","calls":1,"own":0,"acc":1,"run":1,"recursive":0,"first":200,"more":0},
{"id":7,"parent":3,"mfa":"m:start/0","calls":1,"own":0,"acc":1,"run":1,"recursive":0,"first":1450,"more":0},
{"id":8,"parent":2,"mfa":"outsideofprocesses","calls":1,"own":0,"acc":1,"run":1,"recursive":0,"first":1000,"more":0},
{"id":9,"parent":6,"mfa":"m:f/1","calls":1,"own":0,"acc":1,"run":1,"recursive":0,"first":200,"more":0},
{"id":10,"parent":9,"mfa":"m:start/0","calls":1,"own":0,"acc":1,"run":1,"recursive":0,"first":200,"more":0}]}
7
1
