A message of another node is on its way for a time that no event shows, and its receiver waits meanwhile: it may have been runnable since the message was sent, and need not have been. A message that was on its way when the process went off is not in its mailbox. What a process of its own node sends wakes it at once. The port of the connection ends the idle time.
--- file A.txt
@meta node=a@h creation=1 boot=7f2c schedulers=1 recorded=procs,running,messages,ports
100us  <0.5.0> s1 send to=<0.7.0>@b@h/1 words=3 hash=11
2900us <0.5.0> s1 send to=<0.7.0>@b@h/1 words=3 hash=12
5100us <0.5.0> s1 send to=<0.7.0>@b@h/1 words=3 hash=13
--- file B.txt
@meta node=b@h creation=1 boot=7f2c schedulers=1 recorded=procs,running,messages,ports
0      <0.4.0> s1 in mfa=shop:start/0
0      <0.4.0> s1 spawn child=<0.7.0> mfa=shop:loop/0
0      <0.4.0> s1 spawn child=<0.6.0> mfa=inet_tcp_dist:do_accept/7
0      #Port<0.9> s1 open owner=<0.6.0> driver=tcp_inet
0      <0.7.0> s1 waits mfa=shop:loop/0 kind=1
0      <0.4.0> s1 waits mfa=shop:start/0 kind=1
0      <0.4.0> s1 waits mfa=dist_util:con_loop/2 kind=1
5us    <0.4.0> s1 out mfa=shop:start/0
6us    <0.6.0> s1 in mfa=inet_tcp_dist:do_accept/7
7us    <0.6.0> s1 out mfa=dist_util:con_loop/2
10us   <0.7.0> s1 in mfa=shop:loop/0
50us   <0.7.0> s1 out mfa=shop:loop/0
1000us #Port<0.9> s1 in mfa=ready_input
1009us #Port<0.9> s1 out mfa=ready_input
1010us <0.7.0> s1 in mfa=shop:loop/0
1020us <0.7.0> s1 receive words=3 hash=11
3000us <0.7.0> s1 out mfa=shop:loop/0
4000us <0.7.0> s1 in mfa=shop:loop/0
4010us <0.7.0> s1 receive words=3 hash=12
5000us <0.7.0> s1 out mfa=shop:loop/0
5290us <0.4.0> s1 in mfa=shop:start/0
5295us <0.4.0> s1 receive words=2 timeout
5300us <0.4.0> s1 send to=<0.7.0> words=3 hash=14
5310us <0.4.0> s1 out mfa=shop:start/0
5400us <0.7.0> s1 in mfa=shop:loop/0
5410us <0.7.0> s1 receive words=3 hash=14
5420us <0.7.0> s1 receive words=3 hash=13
5500us <0.7.0> s1 exit reason=normal
5500us <0.7.0> s1 out_exited
--- run
$STROBE analyze A.txt B.txt -o AB.sbp > log 2>&1
$STROBE query AB.sbp "SELECT g.start / 1000 AS at_us, g.wait_ns, g.runnable_ns, low_ns, high_ns, cause, w.pid AS waker FROM gap g JOIN process p ON p.id = g.process LEFT JOIN process w ON w.id = waker WHERE p.pid = '<0.7.0>' AND g.start > 0" --format csv
$STROBE query AB.sbp "SELECT part, of, sum(ns) AS ns FROM account JOIN node n ON n.id = node WHERE n.name = 'b@h' AND ns > 0 GROUP BY 1, 2" --format csv
--- out
at_us,wait_ns,runnable_ns,low_ns,high_ns,cause,waker
50,958000,2000,0,910000,message,<0.5.0>
3000,998000,2000,0,1000000,message,
5000,300000,100000,100000,300000,message,<0.4.0>
part,of,ns
elsewhere,,4000
outside,,998000
outside,node,950000
outside,timer,288000
switching,,90000
unknown,,5000
work,,3165000
--- err
