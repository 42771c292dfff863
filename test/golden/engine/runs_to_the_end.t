Who still runs when the trace ends ran at one moment with others, too.
--- trace
@meta node=a@h creation=1 recorded=procs,running schedulers=2
1000 <0.5.0> 1 in mfa=m:f/0
2000 <0.6.0> 2 in mfa=m:f/0
2000001000 <0.7.0> 1 exists name=x
--- run
$STROBE analyze T.txt -o T.sbp > log 2>&1
$STROBE query T.sbp "SELECT process, start, dur FROM slice" --format csv
$STROBE query T.sbp "SELECT level, peak_running, running_ns FROM pyramid WHERE track = 1 ORDER BY level DESC LIMIT 3" --format csv
$STROBE merge T.sbp -o M.sbp > log 2>&1 && cmp T.sbp M.sbp
--- out
process,start,dur
1,0,2000000000
2,1000,1999999000
level,peak_running,running_ns
31,2,3999999000
30,2,2147482648
30,2,1852516352
