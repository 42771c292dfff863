A process that its parent started for a caller, before the reply to it, was asked for by the caller. It is unknown for a
child that the parent started without a request, for one whose parent wrote first to the process it sends to next, and
for the first child of a parent that had several requests.
--- trace
@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2
0      <0.9.0>  s1 spawn   child=<0.20.0> mfa=shop:sup/0
100    <0.21.0> s2 in      mfa=shop:a/0
110    <0.21.0> s2 send    to=<0.20.0> words=3 hash=a1
120    <0.21.0> s2 out     mfa=gen:do_call/4
130    <0.22.0> s2 in      mfa=shop:b/0
140    <0.22.0> s2 send    to=<0.20.0> words=3 hash=b1
150    <0.22.0> s2 out     mfa=gen:do_call/4
200    <0.20.0> s1 in      mfa=gen_server:loop/7
210    <0.20.0> s1 receive words=3 hash=a1
211    <0.20.0> s1 receive words=3 hash=b1
220    <0.20.0> s1 spawn   child=<0.30.0> mfa=shop:job/0
230    <0.20.0> s1 out     mfa=proc_lib:sync_start_link/2
300    <0.30.0> s2 in      mfa=shop:job/0
310    <0.30.0> s2 send    to=<0.20.0> words=3 hash=c1
320    <0.30.0> s2 out     mfa=shop:job/0
400    <0.20.0> s1 in      mfa=proc_lib:sync_start_link/2
410    <0.20.0> s1 receive words=3 hash=c1
420    <0.20.0> s1 send    to=<0.21.0> words=3 hash=d1
430    <0.20.0> s1 spawn   child=<0.31.0> mfa=shop:job/0
440    <0.20.0> s1 send    to=<0.22.0> words=3 hash=d2
450    <0.20.0> s1 out     mfa=gen_server:loop/7
500    <0.22.0> s2 in      mfa=gen:do_call/4
510    <0.22.0> s2 receive words=3 hash=d2
520    <0.22.0> s2 spawn   child=<0.32.0> mfa=shop:own/0
530    <0.22.0> s2 send    to=<0.20.0> words=3 hash=b2
540    <0.22.0> s2 out     mfa=gen:do_call/4
600    <0.20.0> s1 in      mfa=gen_server:loop/7
610    <0.20.0> s1 receive words=3 hash=b2
620    <0.20.0> s1 send    to=<0.22.0> words=3 hash=d3
630    <0.20.0> s1 spawn   child=<0.33.0> mfa=shop:late/0
640    <0.20.0> s1 out     mfa=gen_server:loop/7
--- run
$STROBE query T.txt "SELECT pid, pid(parent) AS parent, pid(asked_by) AS asked_by FROM process WHERE entry LIKE 'shop%' ORDER BY id"
$STROBE report T.sbp tree --format csv | cut -d, -f1,2,15,16
--- out
pid       parent    asked_by
<0.20.0>  <0.9.0>   --
<0.30.0>  <0.20.0>  --
<0.31.0>  <0.20.0>  <0.22.0>
<0.32.0>  <0.22.0>  --
<0.33.0>  <0.20.0>  --
group,processes,asked_by,asked
(unknown),1,,
  shop:sup/0,1,,
    shop:job/0,1,,
    shop:job/0,1,(unknown),1
    shop:late/0,1,,
(unknown),1,,
  shop:own/0,1,,
(unknown),1,,
