Marks of another process, as a listener of EUnit or a handler of Common Test's events sets them: they are late, and in the order of the
tests. Where tests run at once, and the next one starts before the mark of the last, none of them has a name; but cases of Common Test
wait for the manager of its events, which handles them in the order of their receipt (P).
--- file E.txt
@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2
0 <0.9.0> s1 spawn child=<0.20.0> mfa=eunit_proc:'-insulator_process/3-fun-0-'/2
0 <0.20.0> s1 in mfa=eunit_proc:'-insulator_process/3-fun-0-'/2
1ms <0.20.0> s1 spawn child=<0.21.0> mfa=eunit_proc:group_leader_process/1
1100us <0.21.0> s2 exit reason=normal
1200us <0.20.0> s1 spawn child=<0.22.0> mfa=eunit_proc:group_leader_process/1
1300us <0.8.0> s2 mark text="test shop_tests-adds_test"
1400us <0.8.0> s2 mark text="test shop_tests-adds_test passed"
1400us <0.8.0> s2 mark text="test shop_tests-all_test_ asleep"
2ms <0.20.0> s1 out mfa=timer:sleep/1
302ms <0.20.0> s1 in mfa=timer:sleep/1
302ms <0.20.0> s1 receive words=1 timeout
320ms <0.22.0> s2 exit reason=normal
320100us <0.8.0> s2 mark text="test shop_tests-all_test_ asleep passed"
321ms <0.20.0> s1 spawn child=<0.23.0> mfa=eunit_proc:group_leader_process/1
321100us <0.8.0> s2 mark text="test shop_tests-work_test"
521ms <0.23.0> s2 exit reason=normal
521100us <0.8.0> s2 mark text="test shop_tests-work_test failed"
522ms <0.20.0> s1 exit reason=normal
522ms <0.20.0> s1 out_exited
--- file C.txt
@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2
0 <0.9.0> s1 spawn child=<0.20.0> mfa=test_server:'-run_test_case_eval_fun/9-fun-0-'/9
0 <0.20.0> s1 in mfa=test_server:'-run_test_case_eval_fun/9-fun-0-'/9
100us <0.8.0> s2 mark text="test shop_SUITE-works"
100ms <0.8.0> s2 mark text="test shop_SUITE-works passed"
101ms <0.20.0> s1 exit reason=normal
101ms <0.20.0> s1 out_exited
102ms <0.9.0> s1 spawn child=<0.21.0> mfa=test_server:'-run_test_case_eval_fun/9-fun-0-'/9
102ms <0.21.0> s1 in mfa=test_server:'-run_test_case_eval_fun/9-fun-0-'/9
102100us <0.9.0> s2 spawn child=<0.22.0> mfa=test_server:'-run_test_case_eval_fun/9-fun-0-'/9
102200us <0.8.0> s2 mark text="test shop_SUITE-one"
102300us <0.8.0> s2 mark text="test shop_SUITE-other"
102400us <0.22.0> s2 in mfa=test_server:'-run_test_case_eval_fun/9-fun-0-'/9
150ms <0.9.0> s1 spawn child=<0.23.0> mfa=test_server:'-run_test_case_eval_fun/9-fun-0-'/9
150100us <0.8.0> s2 mark text="test shop_SUITE-third"
150ms <0.8.0> s2 mark text="test shop_SUITE-one passed"
160ms <0.8.0> s2 mark text="test shop_SUITE-other failed"
170ms <0.22.0> s2 exit reason=normal
170ms <0.22.0> s2 out_exited
180ms <0.21.0> s1 exit reason=normal
180ms <0.21.0> s1 out_exited
181ms <0.23.0> s1 in mfa=test_server:'-run_test_case_eval_fun/9-fun-0-'/9
190ms <0.8.0> s2 mark text="test shop_SUITE-third skipped"
191ms <0.23.0> s1 exit reason=normal
191ms <0.23.0> s1 out_exited
--- file P.txt
@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2
0 <0.9.0> s1 spawn child=<0.21.0> mfa=test_server:'-run_test_case_eval_fun/9-fun-0-'/9
0 <0.9.0> s1 spawn child=<0.22.0> mfa=test_server:'-run_test_case_eval_fun/9-fun-0-'/9
0 <0.9.0> s1 spawn child=<0.23.0> mfa=test_server:'-run_test_case_eval_fun/9-fun-0-'/9
1ms <0.22.0> s1 in mfa=test_server:'-run_test_case_eval_fun/9-fun-0-'/9
2ms <0.22.0> s1 send to=<0.8.0> words=9 hash=22
2ms <0.22.0> s1 out mfa=gen:do_call/4
3ms <0.21.0> s1 in mfa=test_server:'-run_test_case_eval_fun/9-fun-0-'/9
4ms <0.21.0> s1 send to=<0.8.0> words=9 hash=21
4ms <0.21.0> s1 out mfa=gen:do_call/4
5ms <0.23.0> s1 in mfa=test_server:'-run_test_case_eval_fun/9-fun-0-'/9
5ms <0.8.0> s2 in mfa=gen_event:fetch_msg/6
5ms <0.8.0> s2 receive words=9 hash=22
5001us <0.8.0> s2 receive words=9 hash=21
6ms <0.8.0> s2 mark text="test shop_SUITE-one"
6ms <0.8.0> s2 mark text="test shop_SUITE-other"
7ms <0.8.0> s2 out mfa=gen_event:fetch_msg/6
8ms <0.23.0> s1 send to=<0.8.0> words=9 hash=23
8ms <0.23.0> s1 out mfa=gen:do_call/4
9ms <0.8.0> s2 in mfa=gen_event:fetch_msg/6
9ms <0.8.0> s2 receive words=9 hash=23
9ms <0.8.0> s2 mark text="test shop_SUITE-third"
10ms <0.8.0> s2 out mfa=gen_event:fetch_msg/6
20ms <0.21.0> s1 in mfa=gen:do_call/4
21ms <0.21.0> s1 exit reason=normal
21ms <0.21.0> s1 out_exited
22ms <0.22.0> s1 in mfa=gen:do_call/4
23ms <0.22.0> s1 exit reason=normal
23ms <0.22.0> s1 out_exited
24ms <0.23.0> s1 in mfa=gen:do_call/4
25ms <0.23.0> s1 exit reason=normal
25ms <0.23.0> s1 out_exited
--- run
for t in C E P; do
    $STROBE query $t.txt "SELECT name, module, start, dur, state, pid(process) AS pid FROM test" --format csv
    $STROBE query $t.txt "SELECT rule, title FROM finding" --format csv
done
--- out
name,module,start,dur,state,pid
works,shop_SUITE,0,101000000,passed,<0.20.0>
,,102000000,78000000,,<0.21.0>
,,102100000,67900000,,<0.22.0>
third,shop_SUITE,150000000,41000000,skipped,<0.23.0>
rule,title
long_native,"3 slices ran 82.2 ms each without a yield, up to 101 ms, most of them in test ""works"" of shop_SUITE <0.20.0>; other processes were ready for 30.3 ms of that"
name,module,start,dur,state,pid
adds_test,shop_tests,1000000,100000,passed,<0.20.0>
all_test_ asleep,shop_tests,1200000,318800000,passed,<0.20.0>
work_test,shop_tests,321000000,200000000,failed,<0.20.0>
rule,title
name,module,start,dur,state,pid
other,shop_SUITE,0,21000000,,<0.21.0>
one,shop_SUITE,0,23000000,,<0.22.0>
third,shop_SUITE,0,25000000,,<0.23.0>
rule,title
saturated,"the work at hand would fill the 2 schedulers for 96 % of their time; 3 processes started alike, such as test ""third"" of shop_SUITE <0.23.0>, did 73 % of the work; work includes waits for locks of the VM and for memory, which a trace does not show"
