Nodes of one boot have one clock, whatever their messages say: b's time namespace is an hour ahead, and its heartbeats, equal and 94 ms apart, would pair each with the one before. d's clock is known by its messages with b.
--- file A.txt
@meta node=a@h creation=1 boot=7f2c boot_minus_at_ns=0
99ms  <0.5.0> s1 receive words=2 ext=9 timeout
100ms <0.5.0> s1 send to=<0.7.0>@b@h/1 words=3 ext=9 hash=11
194ms <0.5.0> s1 send to=<0.7.0>@b@h/1 words=3 ext=9 hash=11
288ms <0.5.0> s1 send to=<0.7.0>@b@h/1 words=3 ext=9 hash=11
--- file B.txt
@meta node=b@h creation=1 boot=7f2c boot_minus_at_ns=-3600000000000
3600006010us <0.7.0> s1 receive words=3 ext=9 hash=11
3600100010us <0.7.0> s1 receive words=3 ext=9 hash=11
3600194010us <0.7.0> s1 receive words=3 ext=9 hash=11
3600299000us <0.7.0> s1 receive words=2 ext=9 timeout
3600300000us <0.7.0> s1 send to=<0.8.0>@d@h/1 words=3 ext=9 hash=12
3600300100us <0.7.0> s1 receive words=3 ext=9 hash=13
--- file D.txt
@meta node=d@h creation=1 boot=9e01
500050us <0.8.0> s1 receive words=3 ext=9 hash=12
500060us <0.8.0> s1 send to=<0.7.0>@b@h/1 words=3 ext=9 hash=13
--- run
$STROBE analyze A.txt B.txt D.txt -o T.sbp > log 2>&1
$STROBE query T.sbp "SELECT name, clock_offset_ns, clock_error_ns, boot, boot_ns FROM node" --format csv
$STROBE query T.sbp "SELECT s.node AS f, r.node AS t, received - sent AS took FROM message JOIN process s ON s.id = sender JOIN process r ON r.id = receiver ORDER BY sent" --format csv
for x in A B D; do $STROBE analyze $x.txt -o $x.sbp > log 2>&1; done
$STROBE merge D.sbp B.sbp A.sbp -o M.sbp > log 2>&1
$STROBE query M.sbp "SELECT name, clock_offset_ns, clock_error_ns, boot, boot_ns FROM node" --format csv
$STROBE dump B.txt | head -1
--- out
name,clock_offset_ns,clock_error_ns,boot,boot_ns
a@h,0,0,7f2c,0
b@h,-3600000000000,0,7f2c,-3600000000000
d@h,-200005000,1045000,9e01,0
f,t,took
1,2,10000
1,2,10000
1,2,
2,3,45000
3,2,45000
name,clock_offset_ns,clock_error_ns,boot,boot_ns
a@h,0,0,7f2c,0
b@h,-3600000000000,0,7f2c,-3600000000000
d@h,-200005000,1045000,9e01,0
@meta node=b@h creation=1 boot=7f2c boot_minus_at_ns=-3600000000000
