What passes before the program shows a function of its own is its start-up, whether the VM boots or a build tool compiles.
--- trace
@meta node=a@h creation=1 recorded=procs,running schedulers=1
0   <0.2.0> s1 spawn child=<0.9.0> mfa=supervisor:kernel/1
0   <0.9.0> s1 register name=kernel_safe_sup
0   <0.2.0> s1 in mfa=elixir_compiler:compile/1
3ms <0.2.0> s1 out mfa=elixir_compiler:compile/1
3ms <0.9.0> s1 spawn child=<0.10.0> mfa=shop:main/0
3ms <0.10.0> s1 in mfa=shop:main/0
4ms <0.10.0> s1 exit reason=normal
--- run
$STROBE report T.txt why
--- out
Where the time of the schedulers went
  share     time  what
75.00 %  3.00 ms  start-up, before the program ran code of its own
25.00 %  1.00 ms  processes and ports at work
 0.00 %     0 ns  idle beside a process in another queue
 0.00 %     0 ns  garbage collection on normal schedulers with a CPU
 0.00 %     0 ns  switching to the next process of its queue
