Tests of ExUnit: each has a process, a module's tests one parent. Marks of Strobe.Formatter give names and places, in the order of
the module's tests; a test that was skipped has marks and no process. Without marks a function shows the name or the module.
Tests that slept are a finding, and so are modules that ran one at a time; the processes of ExUnit and the code server are none.
--- file T.txt
@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2
0 <0.50.0> s2 register name=code_server
0 <0.8.0> s1 spawn child=<0.9.0> mfa='Elixir.ExUnit.Runner':'-spawn_modules/3-fun-0-'/2
0 <0.9.0> s1 in mfa='Elixir.ExUnit.Runner':'-spawn_modules/3-fun-0-'/2
100us <0.9.0> s1 spawn child=<0.20.0> mfa='Elixir.ExUnit.Runner':'-run_setup_all/2-fun-0-'/3
200us <0.7.0> s2 mark text="test ShopTest-waits at test/shop_test.exs:7"
1ms <0.9.0> s1 spawn child=<0.21.0> mfa='Elixir.ExUnit.Runner':'-spawn_test_monitor/4-fun-1-'/4
1ms <0.9.0> s1 out mfa='Elixir.ExUnit.Runner':spawn_test/3
1ms <0.21.0> s1 in mfa='Elixir.ExUnit.Runner':'-spawn_test_monitor/4-fun-1-'/4
2ms <0.21.0> s1 out mfa='Elixir.Process':sleep/1
702ms <0.21.0> s1 in mfa='Elixir.Process':sleep/1
702ms <0.21.0> s1 receive words=1 timeout
703ms <0.21.0> s1 exit reason=shutdown
703ms <0.21.0> s1 out_exited
703500us <0.7.0> s2 mark text="test ShopTest-waits passed"
704ms <0.9.0> s1 in mfa='Elixir.ExUnit.Runner':spawn_test/3
704500us <0.7.0> s2 mark text="test ShopTest-asks at test/shop_test.exs:12"
705ms <0.9.0> s1 spawn child=<0.22.0> mfa='Elixir.ExUnit.Runner':'-spawn_test_monitor/4-fun-1-'/4
705ms <0.9.0> s1 out mfa='Elixir.ExUnit.Runner':spawn_test/3
706ms <0.22.0> s1 in mfa='Elixir.ExUnit.Runner':'-spawn_test_monitor/4-fun-1-'/4
707ms <0.22.0> s1 send to=<0.50.0> words=3 hash=a1
708ms <0.22.0> s1 out mfa='Elixir.ShopTest':'test asks'/1
708ms <0.50.0> s2 in mfa=code_server:loop/1
708ms <0.50.0> s2 receive words=3 hash=a1
808ms <0.50.0> s2 send to=<0.22.0> words=3 hash=a2
809ms <0.50.0> s2 out mfa=code_server:loop/1
810ms <0.22.0> s1 in mfa='Elixir.ShopTest':'test asks'/1
810ms <0.22.0> s1 receive words=3 hash=a2
811ms <0.22.0> s1 exit reason=shutdown
811ms <0.22.0> s1 out_exited
812ms <0.9.0> s1 in mfa='Elixir.ExUnit.Runner':spawn_test/3
812ms <0.7.0> s2 mark text="test ShopTest-asks failed"
812ms <0.7.0> s2 mark text="test ShopTest-later at test/shop_test.exs:20"
812ms <0.7.0> s2 mark text="test ShopTest-later skipped"
813ms <0.20.0> s1 exit reason=shutdown
814ms <0.9.0> s1 exit reason=normal
814ms <0.9.0> s1 out_exited
815ms <0.8.0> s1 spawn child=<0.10.0> mfa='Elixir.ExUnit.Runner':'-spawn_modules/3-fun-0-'/2
815ms <0.10.0> s1 in mfa='Elixir.ExUnit.Runner':'-spawn_modules/3-fun-0-'/2
816ms <0.10.0> s1 spawn child=<0.23.0> mfa='Elixir.ExUnit.Runner':'-spawn_test_monitor/4-fun-1-'/4
816ms <0.10.0> s1 out mfa='Elixir.ExUnit.Runner':spawn_test/3
816ms <0.7.0> s2 mark text="test CartTest-naps passed at test/cart_test.exs:3"
817ms <0.23.0> s1 in mfa='Elixir.ExUnit.Runner':'-spawn_test_monitor/4-fun-1-'/4
818ms <0.23.0> s1 out mfa=timer:sleep/1
1118ms <0.23.0> s1 in mfa=timer:sleep/1
1118ms <0.23.0> s1 receive words=1 timeout
1119ms <0.23.0> s1 exit reason=shutdown
1119ms <0.23.0> s1 out_exited
1120ms <0.10.0> s1 in mfa='Elixir.ExUnit.Runner':spawn_test/3
1120ms <0.7.0> s2 mark text="test CartTest-naps passed passed"
1121ms <0.10.0> s1 exit reason=normal
1121ms <0.10.0> s1 out_exited
--- run
export COLUMNS=150
ask() {
    $STROBE report $1 tests
    $STROBE report $1 findings | grep -E -A1 '^[0-9]'
}
grep -v ' mark ' T.txt > N.txt
ask N.txt
echo "with marks:"
ask T.txt
--- out
Tests, by length
test       module       dur     work    wait  waits for     sleep  teardown  fixture sleep  sleeps in             start  pid
<0.21.0>   ShopTest  702 ms  2.00 ms    0 ns  --           700 ms      0 ns           0 ns  Process.sleep/1  0.001000 s  <0.21.0>
<0.23.0>   --        303 ms  2.00 ms    0 ns  --           300 ms      0 ns           0 ns  :timer.sleep/1   0.816000 s  <0.23.0>
asks       ShopTest  106 ms  3.00 ms  100 ms  code_server    0 ns      0 ns           0 ns  --               0.705000 s  <0.22.0>
setup_all  ShopTest  900 us     0 ns    0 ns  --             0 ns      0 ns           0 ns  --               0.000100 s  <0.20.0>
-- unknown, and not shown: setup
1. serial_tests: a cure saves at most 304 ms; confidence medium
   2 modules of tests ran one at a time for 1.12 s; the longest, ShopTest, took 814 ms
--
2. sleeping_tests: a cure saves at most 300 ms; confidence high
   2 tests slept 1.00 s of 1.12 s, setup included; the longest, in <0.21.0> of ShopTest, for 700 ms in Process.sleep/1
with marks:
Tests, by length
test         module    place                     dur     work    wait  waits for     sleep  teardown  fixture sleep  sleeps in        state
waits        ShopTest  test/shop_test.exs:7   702 ms  2.00 ms    0 ns  --           700 ms      0 ns           0 ns  Process.sleep/1  passed
naps passed  CartTest  test/cart_test.exs:3   303 ms  2.00 ms    0 ns  --           300 ms      0 ns           0 ns  :timer.sleep/1   passed
asks         ShopTest  test/shop_test.exs:12  106 ms  3.00 ms  100 ms  code_server    0 ns      0 ns           0 ns  --               failed
setup_all    ShopTest  --                     900 us     0 ns    0 ns  --             0 ns      0 ns           0 ns  --               --
-- unknown, and not shown: setup
1. serial_tests: a cure saves at most 304 ms; confidence medium
   2 modules of tests ran one at a time for 1.12 s; the longest, ShopTest, took 814 ms
--
2. sleeping_tests: a cure saves at most 300 ms; confidence high
   2 tests slept 1.00 s of 1.12 s, setup included; the longest, "waits" of ShopTest (test/shop_test.exs:7), for 700 ms in Process.sleep/1
