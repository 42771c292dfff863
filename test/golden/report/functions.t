--- trace
@meta node=a@host schedulers=1
0     <0.80.0>  s1  in    mfa=m:main/0
10us  <0.80.0>  s1  call  mfa=m:main/0
20us  <0.80.0>  s1  call  mfa='Elixir.Shop':total/1
60us  <0.80.0>  s1  return_to mfa=m:main/0
70us  <0.80.0>  s1  call  mfa='Elixir.Shop':total/1
90us  <0.80.0>  s1  return_to mfa=m:main/0
100us <0.80.0>  s1  out   mfa=m:main/0
200us <0.80.0>  s1  in    mfa=m:main/0
210us <0.80.0>  s1  exit  reason=normal
--- run
$STROBE report T.txt functions
$STROBE report T.txt callers "'Elixir.Shop':total/1"
$STROBE report T.txt calls --elixir
$STROBE query T.txt "SELECT mfa, calls, own_ns, acc_ns, suspend_ns, processes FROM function ORDER BY id"
--- out
Functions, by own time
calls     own%      own  own per call      acc    gc  function
    1  40.00 %  40.0 us       40.0 us   200 us  0 ns  m:main/0
    2  60.00 %  60.0 us       30.0 us  60.0 us  0 ns  Shop.total/1
Callers and callees
direction  calls      own      acc  recursive  processes  function
caller         2  60.0 us  60.0 us  no                 1  m:main/0
Calls, by caller and callee
calls      own      acc  processes  caller     callee
    2  60.0 us  60.0 us          1  :m.main/0  Shop.total/1
    1   100 us   100 us          1  :m.main/0  suspend
    1  40.0 us   200 us          1  --         :m.main/0
mfa                    calls   own_ns   acc_ns  suspend_ns  processes
m:main/0                   1  40.0 us   200 us      100 us          1
'Elixir.Shop':total/1      2  60.0 us  60.0 us        0 ns          1
suspend                    1   100 us   100 us        0 ns          1
