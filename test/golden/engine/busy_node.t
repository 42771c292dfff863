A process that sends to another node is off after each piece of a large message. Its scheduler put it back at once, or it was
suspended until the buffer of the connection had room: then it waited, whatever came to its mailbox, and may have been ready.
--- trace
@meta node=a@h schedulers=1 recorded=procs,running,messages
0 <0.5.0> s1 waits mfa=m:work/0 kind=0
1us <0.5.0> s1 in mfa=m:work/0
2us <0.5.0> s1 out mfa=erts_internal:dsend_continue_trap/1
6us <0.5.0> s1 in mfa=erts_internal:dsend_continue_trap/1
7us <0.5.0> s1 out mfa=erts_internal:dsend_continue_trap/1
100us <0.6.0> s1 in mfa=m:work/0
110us <0.6.0> s1 send to=<0.5.0> words=4 hash=7
120us <0.6.0> s1 exit reason=normal
5007us <0.5.0> s1 in mfa=erts_internal:dsend_continue_trap/1
5008us <0.5.0> s1 receive words=4 hash=7
5009us <0.5.0> s1 out mfa=m:work/0
5109us <0.5.0> s1 in mfa=m:work/0
5110us <0.5.0> s1 exit reason=normal
--- run
$STROBE analyze T.txt -o T.sbp > log 2>&1
$STROBE query T.sbp "SELECT gap.wait_ns, gap.runnable_ns, low_ns, high_ns, cause FROM gap WHERE process = 1" --format csv
$STROBE query T.sbp "SELECT function, count, total_ns FROM wait" --format csv
$STROBE query T.sbp "SELECT part, of, ns FROM account WHERE part = 'outside'" --format csv
$STROBE merge T.sbp -o again.sbp && cmp T.sbp again.sbp && echo the same
--- out
wait_ns,runnable_ns,low_ns,high_ns,cause
0,0,0,0,unknown
0,4000,0,4000,preempted
4998000,2000,0,5000000,busy
0,100000,100000,100000,preempted
function,count,total_ns
erts_internal:dsend_continue_trap/1,1,4998000
part,of,ns
outside,node,4885000
the same
