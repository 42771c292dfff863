Names of Elixir are written as Elixir does, also inside a sentence, which is itself no name of a function.
--- trace
@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2
0     <0.20.0> s1 in mfa='Elixir.Shop.Prices':init/1
0     <0.20.0> s1 register name='Elixir.Shop.Prices'
0     <0.21.0> s2 in mfa='Elixir.Shop':run/0
100us <0.21.0> s2 send to=<0.20.0> words=4 hash=1
110us <0.21.0> s2 out mfa='Elixir.Shop':run/0
120us <0.20.0> s1 receive words=4 hash=1
9ms   <0.20.0> s1 send to=<0.21.0> words=4 hash=2
9ms   <0.21.0> s2 in mfa='Elixir.Shop':run/0
9ms   <0.21.0> s2 receive words=4 hash=2
10ms  <0.21.0> s2 spawn child=<0.22.0> mfa='Elixir.Kernel.CLI':'-exec_fun/2-fun-0-'/3
10ms  <0.21.0> s2 out mfa='Elixir.Shop':run/0
10ms  <0.20.0> s1 exit reason=normal
10ms  <0.22.0> s1 in mfa='Elixir.Kernel.CLI':'-exec_fun/2-fun-0-'/3
14ms  <0.22.0> s1 send to=<0.21.0> words=4 hash=3
14ms  <0.22.0> s1 exit reason=normal
14ms  <0.21.0> s2 in mfa='Elixir.Shop':run/0
14ms  <0.21.0> s2 receive words=4 hash=3
15ms  <0.21.0> s2 exit reason=normal
--- run
$STROBE report T.txt why
$STROBE report T.txt why --format csv | grep -c "Elixir"
--- out
Where the time of the schedulers went
  share     time  what
53.70 %  16.1 ms  processes and ports at work
29.64 %  8.89 ms  unknown
13.33 %  4.00 ms  idle: all wait for anonymous fn/3 in Kernel.CLI.exec_fun/2
 3.33 %  1.00 ms  idle: all wait for <0.21.0>
 0.00 %     0 ns  idle beside a process in another queue
 0.00 %     0 ns  garbage collection on normal schedulers with a CPU
 0.00 %     0 ns  switching to the next process of its queue
1
