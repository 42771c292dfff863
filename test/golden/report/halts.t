A process that halts the VM set the length of the run, even if processes of the kernel run a moment longer.
--- trace
@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2
0      <0.3.0> - exists entry=erts_dirty_process_signal_handler:start/0
0      <0.9.0> - exists entry=erlang:apply/2
0      <0.9.0> s1 waits mfa=shop:main/0 kind=1
0      <0.9.0> s1 in mfa=shop:main/0
10us   <0.9.0> s1 spawn child=<0.20.0> mfa=shop:work/0
20us   <0.9.0> s1 out mfa=shop:main/0
30us   <0.20.0> s1 in mfa=shop:work/0
5000us <0.20.0> s1 send to=<0.9.0> words=3 hash=1
5010us <0.20.0> s1 exit reason=normal
5010us <0.20.0> s1 out_exited
5020us <0.9.0> s1 in mfa=shop:main/0
5030us <0.9.0> s1 receive words=3 hash=1
5040us <0.3.0> s2 in mfa=erts_dirty_process_signal_handler:msg_loop/0
5100us <0.9.0> s1 out mfa=erlang:halt/2
5120us <0.3.0> s2 out mfa=erts_dirty_process_signal_handler:msg_loop/0
--- run
COLUMNS=100 $STROBE report T.txt critical
--- out
The chain of work and waits that led to the end of the recording, by its time on it
  share     time  kind      process      processes  function     peer         steps  pid
97.07 %  4.97 ms  run       shop:work/0          1  shop:work/0  --               1  <0.20.0>
 1.76 %  90.0 us  run       shop:main/0          1  shop:main/0  --               2  <0.9.0>
 0.39 %  20.0 us  shutdown  --                  --  --           --               1  --
 0.39 %  20.0 us  queue     shop:main/0          1  --           --               1  <0.9.0>
 0.39 %  20.0 us  queue     shop:work/0          1  --           shop:main/0      1  <0.20.0>
 0.00 %     0 ns  message   shop:main/0          1  --           shop:work/0      1  <0.9.0>
 0.00 %     0 ns  message   shop:work/0          1  --           shop:main/0      1  <0.20.0>
