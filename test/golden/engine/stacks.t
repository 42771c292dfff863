--- trace
@meta node=shop@host schedulers=2
0     <0.80.0>  s1  in        mfa=shop:main/0
10us  <0.80.0>  s2  stack     mfa=lists:map/2 depth=0 frames=2
10us  <0.80.0>  s2  stack     mfa=shop:main/0 depth=1 frames=2
20us  <0.80.0>  s2  stack     mfa=shop:main/0 depth=1 frames=2
20us  <0.80.0>  s2  stack     mfa=lists:map/2 depth=0 frames=2
30us  <0.80.0>  s2  stack     mfa=shop:fib/1 depth=0 frames=3
30us  <0.80.0>  s2  stack     mfa=shop:fib/1 depth=1 frames=3
30us  <0.80.0>  s2  stack     mfa=shop:main/0 depth=2 frames=3
40us  <0.80.0>  s2  stack     mfa=shop:lost/1 depth=0 frames=2
50us  <0.80.0>  s2  stack     mfa=shop:lost/1 depth=1 frames=2
60us  <0.90.0>  s2  stack     mfa='a;b':'c d'/1 depth=0 frames=1
90us  <0.80.0>  s1  exit      reason=normal
--- run
$STROBE query T.txt "SELECT pid(process) AS pid, stack, count FROM stack" --format csv
$STROBE report T.txt stacks
--- out
pid,stack,count
<0.80.0>,shop:main/0;lists:map/2,2
<0.80.0>,shop:main/0;shop:fib/1;shop:fib/1,1
<0.90.0>,'a;b':'c d'/1,1
Sampled stacks, by function: which code is active, not where time is spent
own     own%  with    with%  function
  2  50.00 %     2  50.00 %  lists:map/2
  1  25.00 %     1  25.00 %  shop:fib/1
  1  25.00 %     1  25.00 %  'a;b':'c d'/1
  0   0.00 %     3  75.00 %  shop:main/0
