Who sleeps leaves its mail alone: a message wakes it for a moment, and it waits on. A port's answer that no mailbox gets is no mail.
--- trace
@meta node=a@h schedulers=2
0 <0.6.0> 2 in mfa=m:g/0
1us <0.5.0> 1 in mfa=timer:sleep/1
2us <0.5.0> 1 out mfa=timer:sleep/1
10us <0.6.0> 2 send to=<0.5.0> words=4 hash=7
12us <0.5.0> 1 in mfa=timer:sleep/1
14us <0.5.0> 1 out mfa=timer:sleep/1
5014us <0.5.0> 1 in mfa=timer:sleep/1
5015us <0.5.0> 1 receive words=1 timeout
5016us <0.5.0> 1 receive words=4 hash=7
5017us #Port<0.7> 1 send to=<0.5.0> words=3 hash=8
5020us <0.5.0> 1 out mfa=m:f/0
5060us <0.6.0> 2 send to=<0.5.0> words=4 hash=9
5070us <0.5.0> 1 in mfa=m:f/0
5071us <0.5.0> 1 receive words=4 hash=9
--- run
$STROBE analyze T.txt -o P.sbp >/dev/null
$STROBE query P.sbp "select start, wait_ns, runnable_ns, cause from gap where process = 2 and start > 1000" --format csv
$STROBE query P.sbp "select pid, max_queue from process" --format csv
--- out
start,wait_ns,runnable_ns,cause
2000,8000,2000,message
14000,4998000,2000,timeout
5020000,40000,10000,message
pid,max_queue
<0.6.0>,0
<0.5.0>,1
