Of two nodes, a scheduler is active within its own node's trace, and a message has the size that its sender recorded (pids are larger elsewhere), also after a merge.
--- file A.txt
@meta node=a@h creation=1 otp=27 schedulers=1 wall
100us <0.5.0> s1 send     to=<0.7.0>@b@h/1 words=3 ext=9 hash=11
150us -       s1 profile_scheduler_inactive active=0
200us <0.5.0> s1 send     to=<0.7.0>@b@h/1 words=3 ext=9 hash=12
--- file B.txt
@meta node=b@h creation=1 otp=27 schedulers=1 wall
110us <0.7.0> s1 receive  words=8 ext=9 hash=11
130us -       s1 profile_scheduler_inactive active=0
210us <0.7.0> s1 receive  words=8 ext=9 hash=12
--- run
$STROBE analyze A.txt B.txt -o AB.sbp > log 2>&1
$STROBE merge AB.sbp -o again.sbp && cmp AB.sbp again.sbp && echo the same
$STROBE query AB.sbp "SELECT node, active_ns FROM scheduler"
$STROBE query AB.sbp "SELECT pid, send_words, receive_words FROM process"
--- out
the same
node  active_ns
   1    50.0 us
   2    20.0 us
pid      send_words  receive_words
<0.5.0>           6              0
<0.7.0>           0              6
