Other programs had the core for nineteen parts of twenty: the work is what the schedulers' threads ran, not the length of the slices.
--- file busy.txt
@meta node=a@h creation=1 recorded=procs,running,messages schedulers=1 schedulers_online=1 cores=1
0ms    -       -  thread  name="1_scheduler" tid=11 cpu=0 queue=0 voluntary=1 involuntary=1
0ms    <0.5.0> s1 in      mfa=m:f/0
1000ms -       -  thread  name="1_scheduler" tid=11 cpu=50000000 queue=950000000 voluntary=2 involuntary=101
1000ms <0.5.0> s1 exit    reason=normal
--- run
export XDG_CACHE_HOME=$PWD # no constants of this machine
$STROBE predict busy.txt --cores 1 --format csv | cut -d, -f1,3,7,10
$STROBE predict busy.txt --cores 1 --faster '<0.5.0>=2' --format csv | sed 1d | cut -d, -f1,3,7,10
--- out
cores,ns,work_ns,recorded_ns
1,50000000,50000000,1000000000
1,25000000,25000000,1000000000
