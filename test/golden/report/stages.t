Processes started alike that write to each other are stages, not parts of one work that is badly divided.
--- trace
@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2
0 <0.9.0> s1 spawn child=<0.21.0> mfa=shop:stage/1
0 <0.9.0> s1 spawn child=<0.22.0> mfa=shop:stage/1
0 <0.9.0> s1 spawn child=<0.23.0> mfa=shop:stage/1
1ms <0.21.0> s1 in mfa=shop:stage/1
1ms <0.22.0> s2 in mfa=shop:stage/1
20ms <0.21.0> s1 send to=<0.9.0> words=9 hash=1
21ms <0.21.0> s1 exit reason=normal
21ms <0.21.0> s1 out_exited
22ms <0.23.0> s1 in mfa=shop:stage/1
22ms <0.23.0> s1 receive words=9 hash=2
42ms <0.23.0> s1 exit reason=normal
42ms <0.23.0> s1 out_exited
441ms <0.22.0> s2 exit reason=normal
441ms <0.22.0> s2 out_exited
--- run
sed '/^1ms.*22.0/a 2ms <0.22.0> s2 send to=<0.23.0> words=9 hash=2' T.txt > writes.txt
for t in T writes; do COLUMNS=120 $STROBE report $t.txt findings | grep -A2 '^[0-9]'; done
--- out
1. imbalance: a cure saves about 200 ms (188 ms to 201 ms) in a replay; confidence high
   of 3 processes started alike, shop:stage/1 <0.22.0> had 92 % of the work: 440 ms, 20.0 ms on average for the others;
   it was at work alone for 399 ms
1. serial_phase: a cure saves at most 399 ms; confidence low
   shop:stage/1 <0.22.0> was the only process at work for 399 ms, 90 % of the program's time; it worked for 440 ms, and
   2 schedulers need 240 ms for all work together
