Cases of Common Test have a process each, whose suite shows in its functions. A test of EUnit lasts as long as its group leader and runs in
that one's parent, with others. Names come from marks, which strobe_cth and strobe_test set in the process of the test; a name
of EUnit ends in _test.
--- file C.txt
@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2
0 <0.9.0> s1 spawn child=<0.20.0> mfa=test_server:'-run_test_case_eval_fun/9-fun-0-'/9
0 <0.20.0> s1 in mfa=test_server:'-run_test_case_eval_fun/9-fun-0-'/9
1ms <0.20.0> s1 mark text="test shop_SUITE-naps"
1ms <0.20.0> s1 out mfa=timer:sleep/1
201ms <0.20.0> s1 in mfa=timer:sleep/1
201ms <0.20.0> s1 receive words=1 timeout
202ms <0.20.0> s1 mark text="test shop_SUITE-naps passed"
203ms <0.20.0> s1 exit reason=normal
203ms <0.20.0> s1 out_exited
204ms <0.9.0> s1 spawn child=<0.21.0> mfa=test_server:'-run_test_case_eval_fun/9-fun-0-'/9
204ms <0.21.0> s1 in mfa=test_server:'-run_test_case_eval_fun/9-fun-0-'/9
205ms <0.21.0> s1 out mfa=shop_SUITE:helper/1
206ms <0.21.0> s1 in mfa=shop_SUITE:helper/1
226ms <0.21.0> s1 exit reason=normal
226ms <0.21.0> s1 out_exited
--- file E.txt
@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2
0 <0.9.0> s1 spawn child=<0.20.0> mfa=eunit_proc:'-insulator_process/3-fun-0-'/2
0 <0.20.0> s1 in mfa=eunit_proc:'-insulator_process/3-fun-0-'/2
1ms <0.20.0> s1 spawn child=<0.21.0> mfa=eunit_proc:group_leader_process/1
2ms <0.20.0> s1 out mfa=timer:sleep/1
52ms <0.20.0> s1 in mfa=timer:sleep/1
52ms <0.20.0> s1 receive words=1 timeout
1500us <0.21.0> s2 in mfa=eunit_proc:group_leader_process/1
1600us <0.21.0> s2 out mfa=eunit_proc:group_leader_loop/3
53ms <0.21.0> s2 in mfa=eunit_proc:group_leader_loop/3
53ms <0.21.0> s2 receive words=2 hash=b1
53ms <0.21.0> s2 exit reason=normal
54ms <0.20.0> s1 spawn child=<0.22.0> mfa=eunit_proc:group_leader_process/1
55ms <0.20.0> s1 out mfa=shop_tests:price_test/0
56ms <0.20.0> s1 in mfa=shop_tests:price_test/0
76ms <0.22.0> s2 exit reason=normal
77ms <0.20.0> s1 exit reason=normal
77ms <0.20.0> s1 out_exited
--- run
for t in C E; do
    $STROBE query $t.txt "SELECT name, module, start, dur, work_ns, sleep_ns, state, who(process) AS process FROM test" --format csv
    $STROBE query $t.txt "SELECT rule, title FROM finding" --format csv
done
--- out
name,module,start,dur,work_ns,sleep_ns,state,process
naps,shop_SUITE,0,203000000,3000000,199998000,passed,test_server:'-run_test_case_eval_fun/9-fun-0-'/9
,shop_SUITE,204000000,22000000,21000000,0,,shop_SUITE:helper/1
rule,title
sleeping_tests,"1 test slept 200 ms of 226 ms, setup included; the longest, ""naps"" of shop_SUITE, for 200 ms in timer:sleep/1"
name,module,start,dur,work_ns,sleep_ns,state,process
,,1000000,52000000,2000000,49998000,,shop_tests:price_test/0
price_test,shop_tests,54000000,22000000,21000000,0,,shop_tests:price_test/0
rule,title
sleeping_tests,"1 test slept 50.0 ms of 77.0 ms, setup included; the longest, in <0.20.0>, for 50.0 ms in timer:sleep/1"
