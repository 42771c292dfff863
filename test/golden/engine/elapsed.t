A process that empties its mailbox with `after 0` and then waits with `after 100` waits for its timer. A process that
polls with `after 0` in one function never waits: its long absences are most likely those of a preempted process.
--- trace
@meta node=n@h schedulers=1 recorded=procs,running,messages
0 <0.5.0> s1 waits mfa=to:loop/1 kind=1
0 <0.5.0> s1 waits mfa=poll:loop/1 kind=1
1us <0.5.0> s1 in mfa=to:loop/1
2us <0.5.0> s1 receive words=1 timeout
3us <0.5.0> s1 out mfa=to:loop/1
100005us <0.5.0> s1 in mfa=to:loop/1
100006us <0.5.0> s1 receive words=1 timeout
100007us <0.5.0> s1 receive words=1 timeout
100008us <0.5.0> s1 out mfa=to:loop/1
200011us <0.5.0> s1 in mfa=to:loop/1
200012us <0.5.0> s1 receive words=1 timeout
200013us <0.5.0> s1 exit reason=normal
200020us <0.6.0> s1 in mfa=poll:loop/1
200021us <0.6.0> s1 receive words=1 timeout
200022us <0.6.0> s1 receive words=1 timeout
200023us <0.6.0> s1 out mfa=poll:loop/1
200024us <0.6.0> s1 in mfa=poll:loop/1
200025us <0.6.0> s1 receive words=1 timeout
200026us <0.6.0> s1 out mfa=poll:loop/1
205000us <0.6.0> s1 in mfa=poll:loop/1
205001us <0.6.0> s1 receive words=1 timeout
205002us <0.6.0> s1 exit reason=normal
--- run
$STROBE analyze T.txt -o T.sbp > log 2>&1
$STROBE query T.sbp "SELECT pid, gap.wait_ns, gap.runnable_ns, low_ns, high_ns, cause FROM gap JOIN process p ON p.id = process WHERE cause <> 'unknown' ORDER BY 1" --format csv
--- out
pid,wait_ns,runnable_ns,low_ns,high_ns,cause
<0.5.0>,100000000,2000,0,100002000,timeout
<0.5.0>,100001000,2000,0,100003000,timeout
<0.6.0>,0,1000,0,1000,preempted
<0.6.0>,0,4974000,0,4974000,preempted
