Time on the stack has waiting in it; running time has none, however much of the tree is left out. A row without a name
stands for callees too narrow to be shown, here m:leaf/0 and m:few/0 below m:busy/0. In the graph,
m:main/0 is called by its process, which was spawned with that function, and waiting is no share of what ran.
--- trace
@meta node=a@host schedulers=1
0us       <0.80.0>  s1  spawned    parent=<0.1.0> mfa=m:main/0
0us       <0.80.0>  s1  in         mfa=m:main/0
0us       <0.80.0>  s1  call       mfa=m:main/0
10us      <0.80.0>  s1  call       mfa=m:work/0
20us      <0.80.0>  s1  out        mfa=m:work/0
1020us    <0.80.0>  s1  in         mfa=m:work/0
1030us    <0.80.0>  s1  return_to  mfa=m:main/0
1040us    <0.80.0>  s1  call       mfa=m:busy/0
1041us    <0.80.0>  s1  call       mfa=m:leaf/0
1041100ns <0.80.0>  s1  out        mfa=m:leaf/0
1041400ns <0.80.0>  s1  in         mfa=m:leaf/0
1042us    <0.80.0>  s1  return_to  mfa=m:busy/0
1050us    <0.80.0>  s1  call       mfa=m:few/0
1050300ns <0.80.0>  s1  return_to  mfa=m:busy/0
1100us    <0.80.0>  s1  return_to  mfa=m:main/0
1110us    <0.80.0>  s1  exit       reason=normal
--- run
$STROBE analyze T.txt -o t.sbp >t.log 2>&1
$STROBE report t.sbp paths --format csv | cut -d, -f1-4,10
ask t.sbp 'calls?n=16' call_graph | tr -d ' \n' | sed 's/},/&\n/g'; echo
$STROBE export t.sbp --to collapsed -o - 2>/dev/null
$STROBE query t.sbp "SELECT sum(own_ns) AS running FROM call_node WHERE mfa <> 'suspend'" --format csv
$STROBE export t.sbp --to dot --what calls -o - | grep -v '^[dg]'
--- out
path,calls,own_ns,acc_ns,run_ns
m:main/0,1,30000,1110000,109700
  m:work/0,1,20000,1020000,20000
    suspend,1,1000000,1000000,0
  m:busy/0,1,58700,60000,59700
    m:leaf/0,1,700,1000,700
      suspend,1,300,300,0
    m:few/0,1,300,300,300
{"meta":{"total":1110000,"total_run":109700,"least_acc":34687,"least_run":3428,"sampled":false},
"call":[{"id":1,"parent":0,"mfa":"m:main/0","calls":1,"own":30000,"acc":1110000,"run":109700,"recursive":0,"first":0,"more":0},
{"id":2,"parent":1,"mfa":"m:work/0","calls":1,"own":20000,"acc":1020000,"run":20000,"recursive":0,"first":10000,"more":0},
{"id":3,"parent":2,"mfa":"suspend","calls":1,"own":1000000,"acc":1000000,"run":0,"recursive":0,"first":20000,"more":0},
{"id":4,"parent":1,"mfa":"m:busy/0","calls":1,"own":58700,"acc":60000,"run":59700,"recursive":0,"first":1040000,"more":0},
{"id":12,"parent":4,"mfa":null,"calls":2,"own":1300,"acc":1300,"run":1000,"recursive":0,"first":1041000,"more":2}]}{"meta":{"functions":5,"total":1110000,"total_run":109700},
"function":[{"mfa":"m:main/0","calls":1,"acc":1110000,"run":109700},
{"mfa":"m:work/0","calls":1,"acc":1020000,"run":20000},
{"mfa":"suspend","calls":2,"acc":1000300,"run":0},
{"mfa":"m:busy/0","calls":1,"acc":60000,"run":59700},
{"mfa":"m:leaf/0","calls":1,"acc":1000,"run":700},
{"mfa":"m:few/0","calls":1,"acc":300,"run":300}],"edge":[{"caller":"m:main/0","callee":"m:work/0","calls":1},
{"caller":"m:work/0","callee":"suspend","calls":1},
{"caller":"m:main/0","callee":"m:busy/0","calls":1},
{"caller":"m:busy/0","callee":"m:leaf/0","calls":1},
{"caller":"m:leaf/0","callee":"suspend","calls":1},
{"caller":"m:busy/0","callee":"m:few/0","calls":1}]}
m:main/0 30000
m:main/0;m:work/0 20000
m:main/0;m:busy/0 58700
m:main/0;m:busy/0;m:leaf/0 700
m:main/0;m:busy/0;m:few/0 300
running
109700
  graph [rankdir=LR];
  node [shape=box, fontname="monospace"];
  r1 [label="m:main/0", shape=ellipse];
  n1 [label="m:main/0\nown 30.0 us 27.3 %"];
  r1 -> n1 [label="1 x, 100.0 %"];
  n4 [label="m:work/0\nown 20.0 us 18.2 %"];
  n1 -> n4 [label="1 x, 91.9 %"];
  n3 [label="suspend\nwaiting 1.00 ms", style=dashed];
  n4 -> n3 [label="1 x, 90.1 %", style=dashed];
  n5 [label="m:busy/0\nown 58.7 us 53.5 %"];
  n1 -> n5 [label="1 x, 5.4 %"];
  n6 [label="m:leaf/0\nown 700 ns 0.6 %"];
  n5 -> n6 [label="1 x, 0.1 %"];
  n7 [label="m:few/0\nown 300 ns 0.3 %"];
  n5 -> n7 [label="1 x, 0.0 %"];
  n6 -> n3 [label="1 x, 0.0 %", style=dashed];
  label="own: share of the running time; calls: share of the time on the stack, which includes waiting";
}
