A send may be stamped after its message was received: the third of a is, by 50 us. Offset and error are then what the stamps before the sends leave, so they hold the truth, which is 0.
--- file A.txt
@meta node=a@h creation=1 otp=27 schedulers=1
990us <0.5.0> s1 receive words=2 ext=9 timeout
1000us <0.5.0> s1 send     to=<0.7.0>@b@h/1 words=3 ext=9 hash=11
1060us <0.5.0> s1 receive  words=8 ext=9 hash=12
1070us <0.5.0> s1 send     to=<0.7.0>@b@h/1 words=3 ext=9 hash=13
1150us <0.5.0> s1 send     to=<0.7.0>@b@h/1 words=3 ext=9 hash=14
--- file B.txt
@meta node=b@h creation=1 otp=27 schedulers=1
1020us <0.7.0> s1 receive  words=8 ext=9 hash=11
1025us <0.7.0> s1 receive words=2 ext=9 timeout
1030us <0.7.0> s1 send     to=<0.5.0>@a@h/1 words=3 ext=9 hash=12
1090us <0.7.0> s1 receive  words=8 ext=9 hash=13
1100us <0.7.0> s1 receive  words=8 ext=9 hash=14
--- run
$STROBE analyze A.txt B.txt -o T.sbp > log 2>&1
$STROBE query T.sbp "SELECT name, clock_offset_ns, clock_error_ns, clock_conflict_ns FROM node" --format csv
--- out
name,clock_offset_ns,clock_error_ns,clock_conflict_ns
a@h,0,0,
b@h,2500,32500,
