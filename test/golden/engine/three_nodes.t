The clock of c is 1 ms ahead of a's, and b's is 500 us late. c receives from a but answers through b alone, and its 3 messages to b are equal: since it was born in the trace, none is missing, and each matches its own receive.
--- file A.txt
@meta node=a@h creation=1 otp=27 schedulers=1
9999us <0.5.0> s1 receive words=2 ext=9 timeout
10000us <0.5.0> s1 send     to=<0.7.0>@b@h/1 words=3 ext=9 hash=11
10099us <0.5.0> s1 receive words=2 ext=9 timeout
10100us <0.5.0> s1 send     to=<0.9.0>@c@h/1 words=3 ext=9 hash=12
13020us <0.5.0> s1 receive  words=8 ext=9 hash=14
--- file B.txt
@meta node=b@h creation=1 otp=27 schedulers=1
9520us <0.7.0> s1 receive  words=8 ext=9 hash=11
10020us <0.7.0> s1 receive  words=8 ext=9 hash=13
10320us <0.7.0> s1 receive  words=8 ext=9 hash=13
10620us <0.7.0> s1 receive  words=8 ext=9 hash=13
12499us <0.7.0> s1 receive words=2 ext=9 timeout
12500us <0.7.0> s1 send     to=<0.5.0>@a@h/1 words=3 ext=9 hash=14
--- file C.txt
@meta node=c@h creation=1 otp=27 schedulers=1
11000us <0.9.0> - spawned parent=<0.1.0>
11120us <0.9.0> s1 receive  words=8 ext=9 hash=12
11499us <0.9.0> s1 receive words=2 ext=9 timeout
11500us <0.9.0> s1 send     to=<0.7.0>@b@h/1 words=3 ext=9 hash=13
11799us <0.9.0> s1 receive words=2 ext=9 timeout
11800us <0.9.0> s1 send     to=<0.7.0>@b@h/1 words=3 ext=9 hash=13
12099us <0.9.0> s1 receive words=2 ext=9 timeout
12100us <0.9.0> s1 send     to=<0.7.0>@b@h/1 words=3 ext=9 hash=13
--- run
$STROBE analyze C.txt A.txt B.txt -o T.sbp > log 2>&1
$STROBE query T.sbp "SELECT name, clock_offset_ns, clock_error_ns, clock_conflict_ns FROM node" --format csv
$STROBE query T.sbp "SELECT sender, receiver, received - sent AS took FROM message ORDER BY sent" --format csv
--- out
name,clock_offset_ns,clock_error_ns,clock_conflict_ns
a@h,0,0,
b@h,500000,21000,
c@h,-990000,32000,
sender,receiver,took
1,2,20000
1,4,30000
4,2,10000
4,2,10000
4,2,10000
2,1,20000
