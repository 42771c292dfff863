Messages that go round among three nodes one way bound all their clocks: each error is half of what the round took on the way, and what the sends may have begun before their stamps.
--- file A.txt
@meta node=a@h creation=1 otp=27 schedulers=1
999us <0.5.0> s1 receive words=2 ext=9 timeout
1000us <0.5.0> s1 send     to=<0.7.0>@b@h/1 words=3 ext=9 hash=11
1090us <0.5.0> s1 receive  words=8 ext=9 hash=13
--- file B.txt
@meta node=b@h creation=1 otp=27 schedulers=1
3010us <0.7.0> s1 receive  words=8 ext=9 hash=11
3019us <0.7.0> s1 receive words=2 ext=9 timeout
3020us <0.7.0> s1 send     to=<0.9.0>@c@h/1 words=3 ext=9 hash=12
--- file C.txt
@meta node=c@h creation=1 otp=27 schedulers=1
8030us <0.9.0> s1 receive  words=8 ext=9 hash=12
8079us <0.9.0> s1 receive words=2 ext=9 timeout
8080us <0.9.0> s1 send     to=<0.5.0>@a@h/1 words=3 ext=9 hash=13
--- run
$STROBE analyze A.txt B.txt C.txt -o T.sbp > log 2>&1
$STROBE query T.sbp "SELECT name, clock_offset_ns, clock_error_ns, clock_conflict_ns FROM node" --format csv
--- out
name,clock_offset_ns,clock_error_ns,clock_conflict_ns
a@h,0,0,
b@h,-1995000,17000,
c@h,-7005000,17000,
