A scheduler that is idle and waits for a core when it is woken takes nothing from the work of another one that has its core.
--- trace
@meta node=a@h creation=1 recorded=procs,running schedulers=2
0 - - thread name="1_scheduler" tid=11 cpu=0 queue=0
0 - - thread name="2_scheduler" tid=12 cpu=0 queue=0
1ms <0.20.0> s1 in mfa=shop:crunch/1
100ms <0.21.0> s2 in mfa=shop:tick/1
200ms <0.21.0> s2 out mfa=shop:tick/1
1001ms <0.20.0> s1 exit reason=normal
1001ms <0.20.0> s1 out_exited
1001ms - - thread name="1_scheduler" tid=11 cpu=1000000000 queue=0
1001ms - - thread name="2_scheduler" tid=12 cpu=50000000 queue=450000000
--- run
$STROBE query T.txt "SELECT part, ns FROM account WHERE part IN ('work', 'preempted')" --format csv
--- out
part,ns
work,1010000000
preempted,90000000
