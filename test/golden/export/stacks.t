--- trace
@meta node=shop@host schedulers=1
0     <0.80.0>  s1  in        mfa=shop:main/0
0     <0.80.0>  s1  call      mfa=shop:main/0
10us  <0.80.0>  s1  call      mfa='till;x':'ring up'/1
30us  <0.80.0>  s1  return_to mfa=shop:main/0
40us  <0.80.0>  s1  call      mfa='till;x':'ring up'/1
45us  <0.80.0>  s1  return_to mfa=shop:main/0
60us  <0.80.0>  s1  out       mfa=shop:main/0
90us  <0.80.0>  s1  in        mfa=shop:main/0
100us <0.80.0>  s1  exit      reason=normal
--- run
$STROBE export T.txt --to collapsed -o -
$STROBE export T.txt --to collapsed --what slices -o -
$STROBE export T.txt --to collapsed --since 50us --until 95us -o -
$STROBE export T.txt --to collapsed --time wall -o -
$STROBE export T.txt --to callgrind -o -
$STROBE export T.txt --to callgrind --time wall -o - | grep -A99 '^cfn=(3)'
--- out
process;shop:main/0 45000
process;shop:main/0;'till；x':'ring up'/1 25000
process;shop:main/0 70000
process;shop:main/0 15000
process;shop:main/0 45000
process;shop:main/0;'till；x':'ring up'/1 25000
process;shop:main/0;suspend 30000
# callgrind format
version: 1
creator: strobe 0.1.0
positions: line
events: ns calls gc_ns words
fl=(2) beam
fn=(2) all processes
0 0 0 0 0
cfi=(2)
cfn=(3) process
calls=1 0
0 70000 4 0 0
fl=(2)
fn=(3)
0 0 0 0 0
cfi=(3) shop
cfn=(4) shop:main/0
calls=1 0
0 70000 4 0 0
fl=(3)
fn=(4)
0 45000 1 0 0
cfi=(4) 'till;x'
cfn=(5) 'till;x':'ring up'/1
calls=2 0
0 25000 2 0 0
cfi=(2)
cfn=(6) suspend
calls=1 0
0 0 1 0 0
fl=(4)
fn=(5)
0 25000 2 0 0
fl=(2)
fn=(6)
0 0 1 0 0

totals: 70000 4 0 0
cfn=(3) process
calls=1 0
0 100000 4 0 0
fl=(2)
fn=(3)
0 0 0 0 0
cfi=(3) shop
cfn=(4) shop:main/0
calls=1 0
0 100000 4 0 0
fl=(3)
fn=(4)
0 45000 1 0 0
cfi=(4) 'till;x'
cfn=(5) 'till;x':'ring up'/1
calls=2 0
0 25000 2 0 0
cfi=(2)
cfn=(6) suspend
calls=1 0
0 30000 1 0 0
fl=(4)
fn=(5)
0 25000 2 0 0
fl=(2)
fn=(6)
0 30000 1 0 0

totals: 100000 4 0 0
