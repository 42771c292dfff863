--- trace
@meta node=shop@host schedulers=2
0     <0.80.0>  s1  in        mfa=shop:main/0
10us  <0.80.0>  s1  spawn     child=<0.90.0> mfa=till:loop/1
10us  <0.90.0>  s1  spawned   parent=<0.80.0> mfa=till:loop/1
20us  <0.90.0>  s2  in        mfa=till:loop/1
30us  <0.90.0>  s2  out       mfa=till:loop/1
100us <0.80.0>  s1  send      to=<0.90.0> words=12
110us <0.90.0>  s2  in        mfa=till:loop/1
111us <0.90.0>  s2  receive   words=12
200us <0.90.0>  s2  out       mfa=till:loop/1
400us <0.80.0>  s1  send      to=<0.90.0> words=30
401us <0.80.0>  s1  out       mfa=shop:main/0
--- run
$STROBE export T.txt --to dot --what messages -o -
$STROBE export T.txt --to dot -o -
$STROBE export T.txt --to csv --table slice --process '<0.90.0>' --since 50us
cat T.slice.csv
$STROBE export T.txt --to chrome --process '<0.90.0>' --until 50us -o -
--- out
digraph "strobe messages" {
  graph [rankdir=LR];
  node [shape=box, fontname="monospace"];
  n1 [label="<0.80.0>\n401 us"];
  n2 [label="<0.90.0> till:loop/1\n100 us"];
  n1 -> n2 [weight=21, label="2 x, 42 words"];
}
digraph "strobe processes" {
  graph [rankdir=LR];
  node [shape=box, fontname="monospace"];
  n1 [label="<0.80.0>\n401 us"];
  n2 [label="<0.90.0> till:loop/1\n100 us"];
  n1 -> n2;
}
T.slice.csv
process,scheduler,start,dur,in_function,out_function,kind,port
2,2,110000,90000,till:loop/1,till:loop/1,normal,
[
{"ph":"M","pid":1,"tid":0,"name":"process_name","args":{"name":"shop@host"}},
{"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"scheduler 1"}},
{"ph":"M","pid":1,"tid":2,"name":"thread_name","args":{"name":"scheduler 2"}},
{"ph":"M","pid":1,"tid":1000000,"name":"thread_name","args":{"name":"<0.90.0> till:loop/1"}},
{"ph":"X","pid":1,"tid":2,"ts":20.000,"dur":10.000,"name":"till:loop/1","args":{"process":"<0.90.0> till:loop/1","out":"till:loop/1"}},
{"ph":"X","pid":1,"tid":1000000,"ts":10.000,"dur":10.000,"name":"runnable"},
{"ph":"X","pid":1,"tid":1000000,"ts":30.000,"dur":20.000,"name":"waiting"},
{"ph":"X","pid":1,"tid":1000000,"ts":20.000,"dur":10.000,"name":"running","args":{"out":"till:loop/1"}}
]
