How much CPU the schedulers got for the work on them: taken by others, asleep in the operating system, more than the work, read for a part of the time, and not known.
--- file busy.txt
@meta schedulers=2 schedulers_online=2 cores=1
0ms    <0.5.0> s1 in      mfa=m:f/0
1ms    -       -  thread  name="1_scheduler" tid=11 cpu=0 queue=0 voluntary=1 involuntary=1
1ms    -       -  thread  name="2_scheduler" tid=12 cpu=0 queue=0 voluntary=1 involuntary=1
1ms    -       -  thread  name="1_aux" tid=13 cpu=0 queue=0 voluntary=1 involuntary=1
500ms  -       -  thread  name="1_scheduler" tid=11 cpu=200000000 queue=290000000 voluntary=2 involuntary=101
1000ms <0.5.0> s1 out     mfa=m:f/0
1001ms -       -  thread  name="1_scheduler" tid=11 cpu=400000000 queue=590000000 voluntary=3 involuntary=301
1001ms -       -  thread  name="2_scheduler" tid=12 cpu=10000000 queue=0 voluntary=3 involuntary=1
1001ms -       -  thread  name="1_aux" tid=13 cpu=900000000 queue=0 voluntary=3 involuntary=1
1001ms <0.5.0> s1 in      mfa=m:f/0
1002ms <0.5.0> s1 out     mfa=m:f/0
--- file asleep.txt
@meta schedulers=2 schedulers_online=1 dirty_io=1
0ms    <0.5.0> d1 in      mfa=m:f/0
1ms    -       -  thread  name="dios_1" tid=12 cpu=0 queue=0
1001ms -       -  thread  name="dios_1" tid=12 cpu=100000000 queue=5000000
1001ms <0.5.0> d1 out     mfa=m:f/0
--- file more.txt
@meta schedulers=4 schedulers_online=4
0ms    -       -  cpus    cores=4 quota=1500000
0ms    <0.5.0> s1 in      mfa=m:f/0
1ms    -       -  thread  name="erts_sched_1" tid=12 cpu=0 queue=0
1ms    -       -  thread  name="erts_sched_2" tid=13 cpu=0 queue=0
601ms  -       -  thread  name="erts_sched_1" tid=12 cpu=600000000 queue=0
601ms  -       -  thread  name="erts_sched_2" tid=13 cpu=400000000 queue=0
1001ms <0.5.0> s1 out     mfa=m:f/0
--- file all.txt
@meta schedulers=1
0ms    <0.5.0> s1 in      mfa=m:f/0
1ms    -       -  thread  name="sched_1" tid=12 cpu=0 queue=0
1001ms <0.5.0> s1 out     mfa=m:f/0
1010ms -       -  thread  name="sched_1" tid=12 cpu=980000000 queue=0
--- file none.txt
@meta schedulers=1
0ms    <0.5.0> s1 in      mfa=m:f/0
1001ms <0.5.0> s1 out     mfa=m:f/0
--- run
for t in busy asleep more all none; do echo "== $t"; $STROBE report $t.txt 2>/dev/null | sed -n '/^node/p;/^on CPU/,/^messages/{/^messages/!p}'; done
$STROBE report busy.txt schedulers 2>/dev/null | sed 's/ *$//'
$STROBE report busy.txt schedulers --until 600ms --format csv 2>/dev/null | cut -d, -f1,11-13 | tr -d '\r'
$STROBE report none.txt schedulers --format csv 2>/dev/null | cut -d, -f1,11-13 | tr -d '\r'
--- out
== busy
node              nonode@nohost, 2 schedulers, 1 core
on CPU            schedulers, dirty ones included, got 410 ms of CPU, 41 % of
                  the time of their work; they waited 590 ms for a core, taken
                  by other programs or by a CPU limit, and all times below
                  include that
== asleep
node              nonode@nohost, 2 schedulers, 1 online
on CPU            schedulers, dirty ones included, got 100 ms of CPU, 10 % of
                  the time of their work; for most of the rest they slept in the
                  operating system: in file operations, a NIF or a driver
== more
node              nonode@nohost, 4 schedulers, limited to 1.50 cores
on CPU            schedulers, dirty ones included, got 1.00 s of CPU for 600 ms
                  of work from 1.00 ms to 601 ms; 400 ms of it outside of
                  processes: scheduling, timers, polling, busy waiting
== all
node              nonode@nohost, 1 scheduler
== none
node              nonode@nohost, 1 scheduler
Schedulers (1 more did nothing)
scheduler    used%   slice  slices  over time                             on cpu
1          99.90 %  1.00 s       2  ███████████████████████████████████▇  400 ms
scheduler,on_cpu_ns,no_core_ns,involuntary
1,200000000,290000000,100
2,0,0,0
scheduler,on_cpu_ns,no_core_ns,involuntary
1,,,
