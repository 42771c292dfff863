Setup and cleanup of tests in other processes than their own. A group of EUnit sets up a test between those that it runs, in a process
of its own, and what it does after one test cannot be told from what it does before the next one. ExUnit runs on_exit of each test in
a process; the one that it starts after that of setup_all has ended is of the module.
--- file E.txt
@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2
0 <0.9.0> s1 spawn child=<0.19.0> mfa=eunit_proc:'-insulator_process/3-fun-0-'/2
0 <0.19.0> s1 in mfa=eunit_proc:'-insulator_process/3-fun-0-'/2
1ms <0.19.0> s1 out mfa=timer:sleep/1
101ms <0.19.0> s1 in mfa=timer:sleep/1
101ms <0.19.0> s1 receive words=1 timeout
102ms <0.19.0> s1 spawn child=<0.20.0> mfa=eunit_proc:'-start_task/3-fun-0-'/3
102ms <0.19.0> s1 out mfa=eunit_proc:wait_for_task/2
102ms <0.20.0> s2 in mfa=eunit_proc:'-start_task/3-fun-0-'/3
102ms <0.20.0> s2 spawn child=<0.21.0> mfa=eunit_proc:'-insulator_process/3-fun-0-'/2
102ms <0.20.0> s2 out mfa=eunit_proc:insulator_wait/4
102ms <0.21.0> s1 in mfa=eunit_proc:'-insulator_process/3-fun-0-'/2
102ms <0.21.0> s1 spawn child=<0.22.0> mfa=eunit_proc:group_leader_process/1
103ms <0.21.0> s1 out mfa=shop_tests:first_test/0
104ms <0.21.0> s1 in mfa=shop_tests:first_test/0
105ms <0.22.0> - exit reason=normal
105ms <0.21.0> s1 exit reason=normal
105ms <0.21.0> s1 out_exited
105ms <0.20.0> s2 in mfa=eunit_proc:insulator_wait/4
105ms <0.20.0> s2 exit reason=normal
105ms <0.20.0> s2 out_exited
106ms <0.19.0> s1 in mfa=eunit_proc:wait_for_task/2
107ms <0.19.0> s1 out mfa=timer:sleep/1
137ms <0.19.0> s1 in mfa=timer:sleep/1
137ms <0.19.0> s1 receive words=1 timeout
138ms <0.19.0> s1 out mfa=timer:sleep/1
238ms <0.19.0> s1 in mfa=timer:sleep/1
238ms <0.19.0> s1 receive words=1 timeout
239ms <0.19.0> s1 spawn child=<0.23.0> mfa=eunit_proc:'-start_task/3-fun-0-'/3
239ms <0.19.0> s1 out mfa=eunit_proc:wait_for_task/2
239ms <0.23.0> s2 in mfa=eunit_proc:'-start_task/3-fun-0-'/3
239ms <0.23.0> s2 spawn child=<0.24.0> mfa=eunit_proc:'-insulator_process/3-fun-0-'/2
239ms <0.23.0> s2 out mfa=eunit_proc:insulator_wait/4
239ms <0.24.0> s1 in mfa=eunit_proc:'-insulator_process/3-fun-0-'/2
239ms <0.24.0> s1 spawn child=<0.25.0> mfa=eunit_proc:group_leader_process/1
240ms <0.24.0> s1 out mfa=shop_tests:last_test/0
241ms <0.24.0> s1 in mfa=shop_tests:last_test/0
242ms <0.25.0> - exit reason=normal
242ms <0.24.0> s1 exit reason=normal
242ms <0.24.0> s1 out_exited
242ms <0.23.0> s2 in mfa=eunit_proc:insulator_wait/4
242ms <0.23.0> s2 exit reason=normal
242ms <0.23.0> s2 out_exited
243ms <0.19.0> s1 in mfa=eunit_proc:wait_for_task/2
244ms <0.19.0> s1 out mfa=timer:sleep/1
264ms <0.19.0> s1 in mfa=timer:sleep/1
264ms <0.19.0> s1 receive words=1 timeout
265ms <0.19.0> s1 exit reason=normal
265ms <0.19.0> s1 out_exited
--- file X.txt
@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2
0 <0.8.0> s1 spawn child=<0.9.0> mfa='Elixir.ExUnit.Runner':'-spawn_modules/3-fun-0-'/2
100us <0.9.0> s1 in mfa='Elixir.ExUnit.Runner':'-spawn_modules/3-fun-0-'/2
200us <0.9.0> s1 spawn child=<0.20.0> mfa='Elixir.ExUnit.Runner':'-run_setup_all/2-fun-0-'/3
300us <0.9.0> s1 out mfa='Elixir.ExUnit.Runner':run_setup_all/2
400us <0.20.0> s2 in mfa='Elixir.ExUnit.Runner':'-run_setup_all/2-fun-0-'/3
1ms <0.20.0> s2 out mfa='Elixir.Process':sleep/1
51ms <0.20.0> s2 in mfa='Elixir.Process':sleep/1
51ms <0.20.0> s2 receive words=1 timeout
51900us <0.20.0> s2 send to=<0.9.0> words=3 hash=a1
52ms <0.20.0> s2 out mfa='Elixir.ExUnit.Runner':setup_all/2
52100us <0.9.0> s1 in mfa='Elixir.ExUnit.Runner':run_setup_all/2
52200us <0.9.0> s1 receive words=3 hash=a1
53ms <0.9.0> s1 spawn child=<0.21.0> mfa='Elixir.ExUnit.Runner':'-spawn_test_monitor/4-fun-1-'/4
53100us <0.9.0> s1 out mfa='Elixir.ExUnit.Runner':spawn_test/3
53200us <0.21.0> s2 in mfa='Elixir.ExUnit.Runner':'-spawn_test_monitor/4-fun-1-'/4
54900us <0.21.0> s2 send to=<0.9.0> words=3 hash=a2
55ms <0.21.0> s2 exit reason=shutdown
55ms <0.21.0> s2 out_exited
55100us <0.9.0> s1 in mfa='Elixir.ExUnit.Runner':spawn_test/3
55200us <0.9.0> s1 receive words=3 hash=a2
56ms <0.9.0> s1 spawn child=<0.22.0> mfa='Elixir.ExUnit.OnExitHandler':on_exit_runner_loop/0
56100us <0.9.0> s1 out mfa='Elixir.ExUnit.OnExitHandler':run_on_exit_callback/4
56200us <0.22.0> s2 in mfa='Elixir.ExUnit.OnExitHandler':on_exit_runner_loop/0
57ms <0.22.0> s2 out mfa='Elixir.Process':sleep/1
127ms <0.22.0> s2 in mfa='Elixir.Process':sleep/1
127ms <0.22.0> s2 receive words=1 timeout
127900us <0.22.0> s2 send to=<0.9.0> words=3 hash=a3
128ms <0.22.0> s2 exit reason=shutdown
128ms <0.22.0> s2 out_exited
128100us <0.9.0> s1 in mfa='Elixir.ExUnit.OnExitHandler':run_on_exit_callback/4
128200us <0.9.0> s1 receive words=3 hash=a3
128500us <0.9.0> s1 send to=<0.20.0> words=3 hash=a5
128900us <0.20.0> s2 in mfa='Elixir.ExUnit.Runner':setup_all/2
128910us <0.20.0> s2 receive words=3 hash=a5
129ms <0.20.0> s2 exit reason=shutdown
129ms <0.20.0> s2 out_exited
130ms <0.9.0> s1 spawn child=<0.23.0> mfa='Elixir.ExUnit.OnExitHandler':on_exit_runner_loop/0
130100us <0.9.0> s1 out mfa='Elixir.ExUnit.OnExitHandler':run_on_exit_callback/4
130200us <0.23.0> s2 in mfa='Elixir.ExUnit.OnExitHandler':on_exit_runner_loop/0
131ms <0.23.0> s2 out mfa='Elixir.Process':sleep/1
151ms <0.23.0> s2 in mfa='Elixir.Process':sleep/1
151ms <0.23.0> s2 receive words=1 timeout
151900us <0.23.0> s2 send to=<0.9.0> words=3 hash=a4
152ms <0.23.0> s2 exit reason=shutdown
152ms <0.23.0> s2 out_exited
152100us <0.9.0> s1 in mfa='Elixir.ExUnit.OnExitHandler':run_on_exit_callback/4
152200us <0.9.0> s1 receive words=3 hash=a4
153ms <0.9.0> s1 exit reason=normal
153ms <0.9.0> s1 out_exited
--- run
export COLUMNS=150
for t in E X; do
    $STROBE report $t.txt tests
    $STROBE report $t.txt findings | grep -A2 'sleeping_tests:'
done
--- out
Tests, by length
test        module          dur     work  wait  sleep   setup  teardown  fixture sleep  sleeps in           start  pid
first_test  shop_tests  3.00 ms  2.00 ms  0 ns   0 ns  102 ms        --         100 ms  timer:sleep/1  0.102000 s  <0.21.0>
last_test   shop_tests  3.00 ms  2.00 ms  0 ns   0 ns  134 ms   23.0 ms         150 ms  timer:sleep/1  0.239000 s  <0.24.0>
1. sleeping_tests: a cure saves at most 250 ms; confidence high
   2 tests slept 250 ms of 265 ms, 250 ms of it in setup and cleanup around them; the longest, "last_test" of shop_tests, for 150 ms in timer:sleep/1
   cure: wait for the event instead of for a time: for a message or a monitor in a receive, or call the server, which answers when it is done; lower
Tests, by length
test           dur     work     wait  waits for                                          sleep  teardown  fixture sleep  sleeps in             start
setup_all  52.8 ms  1.60 ms  1.00 ms  anonymous fn/2 in ExUnit.Runner.spawn_modules/3  50.0 ms   22.0 ms        20.0 ms  Process.sleep/1  0.000200 s
<0.21.0>   2.00 ms  1.80 ms     0 ns  --                                                  0 ns   72.0 ms        70.0 ms  Process.sleep/1  0.053000 s
-- unknown, and not shown: setup
1. sleeping_tests: a cure saves at most 140 ms; confidence high
   1 test and setup_all of 1 module slept 140 ms of 152 ms, setup included, 90.0 ms of it in on_exit; the longest, in <0.21.0>, for 70.0 ms in
   Process.sleep/1
