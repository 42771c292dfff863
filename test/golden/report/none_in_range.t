An empty table says whether the range or the selection is empty. Only for the whole run it says how to record more.
--- trace
@meta node=a@h creation=1 recorded=procs,running,messages schedulers=1
0 <0.5.0> s1 in mfa=m:f/0
1us <0.5.0> s1 send to=<0.6.0> words=3 hash=1
5us <0.5.0> s1 out mfa=m:f/0
6us <0.6.0> s1 in mfa=m:g/0
7us <0.6.0> s1 receive words=3 hash=1
9us <0.6.0> s1 out mfa=m:g/0
--- run
$STROBE analyze T.txt > log
for w in "messages --since 8us" "messages --process 0.5.0 --until 100" "gc"; do $STROBE report T.sbp $w | tail -n 1; done
$STROBE report T.sbp processes --since 8us --until 6us 2>&1
$STROBE query T.sbp "SELECT count(*), total(running_ns) FROM state_by(8000, 6000)" --format csv
--- out
-- none in this range of time
-- none of these processes in this range of time
-- none in this profile; if it was not recorded, use --trace gc
strobe: the range ends before it begins: --since is after --until
count(*),total(running_ns)
0,0
