A test that only sleeps shows no function of its own, but a test is the program: it begins with the process of the test.
--- trace
@meta node=a@h creation=1 recorded=procs,running schedulers=2
0 <0.9.0> s1 in mfa=init:loop/1
1ms <0.9.0> s1 spawn child=<0.20.0> mfa='Elixir.ExUnit.Runner':'-spawn_test_monitor/4-fun-0-'/4
1ms <0.20.0> s1 spawned parent=<0.9.0> mfa='Elixir.ExUnit.Runner':'-spawn_test_monitor/4-fun-0-'/4
2ms <0.9.0> s1 out mfa=init:loop/1
2ms <0.20.0> s1 in mfa='Elixir.ExUnit.Runner':'-spawn_test_monitor/4-fun-0-'/4
3ms <0.20.0> s1 out mfa='Elixir.Process':sleep/1
703ms <0.20.0> s1 in mfa='Elixir.Process':sleep/1
704ms <0.20.0> s1 out mfa=shop_test:test_prices/1
705ms <0.20.0> s1 in mfa=shop_test:test_prices/1
706ms <0.20.0> s1 exit reason=normal
706ms <0.20.0> s1 out_exited
1000ms <0.9.0> s1 in mfa=init:loop/1
1001ms <0.9.0> s1 out mfa=init:loop/1
--- run
COLUMNS=120 $STROBE report T.txt | grep -A1 ^program
--- out
program           705 ms, from 1.00 ms on, without start-up and shutdown: 0.01 processes at work on average, serial 0.4
                  %, idle 99.4 %
