A process of a node without a recorded creation, where another process has a node of that name: its node is unknown.
--- trace
1ms <0.1.0> s1 in mfa=m:f/0
2ms <0.512.0>@b@host/5 - send to=<0.1.0> words=8 ext=30
3ms <0.513.0>@b@host/0 - send to=<0.1.0> words=8 ext=30
4ms <0.1.0> s1 receive words=8 ext=30
5ms <0.1.0> s1 out mfa=m:f/0
--- run
$STROBE query T.txt "SELECT pid, node FROM process"
$STROBE query T.txt "SELECT from_node, to_node, count FROM node_edge"
--- out
pid        node
<0.1.0>       1
<0.512.0>     2
<0.513.0>    --
from_node  to_node  count
        2        1      1
