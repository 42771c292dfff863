Between two nodes no latency is quoted that is shorter than the error of their clocks, of the whole run or of a stretch of it; within a node any is.
--- file A.txt
@meta node=a@h creation=1 otp=27 schedulers=1 wall
99us <0.5.0> s1 receive words=2 ext=9 timeout
100us <0.5.0> s1 send     to=<0.7.0>@b@h/1 words=3 ext=9 hash=11
300us <0.5.0> s1 send     to=<0.6.0> words=3 ext=9 hash=13
301us <0.6.0> s1 receive  words=3 ext=9 hash=13
400us <0.5.0> s1 receive  words=8 ext=9 hash=14
401us <0.5.0> s1 receive  words=8 ext=9 hash=15
9000us <0.5.0> s1 receive  words=8 ext=9 hash=16
--- file B.txt
@meta node=b@h creation=1 otp=27 schedulers=1 wall
110us <0.7.0> s1 receive  words=8 ext=9 hash=11
379us <0.7.0> s1 receive words=2 ext=9 timeout
380us <0.7.0> s1 send     to=<0.5.0>@a@h/1 words=3 ext=9 hash=14
380us <0.7.0> s1 receive words=2 ext=9 timeout
381us <0.7.0> s1 send     to=<0.8.0>@c@h/1 words=3 ext=9 hash=21
600us <0.7.0> s1 receive  words=8 ext=9 hash=22
--- file C.txt
@meta node=c@h creation=1 otp=27 schedulers=1 wall
379us <0.8.0> s1 receive words=2 ext=9 timeout
380us <0.8.0> s1 send     to=<0.5.0>@a@h/1 words=3 ext=9 hash=15
382us <0.9.0> s1 receive words=2 ext=9 timeout
383us <0.9.0> s1 send     to=<0.5.0>@a@h/1 words=3 ext=9 hash=16
391us <0.8.0> s1 receive  words=8 ext=9 hash=21
589us <0.8.0> s1 receive words=2 ext=9 timeout
590us <0.8.0> s1 send     to=<0.7.0>@b@h/1 words=3 ext=9 hash=22
--- run
$STROBE analyze A.txt B.txt C.txt -o T.sbp > log 2>&1
$STROBE query T.sbp "SELECT name, clock_error_ns FROM node" --format csv
for w in "" "--since 150us"; do $STROBE report T.sbp messages --format csv --sort count $w | cut -d, -f1,2,7,8 | sort; done
--- out
name,clock_error_ns
a@h,0
b@h,16000
c@h,22500
<0.5.0>,<0.6.0>,1000,1000
<0.5.0>,<0.7.0>,,
<0.7.0>,<0.5.0>,,
<0.7.0>,<0.8.0>,,
<0.8.0>,<0.5.0>,,
<0.8.0>,<0.7.0>,,
<0.9.0>,<0.5.0>,8616500,8616500
sender,receiver,mean_latency_ns,max_latency_ns
<0.5.0>,<0.6.0>,1000,1000
<0.7.0>,<0.5.0>,,
<0.7.0>,<0.8.0>,,
<0.8.0>,<0.5.0>,,
<0.8.0>,<0.7.0>,,
<0.9.0>,<0.5.0>,8616500,8616500
sender,receiver,mean_latency_ns,max_latency_ns
