What nothing was at work for in a suite is what a test waited for, not the framework that waits for the tests.
--- trace
@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2
0 <0.9.0> s1 in mfa=init:loop/1
1ms <0.9.0> s1 spawn child=<0.21.0> mfa=eunit_proc:'-start_task/3-fun-0-'/3
1ms <0.21.0> s2 spawned parent=<0.9.0> mfa=eunit_proc:'-start_task/3-fun-0-'/3
2ms <0.9.0> s1 out mfa=init:loop/1
3ms <0.21.0> s2 in mfa=shop_test:prices_test/0
4ms <0.21.0> s2 spawn child=<0.20.0> mfa=eunit_proc:group_leader_process/1
4ms <0.20.0> s2 spawned parent=<0.21.0> mfa=eunit_proc:group_leader_process/1
5ms <0.20.0> s1 in mfa=eunit_proc:group_leader_process/1
6ms <0.20.0> s1 out mfa=eunit_proc:group_leader_loop/3
8ms <0.21.0> s2 out mfa=timer:sleep/1
708ms <0.21.0> s2 in mfa=timer:sleep/1
708ms <0.21.0> s2 receive words=1 timeout
720ms <0.20.0> s1 in mfa=eunit_proc:group_leader_loop/3
720ms <0.20.0> s1 receive words=3 hash=1
721ms <0.20.0> s1 exit reason=normal
721ms <0.20.0> s1 out_exited
760ms <0.21.0> s2 exit reason=normal
760ms <0.21.0> s2 out_exited
800ms <0.9.0> s1 in mfa=init:loop/1
801ms <0.9.0> s1 out mfa=init:loop/1
--- run
COLUMNS=120 $STROBE report T.txt | grep -A2 ^waiting
--- out
waiting           for 700 ms of the program nothing was at work or ready; eunit_proc:'-start_task/3-fun-0-'/3 <0.21.0>
                  waited 700 ms in timer:sleep/1, in 1 wait
