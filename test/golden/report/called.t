A process that began in OTP is called by what it runs of the program, in sentences, tables and SQL alike; a fun that init
runs, for -eval or -s, by the function that most of its stacks begin with.
--- trace
@meta node=n@h schedulers=1 recorded=procs,running,cpu
1000 <0.1.0> s1 exists name=init status=0
1000 <0.9.0> s1 spawned parent=<0.1.0> mfa=erlang:apply/2
1000 <0.10.0> s1 spawned parent=<0.1.0> mfa=erlang:apply/2
1000 <0.11.0> s1 spawned parent=<0.1.0> mfa=proc_lib:init_p/5
1000 - - thread name="1_scheduler" tid=41 cpu=0 queue=0 voluntary=0 involuntary=0
1000 <0.9.0> s1 in mfa=erl_eval:expr/6
1100 - - cpu_frame name="init:do_boot/3" number=1 caller=0 kind=0
1100 - - cpu_frame name="erl_eval:expr/6" number=2 caller=1 kind=0
1100 - - cpu_sample tid=41 stack=2
1150 - - cpu_sample tid=41 stack=2
1200 - - cpu_sample tid=41 stack=2
1250 - - cpu_sample tid=41 stack=2
1300 - - cpu_frame name="erl_eval:expr/6" number=3 caller=0 kind=0
1300 - - cpu_sample tid=41 stack=3
2000 <0.9.0> s1 out mfa=erl_eval:expr/6
2100 <0.10.0> s1 in mfa=lists:map/2
2200 - - cpu_sample tid=41 stack=3
2300 - - cpu_sample tid=41 stack=2
2400 <0.10.0> s1 out mfa=lists:map/2
2500 <0.11.0> s1 in mfa=proc_lib:init_p/5
2600 <0.11.0> s1 out mfa=shop:sell/1
--- run
$STROBE analyze T.txt -o P.sbp > log 2>&1
$STROBE query P.sbp "SELECT pid, coalesce(entry, spawn_mfa) AS started, who(id) FROM process" --format csv
$STROBE report P.sbp processes --format csv | cut -d, -f1
$STROBE report P.sbp critical --format csv | cut -d, -f4
--- out
pid,started,who(id)
<0.1.0>,,init
<0.9.0>,erlang:apply/2,init:do_boot/3
<0.10.0>,erlang:apply/2,erlang:apply/2
<0.11.0>,proc_lib:init_p/5,shop:sell/1
process
init
init:do_boot/3
erlang:apply/2
shop:sell/1
process
shop:sell/1
shop:sell/1
