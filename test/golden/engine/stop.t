When a node stops, init sends {'EXIT', Pid, Reason} as an ordinary message. It names a process that ended long before:
the send woke the receiver, not that exit. A 'DOWN' without a send comes from the exit it names; it reaches the
receiver some time later, so the exit bounds the runnable time from above only.
--- trace
@meta node=n@h schedulers=2 recorded=procs,running,messages
0 <0.10.0> s1 waits mfa=loader:loop/1 kind=1
1us <0.10.0> s1 in mfa=loader:loop/1
2us <0.10.0> s1 out mfa=loader:loop/1
3us <0.9.0> s1 in mfa=m:boot/0
4us <0.9.0> s1 exit reason=normal
2000000us <0.0.0> s2 in mfa=init:stop/1
2000001us <0.0.0> s2 send to=<0.10.0> words=9 hash=77
2000002us <0.0.0> s2 exit reason=normal
2000005us <0.10.0> s1 in mfa=loader:loop/1
2000006us <0.10.0> s1 receive words=9 hash=77 down=<0.9.0>
2000007us <0.10.0> s1 out mfa=loader:loop/1
2000010us <0.7.0> s2 in mfa=m:work/0
2000020us <0.7.0> s2 exit reason=normal
2000050us <0.10.0> s1 in mfa=loader:loop/1
2000051us <0.10.0> s1 receive words=9 hash=99 down=<0.7.0>
2000052us <0.10.0> s1 exit reason=normal
--- run
$STROBE analyze T.txt -o T.sbp > log 2>&1
$STROBE query T.sbp "SELECT gap.wait_ns, gap.runnable_ns, low_ns, high_ns, cause, w.pid AS waker FROM gap JOIN process p ON p.id = process LEFT JOIN process w ON w.id = waker WHERE p.pid = '<0.10.0>' AND cause <> 'unknown'" --format csv
--- out
wait_ns,runnable_ns,low_ns,high_ns,cause,waker
1999999000,4000,4000,4000,message,<0.0.0>
13000,30000,0,30000,exit,<0.7.0>
