A test that only sleeps shows no function of its own, but a test is the program: it begins with the process of the test.
One that waits in its own code for the message of a timer sleeps as well, but not one that waits for a port of its own.
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
sed "s/'Elixir.Process':sleep/shop_test:test_prices/; /^703ms/a 703ms <0.20.0> s1 receive words=3 hash=1" T.txt > M.txt
COLUMNS=120 $STROBE report M.txt findings | sed -n 1,3p
sed '/^1ms.*spawned/a 1ms #Port<0.5> s1 open owner=<0.20.0> driver=tcp_inet' M.txt > P.txt
COLUMNS=120 $STROBE report P.txt findings | grep -c sleeping_tests || true
--- out
program           705 ms, from 1.00 ms on, without start-up and shutdown: 0.01 processes at work on average, serial
                  0.4 %, idle 99.4 %
1. sleeping_tests: a cure saves at most 701 ms; confidence high
   1 test waited 701 ms of 705 ms for messages that no process sent, such as those of timers; the longest, in <0.20.0>,
   for 701 ms in :shop_test.test_prices/1
0
