Calls with their callers: recursion is folded, time is own and accumulated, suspension and collection are separate.
The first recorded caller was never called in the trace, so its time on the stack is unknown.
--- trace
@meta node=a@host schedulers=1
0us    <0.80.0>  s1  in         mfa=m:start/0
10us   <0.80.0>  s1  call       mfa=m:work/1 cp=m:start/0 cp
30us   <0.80.0>  s1  call       mfa=m:work/1 cp=m:work/1 cp
40us   <0.80.0>  s1  out        mfa=m:work/1
140us  <0.80.0>  s1  in         mfa=m:work/1
150us  <0.80.0>  s1  call       mfa=m:leaf/0 cp=m:work/1 cp
155us  <0.80.0>  s1  gc_minor_start  heap=100
160us  <0.80.0>  s1  gc_minor_end    heap=50
170us  <0.80.0>  s1  return_to  mfa=m:work/1
190us  <0.80.0>  s1  return_to  mfa=m:work/1
200us  <0.80.0>  s1  return_to  mfa=m:start/0
210us  <0.80.0>  s1  out        mfa=m:start/0
--- run
$STROBE analyze T.txt >/dev/null
$STROBE query T.sbp "SELECT mfa, calls, own_ns, acc_ns, gc_ns, suspend_ns FROM function" --format csv
$STROBE query T.sbp "SELECT caller, callee, calls FROM call_edge ORDER BY 1, 2" --format csv
--- out
mfa,calls,own_ns,acc_ns,gc_ns,suspend_ns
m:start/0,0,10000,,0,0
m:work/1,2,70000,190000,0,100000
suspend,2,100000,100000,0,0
m:leaf/0,1,15000,20000,5000,0
garbage_collect,1,5000,5000,0,0
caller,callee,calls
m:leaf/0,garbage_collect,1
m:start/0,m:work/1,1
m:start/0,suspend,1
m:work/1,m:leaf/0,1
m:work/1,m:work/1,1
m:work/1,suspend,1
