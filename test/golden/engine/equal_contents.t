Equal messages of two nodes that are both on their way may arrive in any order: neither is paired, and both receives count as ambiguous. One that is alone is paired, as are equal ones of one sender; one that was stamped after its receipt, at 900 us, does not shift the next.
--- file A.txt
@meta node=a@h creation=1 boot=7f2c
100us <0.5.0> s1 send to=<0.7.0>@b@h/1 words=3 ext=9 hash=11
500us <0.5.0> s1 send to=<0.7.0>@b@h/1 words=3 ext=9 hash=11
600us <0.5.0> s1 send to=<0.7.0>@b@h/1 words=3 ext=9 hash=12
610us <0.5.0> s1 send to=<0.7.0>@b@h/1 words=3 ext=9 hash=12
901us <0.5.0> s1 send to=<0.7.0>@b@h/1 words=3 ext=9 hash=13
990us <0.5.0> s1 send to=<0.7.0>@b@h/1 words=3 ext=9 hash=13
--- file B.txt
@meta node=b@h creation=1 boot=7f2c
200us <0.7.0> s1 receive words=3 ext=9 hash=11
210us <0.7.0> s1 receive words=3 ext=9 hash=11
520us <0.7.0> s1 receive words=3 ext=9 hash=11
620us <0.7.0> s1 receive words=3 ext=9 hash=12
630us <0.7.0> s1 receive words=3 ext=9 hash=12
900us <0.7.0> s1 receive words=3 ext=9 hash=13
999us <0.7.0> s1 receive words=3 ext=9 hash=13
--- file C.txt
@meta node=c@h creation=1 boot=7f2c
101us <0.9.0> s1 send to=<0.7.0>@b@h/1 words=3 ext=9 hash=11
--- run
$STROBE analyze A.txt B.txt C.txt -o T.sbp > log 2>&1
$STROBE query T.sbp "SELECT sender, sent, received FROM message ORDER BY coalesce(sent, received), sender" --format csv
$STROBE report T.sbp nodes --format csv | cut -d, -f1,9-12
--- out
sender,sent,received
1,0,
3,1000,
,,100000
,,110000
1,400000,420000
1,500000,520000
1,510000,530000
,,800000
1,801000,
1,890000,899000
node,clock_offset_ns,clock_error_ns,clock_conflict_ns,ambiguous
a@h,0,0,,0
b@h,0,0,,3
c@h,0,0,,0
