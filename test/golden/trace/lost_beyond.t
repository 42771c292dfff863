Amounts that no number holds: the sum of what was lost, and the time from the first event to the last.
--- trace
@meta node=a@host schedulers=1 recorded=procs,running
-9223372036854775806 <0.1.0> s1 in mfa=m:f/0
0 <0.1.0> s1 drop events=9223372036854775807 class=1
1 <0.1.0> s1 drop events=9223372036854775807 class=1
9223372036854775800 <0.1.0> s1 out mfa=m:f/0
--- run
$STROBE info T.txt | grep -E '^(time|lost)'
$STROBE analyze T.txt -o P.sbp 2>&1 | grep lost
$STROBE report P.sbp loss --format csv
--- out
time                 9223372037 s
lost                 9,223,372,036,854,775,807 events of procs
9223372036854775807 events were lost during the recording; see table loss
class,events,bytes,stream,at,node
procs,9223372036854775807,,,2305843009213693951,1
procs,9223372036854775807,,,2305843009213693952,1
