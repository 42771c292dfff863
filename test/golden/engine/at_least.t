Sums count the messages whose size is a lower bound, for processes, pairs, schedulers and nodes, and a merge keeps the counts.
--- trace
@meta node=a@h creation=1 schedulers=2 recorded=procs,running,messages
100 <0.5.0> s1 in mfa=m:f/0
101 <0.6.0> s2 in mfa=m:g/0
105 <0.5.0> s1 send to=<0.6.0> words=4 hash=7
106 <0.5.0> s1 send to=<0.6.0> words=66 hash=8 at_least
107 <0.5.0> s1 send to=<0.6.0> words=66 hash=9 at_least
108 <0.5.0> s1 send to=<0.7.0>@b@h/3 words=66 hash=10 at_least
110 <0.6.0> s2 receive words=4 hash=7
111 <0.6.0> s2 receive words=66 hash=8 at_least
120 <0.5.0> s1 out mfa=m:f/0
121 <0.6.0> s2 out mfa=m:g/0
--- run
$STROBE analyze T.txt -o P.sbp > /dev/null
$STROBE merge P.sbp -o M.sbp >/dev/null && cmp P.sbp M.sbp && echo the same
$STROBE query P.sbp "select pid, send_words, send_at_least, receive_words, receive_at_least from process" --format csv
$STROBE query P.sbp "select sender, receiver, total_words, at_least from message_edge" --format csv
$STROBE query P.sbp "select from_scheduler, to_scheduler, total_words, at_least from scheduler_edge" --format csv
$STROBE query P.sbp "select from_node, to_node, total_words, at_least from node_edge" --format csv
$STROBE report P.sbp --format csv | grep messages, | cut -d, -f4-
for w in "" "--since 6"; do $STROBE report P.sbp messages $w --format csv | cut -d, -f1-4,11; done
--- out
the same
pid,send_words,send_at_least,receive_words,receive_at_least
<0.5.0>,202,3,0,0
<0.6.0>,0,0,70,1
<0.7.0>,,,,
sender,receiver,total_words,at_least
1,2,136,2
1,3,66,1
from_scheduler,to_scheduler,total_words,at_least
1,2,136,2
from_node,to_node,total_words,at_least
1,1,136,2
1,2,66,1
"4 sent, 2 received; at least 202 words in all, as the words of 3 of them were counted only up to a limit",strobe report P.sbp messages,What ran
sender,receiver,count,total_words,at_least
<0.5.0>,<0.6.0>,3,136,2
<0.5.0>,<0.7.0> on b@h,1,66,1
sender,receiver,count,total_words,at_least
<0.5.0>,<0.6.0>,2,132,2
<0.5.0>,<0.7.0> on b@h,1,66,1
