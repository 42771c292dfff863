Code that is not traced calls traced functions. A return to it ends a callback together with what that tail called
(<0.80.0>), or only what it called itself, while its caller stays (<0.81.0>: m:report/1 calls lists:map/2, which calls
m:walk/1, which calls lists:map/2 again). What called a function at the bottom is named when it returns there.
--- trace
@meta node=a@host schedulers=1
0us    <0.80.0>  s1  in         mfa=gen_server:loop/7
10us   <0.80.0>  s1  call       mfa=srv:init/1
12us   <0.80.0>  s1  return_to  mfa=gen_server:init_it/2
14us   <0.80.0>  s1  out        mfa=gen_server:loop/7
20us   <0.80.0>  s1  in         mfa=gen_server:loop/7
21us   <0.80.0>  s1  call       mfa=srv:handle_cast/2
22us   <0.80.0>  s1  call       mfa=srv:noreply/1
24us   <0.80.0>  s1  return_to  mfa=gen_server:try_dispatch/4
26us   <0.80.0>  s1  out        mfa=gen_server:loop/7
40us   <0.80.0>  s1  in         mfa=gen_server:loop/7
41us   <0.80.0>  s1  call       mfa=srv:handle_call/3
42us   <0.80.0>  s1  call       mfa=srv:do/1
45us   <0.80.0>  s1  return_to  mfa=gen_server:try_handle_call/4
46us   <0.80.0>  s1  out        mfa=gen_server:loop/7
60us   <0.80.0>  s1  in         mfa=gen_server:loop/7
61us   <0.80.0>  s1  call       mfa=srv:handle_cast/2
62us   <0.80.0>  s1  call       mfa=srv:noreply/1
64us   <0.80.0>  s1  return_to  mfa=gen_server:try_dispatch/4
66us   <0.80.0>  s1  out        mfa=gen_server:loop/7
100us  <0.81.0>  s1  in         mfa=erl_eval:do_apply/7
110us  <0.81.0>  s1  call       mfa=m:report/1
120us  <0.81.0>  s1  call       mfa=m:walk/1
121us  <0.81.0>  s1  call       mfa=m:leaf/1
130us  <0.81.0>  s1  return_to  mfa=lists:map/2
140us  <0.81.0>  s1  call       mfa=m:walk/1
150us  <0.81.0>  s1  call       mfa=m:walk/1
151us  <0.81.0>  s1  call       mfa=m:leaf/1
155us  <0.81.0>  s1  return_to  mfa=lists:map/2
160us  <0.81.0>  s1  call       mfa=m:walk/1
161us  <0.81.0>  s1  call       mfa=m:leaf/1
165us  <0.81.0>  s1  return_to  mfa=lists:map/2
175us  <0.81.0>  s1  return_to  mfa=lists:map/2
180us  <0.81.0>  s1  call       mfa=m:sum/1
185us  <0.81.0>  s1  return_to  mfa=m:report/1
190us  <0.81.0>  s1  return_to  mfa=erl_eval:do_apply/7
200us  <0.81.0>  s1  exit       reason=normal
--- run
$STROBE analyze T.txt >/dev/null
$STROBE query T.sbp "SELECT mfa, calls, own_ns, acc_ns FROM function WHERE calls > 0 AND mfa <> 'suspend' ORDER BY 1" --format csv
$STROBE query T.sbp "SELECT caller, callee, calls, acc_ns FROM call_edge WHERE callee <> 'suspend' ORDER BY 1, 2" --format csv
$STROBE query T.sbp "SELECT mfa, start, dur, busy_ns, count FROM activation WHERE process = 2 ORDER BY start, dur DESC" --format csv
--- out
mfa,calls,own_ns,acc_ns
m:leaf/1,3,17000,17000
m:report/1,1,30000,80000
m:sum/1,1,5000,5000
m:walk/1,4,28000,45000
srv:do/1,1,3000,3000
srv:handle_call/3,1,1000,4000
srv:handle_cast/2,2,2000,6000
srv:init/1,1,2000,2000
srv:noreply/1,2,4000,4000
caller,callee,calls,acc_ns
erl_eval:do_apply/7,m:report/1,1,80000
gen_server:init_it/2,srv:init/1,1,2000
gen_server:try_dispatch/4,srv:handle_cast/2,2,6000
gen_server:try_handle_call/4,srv:handle_call/3,1,4000
m:report/1,m:sum/1,1,5000
m:report/1,m:walk/1,2,45000
m:walk/1,m:leaf/1,3,17000
m:walk/1,m:walk/1,2,10000
srv:handle_call/3,srv:do/1,1,3000
srv:handle_cast/2,srv:noreply/1,2,4000
mfa,start,dur,busy_ns,count
m:report/1,110000,80000,80000,1
m:walk/1,120000,10000,10000,1
m:leaf/1,121000,9000,9000,1
m:walk/1,140000,35000,35000,1
m:leaf/1,151000,4000,4000,1
m:leaf/1,161000,4000,4000,1
m:sum/1,180000,5000,5000,1
