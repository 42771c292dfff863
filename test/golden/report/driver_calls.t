A process that calls the driver of a port is at work once, not twice: the slice of the port is within its own.
--- trace
@meta node=a@h creation=1 recorded=procs,running,ports schedulers=2
0 <0.5.0> s1 in mfa=m:f/0
1000 #Port<0.1> s1 in mfa=command
5000 #Port<0.1> s1 out mfa=command
6000 <0.5.0> s1 out mfa=m:f/0
8000 #Port<0.1> s2 in mfa=ready_input
10000 #Port<0.1> s2 out mfa=ready_input
--- run
$STROBE analyze T.txt -o T.sbp > log 2>&1
$STROBE report T.sbp summary --format csv | grep -E '^(parallelism|serial|idle|too few)' | cut -d, -f1-2,4-
$STROBE report T.sbp ports --format csv | cut -d, -f3-4
--- out
parallelism,600000,"0.60 processes and 0.20 ports at work on average, on 2 schedulers",strobe report T.sbp activity,How parallel
serial,800000,"80.0 % (between 60 and 80 %) of the time one was at work and nobody else was ready, most often <0.5.0>",strobe report T.sbp activity,How parallel
idle,200000,20.0 % of the time nothing was at work on any scheduler,strobe report T.sbp activity,How parallel
too few to run,1000000,100.0 % (between 80 and 100 %) of the time there was less to run than schedulers,strobe report T.sbp activity,How parallel
run_ns,runs
6000,2
