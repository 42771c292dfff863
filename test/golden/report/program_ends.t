A server of the program that lives until the node has stopped did its last work before that: the program ends there.
--- trace
@meta node=a@h creation=1 recorded=procs,running schedulers=2
0 <0.9.0> s1 spawn child=<0.20.0> mfa=shop:prices/0
0 <0.20.0> s1 spawned parent=<0.9.0> mfa=shop:prices/0
1ms <0.20.0> s1 in mfa=shop:prices/0
3ms <0.20.0> s1 out mfa=gen_server:loop/7
900ms <0.20.0> s1 in_exiting mfa=gen_server:loop/7
900ms <0.20.0> s1 exit reason=killed
1000ms <0.9.0> s1 in mfa=init:loop/1
1001ms <0.9.0> s1 out mfa=init:loop/1
--- run
COLUMNS=120 $STROBE report T.txt | grep -A1 ^program
--- out
program           3.00 ms, from 0 ns on, without start-up and shutdown: 0.67 processes at work on average, serial 66.7
                  %, idle 33.3 %
