An alias that OTP records by its reference belongs to the process that sent it first: messages to the alias arrive there. A second answer to the same alias is not mail that keeps its owner runnable; a message to an alias that no process sent has no receiver.
--- file T.txt
@meta node=a@h creation=1
0 <0.2.0> 1 in mfa=m:client/0
0 <0.3.0> 2 in mfa=m:server/0
1us <0.3.0> 2 out mfa=m:server/0
2us <0.2.0> 1 send to=<0.3.0> words=7 ext=40 hash=a1 offers=77
3us <0.2.0> 1 out mfa=m:client/0
10us <0.3.0> 2 in mfa=m:server/0
11us <0.3.0> 2 receive words=7 ext=40 hash=a1
12us <0.3.0> 2 send words=5 ext=20 hash=b1 alias=77 alias
13us <0.3.0> 2 send words=5 ext=20 hash=b2 alias=77 alias
14us <0.3.0> 2 send to=<0.4.0> words=5 ext=20 hash=c1 offers=77
15us <0.3.0> 2 send words=5 ext=20 hash=d1 alias=99 alias
20us <0.2.0> 1 in mfa=m:client/0
21us <0.2.0> 1 receive words=5 ext=20 hash=b1
22us <0.2.0> 1 out mfa=m:client/0
30us <0.4.0> 3 in mfa=m:worker/0
31us <0.4.0> 3 receive words=5 ext=20 hash=c1
32us <0.4.0> 3 send words=5 ext=20 hash=b3 alias=77 alias
60us <0.3.0> 2 send to=<0.2.0> words=5 ext=20 hash=e1
65us <0.2.0> 1 in mfa=m:client/0
66us <0.2.0> 1 receive words=5 ext=20 hash=e1
70us <0.2.0> 1 exit reason=normal
--- run
$STROBE analyze T.txt -o P.sbp > log 2>&1
$STROBE query P.sbp "SELECT s.pid, r.pid AS receiver, m.sent, m.received FROM message m JOIN process s ON s.id = sender JOIN process r ON r.id = receiver ORDER BY m.sent" --format csv
$STROBE query P.sbp "SELECT pid, gap.start, gap.wait_ns, gap.runnable_ns, cause FROM gap JOIN process ON process.id = process WHERE pid = '<0.2.0>'" --format csv
$STROBE merge P.sbp -o M.sbp > log 2>&1 && cmp P.sbp M.sbp && echo same
--- out
pid,receiver,sent,received
<0.2.0>,<0.3.0>,2000,11000
<0.3.0>,<0.2.0>,12000,21000
<0.3.0>,<0.2.0>,13000,
<0.3.0>,<0.4.0>,14000,31000
<0.4.0>,<0.2.0>,32000,
<0.3.0>,<0.2.0>,60000,66000
pid,start,wait_ns,runnable_ns,cause
<0.2.0>,3000,9000,8000,message
<0.2.0>,22000,38000,5000,message
same
