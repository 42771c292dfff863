The clock of b gains 1 ms between two exchanges: no constant offset explains both. The summary says so, and no error is claimed.
--- file A.txt
@meta node=a@h creation=1 otp=27 schedulers=1
999us <0.5.0> s1 receive words=2 ext=9 timeout
1000us <0.5.0> s1 send     to=<0.7.0>@b@h/1 words=3 ext=9 hash=11
1040us <0.5.0> s1 receive  words=8 ext=9 hash=12
89999us <0.5.0> s1 receive words=2 ext=9 timeout
90000us <0.5.0> s1 send     to=<0.7.0>@b@h/1 words=3 ext=9 hash=13
90040us <0.5.0> s1 receive  words=8 ext=9 hash=14
--- file B.txt
@meta node=b@h creation=1 otp=27 schedulers=1
1010us <0.7.0> s1 receive  words=8 ext=9 hash=11
1029us <0.7.0> s1 receive words=2 ext=9 timeout
1030us <0.7.0> s1 send     to=<0.5.0>@a@h/1 words=3 ext=9 hash=12
91010us <0.7.0> s1 receive  words=8 ext=9 hash=13
91029us <0.7.0> s1 receive words=2 ext=9 timeout
91030us <0.7.0> s1 send     to=<0.5.0>@a@h/1 words=3 ext=9 hash=14
--- run
$STROBE analyze A.txt B.txt -o T.sbp > log 2>&1
$STROBE report T.sbp --format csv | grep CLOCKS
$STROBE query T.sbp "SELECT name, clock_offset_ns, clock_error_ns, clock_conflict_ns FROM node" --format csv
--- out
CLOCKS,489000,ns,"messages between nodes contradict each other by 489 us: clocks drift, or messages were paired wrongly; no latency between these nodes is shown",strobe report T.sbp nodes,What is missing
name,clock_offset_ns,clock_error_ns,clock_conflict_ns
a@h,0,0,489000
b@h,-500000,,489000
