even() and odd() call each other, tree() calls itself by way of left(): each is on the stack for as long as its outermost
call, and a call of one by another for as long as at least one such call is open. The graph shows calls of itself.
--- trace
@meta node=a@host schedulers=1
0us    <0.80.0>  s1  in         mfa=m:main/0
0us    <0.80.0>  s1  call       mfa=m:main/0
10us   <0.80.0>  s1  call       mfa=m:even/1
20us   <0.80.0>  s1  call       mfa=m:odd/1
30us   <0.80.0>  s1  call       mfa=m:even/1
40us   <0.80.0>  s1  call       mfa=m:odd/1
50us   <0.80.0>  s1  return_to  mfa=m:even/1
60us   <0.80.0>  s1  return_to  mfa=m:odd/1
70us   <0.80.0>  s1  return_to  mfa=m:even/1
80us   <0.80.0>  s1  return_to  mfa=m:main/0
90us   <0.80.0>  s1  call       mfa=m:tree/1
91us   <0.80.0>  s1  call       mfa=m:left/1
92us   <0.80.0>  s1  call       mfa=m:tree/1
93us   <0.80.0>  s1  call       mfa=m:tree/1
95us   <0.80.0>  s1  return_to  mfa=m:tree/1
97us   <0.80.0>  s1  return_to  mfa=m:left/1
98us   <0.80.0>  s1  return_to  mfa=m:tree/1
100us  <0.80.0>  s1  return_to  mfa=m:main/0
110us  <0.80.0>  s1  exit       reason=normal
--- run
$STROBE report T.txt functions --sort acc
$STROBE report T.txt function m:odd/1
$STROBE report T.txt callers m:tree/1
$STROBE report T.txt paths
$STROBE query T.txt "SELECT mfa, start, dur, busy_ns, count FROM activation ORDER BY start, dur DESC" --format csv
$STROBE export T.txt --to dot --what calls -o -
$STROBE export T.txt --to callgrind -o - | grep -v '^fl\|^cfi\|^#\|^creator'
$STROBE export T.txt --to collapsed -o - 2>&1
--- out
Functions, by acc
calls     own%      own  own per call      acc    gc  suspend  function
    1  27.27 %  30.0 us       30.0 us   110 us  0 ns     0 ns  m:main/0
    2  36.36 %  40.0 us       20.0 us  70.0 us  0 ns     0 ns  m:even/1
    2  27.27 %  30.0 us       15.0 us  50.0 us  0 ns     0 ns  m:odd/1
    3   7.27 %  8.00 us       2.67 us  10.0 us  0 ns     0 ns  m:tree/1
    1   1.82 %  2.00 us       2.00 us  7.00 us  0 ns     0 ns  m:left/1
One function
role     calls      own      acc  tail  recursive  processes  name      pid
itself       2  30.0 us  50.0 us     0          0          1  m:odd/1   --
caller       2  30.0 us  50.0 us    --         --          1  m:even/1  --
callee       1  20.0 us  30.0 us    --         --          1  m:even/1  --
process      2  30.0 us  50.0 us     0          0         --  <0.80.0>  <0.80.0>
Callers and callees
direction  calls      own      acc  recursive  processes  function
caller         1  3.00 us  10.0 us  no                 1  m:main/0
caller         1  3.00 us  5.00 us  no                 1  m:left/1
caller         1  2.00 us  2.00 us  yes                1  m:tree/1
callee         1  2.00 us  7.00 us  no                 1  m:left/1
callee         1  2.00 us  2.00 us  yes                1  m:tree/1
Call paths, by time
path          calls      own      acc      acc%  tail  recursive       first
m:main/0          1  30.0 us   110 us  100.00 %     0          0  0.000000 s
  m:even/1        2  40.0 us  70.0 us   63.64 %     0          1  0.000010 s
    m:odd/1       2  30.0 us  30.0 us   27.27 %     0          0  0.000020 s
  m:tree/1        3  8.00 us  10.0 us    9.09 %     0          2  0.000090 s
    m:left/1      1  2.00 us  2.00 us    1.82 %     0          0  0.000091 s
mfa,start,dur,busy_ns,count
m:main/0,0,110000,110000,1
m:even/1,10000,70000,70000,1
m:odd/1,20000,50000,50000,1
m:tree/1,90000,10000,10000,1
m:left/1,91000,7000,7000,1
digraph "strobe calls" {
  graph [rankdir=LR];
  node [shape=box, fontname="monospace"];
  r8 [label="process", shape=ellipse];
  n1 [label="m:main/0\nown 30.0 us 27.3 %"];
  r8 -> n1 [label="1 x, 100.0 %"];
  n4 [label="m:even/1\nown 40.0 us 36.4 %"];
  n1 -> n4 [label="1 x, 63.6 %"];
  n5 [label="m:odd/1\nown 30.0 us 27.3 %"];
  n4 -> n5 [label="2 x, 45.5 %"];
  n5 -> n4 [label="1 x, 27.3 %"];
  n6 [label="m:tree/1\nown 8.00 us 7.3 %"];
  n1 -> n6 [label="1 x, 9.1 %"];
  n7 [label="m:left/1\nown 2.00 us 1.8 %"];
  n6 -> n7 [label="1 x, 6.4 %"];
  n7 -> n6 [label="1 x, 4.5 %"];
  n6 -> n6 [label="1 x, 1.8 %"];
}
version: 1
positions: line
events: ns calls gc_ns words
fn=(2) all processes
0 0 0 0 0
cfn=(3) process
calls=1 0
0 110000 9 0 0
fn=(3)
0 0 0 0 0
cfn=(4) m:main/0
calls=1 0
0 110000 9 0 0
fn=(4)
0 30000 1 0 0
cfn=(5) m:even/1
calls=1 0
0 70000 4 0 0
cfn=(7) m:tree/1
calls=1 0
0 10000 4 0 0
fn=(5)
0 40000 2 0 0
cfn=(6) m:odd/1
calls=2 0
0 50000 2 0 0
fn=(6)
0 30000 2 0 0
cfn=(5)
calls=1 0
0 0 0 0 0
fn=(7)
0 8000 3 0 0
cfn=(7)
calls=1 0
0 0 0 0 0
cfn=(8) m:left/1
calls=1 0
0 7000 1 0 0
fn=(8)
0 2000 1 0 0
cfn=(7)
calls=1 0
0 0 0 0 0

totals: 110000 9 0 0
process;m:main/0 30000
process;m:main/0;m:even/1 40000
process;m:main/0;m:even/1;m:odd/1 30000
process;m:main/0;m:tree/1 8000
process;m:main/0;m:tree/1;m:left/1 2000
strobe: stacks show a recursive call as part of the outermost call of that function: the totals of 2 functions inside a recursion are too small here; strobe report functions and --to callgrind show them in full
