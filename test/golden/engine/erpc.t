A call of another node by erpc:call or rpc:call: the process that works there has the caller as its parent, and its end is the reply
that the caller waits for. pg and global send by messages between named processes of both nodes.
--- file A.txt
@meta node=a@h creation=1 recorded=procs,running,messages schedulers=1 wall
0 <0.5.0> s1 waits mfa=erpc:call/5 kind=1
0 <0.5.0> s1 register name=shop
10us <0.5.0> s1 in mfa=shop:price/1
20us <0.5.0> s1 out mfa=erpc:call/5
520us <0.5.0> s1 in mfa=erpc:call/5
521us <0.5.0> s1 receive down=<0.70.0>@b@h/1 hash=11
530us <0.5.0> s1 out mfa=erpc:call/5
600us <0.6.0> s1 register name=pg
610us <0.6.0> s1 in mfa=pg:init/1
620us <0.6.0> s1 send to=<0.60.0>@b@h/1 words=9 hash=22
630us <0.6.0> s1 out mfa=pg:init/1
--- file B.txt
@meta node=b@h creation=1 recorded=procs,running,messages schedulers=1 wall
30us <0.60.0> s1 register name=pg
50us <0.70.0> s1 spawned parent=<0.5.0>@a@h/1 mfa=erts_internal:dist_spawn_init/1 entry=erpc:execute_call/4
60us <0.70.0> s1 in mfa=erts_internal:dist_spawn_init/1
500us <0.70.0> s1 exit reason="{x,return,1}"
500us <0.70.0> s1 out_exited
650us <0.60.0> s1 in mfa=gen_server:loop/7
660us <0.60.0> s1 receive words=9 hash=22
670us <0.60.0> s1 out mfa=gen_server:loop/7
--- run
$STROBE analyze A.txt B.txt -o AB.sbp > log 2>&1
$STROBE query AB.sbp "SELECT p.entry, n.name AS node, q.name AS parent, m.name AS of FROM process p JOIN node n ON n.id = p.node JOIN process q ON q.id = p.parent JOIN node m ON m.id = q.node"
$STROBE query AB.sbp "SELECT p.name, g.cause, w.entry AS waker, g.wait_ns FROM gap g JOIN process p ON p.id = g.process LEFT JOIN process w ON w.id = g.waker WHERE p.name = 'shop'"
$STROBE query AB.sbp "SELECT a.name, a.node, b.name, b.node, e.matched FROM message_edge e JOIN process a ON a.id = e.sender JOIN process b ON b.id = e.receiver"
--- out
entry                node  parent  of
erpc:execute_call/4  b@h   shop    a@h
name  cause    waker                wait_ns
shop  unknown  --                      0 ns
shop  exit     erpc:execute_call/4   498 us
shop  unknown  --                    100 us
shop  unknown  --                      0 ns
name  node  name  node  matched
pg       1  pg       2        1
