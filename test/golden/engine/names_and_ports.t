A send to a name goes to the process that had it then; sends to ports and to dead processes count for the sender and make no edge.
--- trace
@meta node=a@h schedulers=2
100 <0.5.0> 1 in mfa=m:f/0
105 <0.5.0> 1 register name=boss
110 #Port<0.7> - open owner=<0.5.0> driver=efile
115 <0.6.0> 2 in mfa=m:g/0
116 <0.6.0> 2 send to=boss words=4 ext=20 hash=7
117 <0.6.0> 2 send to=nobody words=3 ext=12 hash=6
118 <0.6.0> 2 send to=#Port<0.7> words=2 ext=8 hash=8
119 <0.6.0> 2 send_to_non_existing_process to=<0.99.0> words=2 ext=8 hash=9
120 #Port<0.7> 2 in mfa=command
130 #Port<0.7> 2 out mfa=command
140 <0.5.0> 1 receive words=4 ext=20 hash=7
150 <0.5.0> 1 out mfa=m:f/0
151 <0.6.0> 2 out mfa=m:g/0
160 #Port<0.7> - closed reason=normal
--- run
$STROBE analyze T.txt -o P.sbp >/dev/null
$STROBE query P.sbp "select pid, name, sends, send_words, receives from process" --format csv
$STROBE query P.sbp "select sender, receiver, count from message_edge" --format csv
$STROBE report P.sbp --format csv | grep messages, | cut -d, -f4-
$STROBE merge P.sbp -o M.sbp >/dev/null && cmp P.sbp M.sbp
$STROBE query P.sbp "select name, driver, owner, start, end, run_ns, exit_reason from port" --format csv
$STROBE query P.sbp "select number, slice_ns from scheduler" --format csv
--- out
pid,name,sends,send_words,receives
<0.5.0>,boss,0,0,1
<0.6.0>,,4,11,0
<0.99.0>,,,,
sender,receiver,count
2,1,1
"4 sent, 1 received; 11 words in all; 1 sent to registered names that could not be resolved",strobe report P.sbp messages,What ran
name,driver,owner,start,end,run_ns,exit_reason
#Port<0.7>,efile,1,10,60,10,normal
number,slice_ns
1,50
2,36
