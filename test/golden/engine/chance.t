What is left over on both sides may pair by chance (two messages of hash 77 here, the second sent after the first was received): such a receiver bounds no clock.
--- file A.txt
@meta node=a@h creation=1
10us <0.5.0> s1 send to=<0.7.0>@b@h/1 words=3 hash=100
11us <0.5.0> s1 send to=<0.7.0>@b@h/1 words=3 hash=101
12us <0.5.0> s1 send to=<0.7.0>@b@h/1 words=3 hash=102
13us <0.5.0> s1 send to=<0.7.0>@b@h/1 words=3 hash=103
14us <0.5.0> s1 send to=<0.7.0>@b@h/1 words=3 hash=104
15us <0.5.0> s1 send to=<0.7.0>@b@h/1 words=3 hash=105
16us <0.5.0> s1 send to=<0.7.0>@b@h/1 words=3 hash=106
17us <0.5.0> s1 send to=<0.7.0>@b@h/1 words=3 hash=107
18us <0.5.0> s1 send to=<0.7.0>@b@h/1 words=3 hash=108
19us <0.5.0> s1 send to=<0.7.0>@b@h/1 words=3 hash=109
20us <0.5.0> s1 send to=<0.7.0>@b@h/1 words=3 hash=10a
21us <0.5.0> s1 send to=<0.7.0>@b@h/1 words=3 hash=10b
40us <0.5.0> s1 send to=<0.7.0>@b@h/1 words=3 hash=77
60us <0.5.0> s1 receive words=3 hash=88
--- file B.txt
@meta node=b@h creation=1
12us <0.7.0> s1 receive words=3 hash=200
13us <0.7.0> s1 receive words=3 hash=201
14us <0.7.0> s1 receive words=3 hash=202
15us <0.7.0> s1 receive words=3 hash=203
16us <0.7.0> s1 receive words=3 hash=204
17us <0.7.0> s1 receive words=3 hash=205
18us <0.7.0> s1 receive words=3 hash=206
19us <0.7.0> s1 receive words=3 hash=207
20us <0.7.0> s1 receive words=3 hash=208
21us <0.7.0> s1 receive words=3 hash=209
22us <0.7.0> s1 receive words=3 hash=20a
23us <0.7.0> s1 receive words=3 hash=20b
13us <0.7.0> s1 receive words=3 hash=77
50us <0.7.0> s1 send to=<0.5.0>@a@h/1 words=3 hash=88
--- run
$STROBE analyze A.txt B.txt -o P.sbp > log 2>&1
$STROBE query P.sbp "SELECT name, clock_offset_ns, clock_error_ns FROM node" --format csv
--- out
name,clock_offset_ns,clock_error_ns
a@h,0,0
b@h,0,
