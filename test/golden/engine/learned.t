Where the trace does not say which functions wait, it is learned. A process that returns briefly and does nothing then was waiting (m:w/0, m:k/0), one that returns at once was not (m:c/0); a busy port makes its caller wait. A process that has mail when it hibernates continues (m:h/0): its wait begins where it was scheduled out then.
--- file T.txt
@meta node=a@h creation=1
0 <0.2.0> 1 in mfa=m:w/0
1us <0.2.0> 1 out mfa=m:w/0
5000us <0.2.0> 1 in mfa=m:w/0
5010us <0.2.0> 1 out mfa=m:w/0
9000us <0.2.0> 1 in mfa=m:w/0
9002us <0.2.0> 1 out mfa=m:w/0
0 <0.3.0> 3 in mfa=m:k/0
1us <0.3.0> 3 out mfa=m:k/0
9000us <0.3.0> 3 in mfa=m:k/0
9003us <0.3.0> 3 exit reason=shutdown
0 <0.4.0> 2 in mfa=m:c/0
20us <0.4.0> 2 out mfa=m:c/0
24us <0.4.0> 2 in mfa=m:c/0
44us <0.4.0> 2 out mfa=m:c/0
48us <0.4.0> 2 in mfa=m:c/0
60us <0.4.0> 2 send to=<0.5.0> words=3 ext=9 hash=1
68us <0.4.0> 2 out mfa=erts_internal:port_command/3
1068us <0.4.0> 2 in mfa=erts_internal:port_command/3
1070us <0.4.0> 2 out mfa=erlang:port_command/2
2000us <0.4.0> 2 in mfa=erlang:port_command/2
2001us <0.4.0> 2 receive words=3 ext=9 hash=2
3000us <0.4.0> 2 out mfa=erlang:hibernate/3
3600us <0.4.0> 2 in mfa=erlang:hibernate/3
3602us <0.4.0> 2 out mfa=m:h/0
8000us <0.4.0> 2 in mfa=m:h/0
8001us <0.4.0> 2 receive words=3 ext=9 hash=3
9003us <0.4.0> 2 exit reason=normal
--- run
$STROBE analyze T.txt -o P.sbp > log 2>&1
$STROBE query P.sbp "SELECT pid, gap.start, gap.wait_ns, gap.runnable_ns, low_ns, high_ns, cause FROM gap JOIN process ON process.id = process" --format csv
$STROBE merge P.sbp -o M.sbp > log 2>&1 && cmp P.sbp M.sbp && echo same
--- out
pid,start,wait_ns,runnable_ns,low_ns,high_ns,cause
<0.2.0>,1000,4997000,2000,0,4999000,unknown
<0.2.0>,5010000,3988000,2000,0,3990000,unknown
<0.2.0>,9002000,1000,0,0,0,unknown
<0.3.0>,1000,8997000,2000,0,8999000,unknown
<0.4.0>,20000,0,4000,0,4000,preempted
<0.4.0>,44000,0,4000,0,4000,preempted
<0.4.0>,68000,998000,2000,0,1000000,unknown
<0.4.0>,1070000,928000,2000,0,930000,unknown
<0.4.0>,3000000,0,600000,600000,600000,preempted
<0.4.0>,3602000,4396000,2000,0,4398000,unknown
same
