An async module of tests runs while another file still compiles: that file sets the length of the suite, not the code server.
--- trace
@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2
0 <0.8.0> s1 spawn child=<0.9.0> mfa='Elixir.ExUnit.Runner':'-spawn_modules/3-fun-0-'/2
0 <0.8.0> s1 spawn child=<0.30.0> mfa='Elixir.Kernel.ParallelCompiler':'-spawn_workers/7-fun-0-'/3
0 <0.9.0> s1 spawn child=<0.20.0> mfa='Elixir.ExUnit.Runner':'-spawn_test_monitor/4-fun-1-'/4
1us <0.20.0> s1 in mfa='Elixir.ExUnit.Runner':'-spawn_test_monitor/4-fun-1-'/4
1us <0.30.0> s2 in mfa='Elixir.Kernel.ParallelCompiler':'-spawn_workers/7-fun-0-'/3
10ms <0.20.0> s1 exit reason=shutdown
10ms <0.20.0> s1 out_exited
20ms <0.30.0> s2 spawn child=<0.31.0> mfa=elixir_erl_compiler:'-spawn/1-fun-0-'/2
20ms <0.30.0> s2 out mfa=elixir_erl_compiler:spawn/1
20ms <0.31.0> s2 in mfa=elixir_erl_compiler:'-spawn/1-fun-0-'/2
1000ms <0.31.0> s2 exit reason=normal
1000ms <0.31.0> s2 out_exited
1001ms <0.30.0> s2 in mfa=elixir_erl_compiler:spawn/1
1002ms <0.30.0> s2 exit reason=normal
1002ms <0.30.0> s2 out_exited
1002ms <0.9.0> s1 spawn child=<0.21.0> mfa='Elixir.ExUnit.Runner':'-spawn_test_monitor/4-fun-1-'/4
1002ms <0.21.0> s1 in mfa='Elixir.ExUnit.Runner':'-spawn_test_monitor/4-fun-1-'/4
1012ms <0.21.0> s1 exit reason=shutdown
1012ms <0.21.0> s1 out_exited
--- run
$STROBE query T.txt "SELECT rule, title, gain_ns FROM finding" --format csv
--- out
rule,title,gain_ns
compiling_tests,"1 file was compiled after the first test had begun, for 1.00 s of 1.01 s; the longest took 1.00 s",495500000
