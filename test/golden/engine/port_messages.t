Ports send and receive, too. What they send arrives and wakes, but is of no process; what they receive is no process's message.
--- trace
@meta node=a@h schedulers=2
100 <0.5.0> 1 in mfa=m:f/0
105 <0.5.0> 1 out mfa=m:f/0
106 <0.6.0> 2 in mfa=m:g/0
110 #Port<0.7> 2 receive words=2 ext=8 hash=8
130 #Port<0.7> 2 send to=<0.5.0> words=4 ext=20 hash=7
140 <0.5.0> 1 in mfa=m:f/0
150 <0.5.0> 1 receive words=4 ext=20 hash=7
160 <0.5.0> 1 out mfa=m:f/0
170 <0.6.0> 2 out mfa=m:g/0
--- run
$STROBE analyze T.txt -o P.sbp >/dev/null
$STROBE query P.sbp "select pid, sends, receives, receive_words from process" --format csv
$STROBE query P.sbp "select sender, receiver, sent, received, words from message" --format csv
$STROBE query P.sbp "select count(*) from message_edge" --format csv
$STROBE query P.sbp "select process, start, wait_ns, runnable_ns, cause, waker from gap where cause = 'message'" --format csv
$STROBE merge P.sbp -o M.sbp >/dev/null && cmp P.sbp M.sbp
--- out
pid,sends,receives,receive_words
<0.5.0>,0,1,4
<0.6.0>,0,0,0
sender,receiver,sent,received,words
,1,30,50,4
count(*)
0
process,start,wait_ns,runnable_ns,cause,waker
1,5,25,10,message,
