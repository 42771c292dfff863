Across a loss the state of a process is unknown until its next event.
--- trace
100 <0.5.0> 1 in mfa=m:f/0
110 <0.5.0> 1 out mfa=m:f/0
120 <0.5.0> 1 in mfa=m:f/0
130 - - drop events=5 until=20
170 <0.5.0> 1 in mfa=m:f/0
180 <0.5.0> 1 out mfa=m:f/0
190 <0.5.0> 1 in mfa=m:f/0
200 <0.5.0> 1 out mfa=m:f/0
--- run
$STROBE analyze T.txt -o P.sbp | sed 1d
$STROBE query P.sbp "select run_ns, unknown_ns, slices from process" --format csv
$STROBE query P.sbp "select class, events, at from loss" --format csv
--- out
5 events were lost during the recording; see table loss
run_ns,unknown_ns,slices
40,60,4
class,events,at
any,5,30
