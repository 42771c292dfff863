Where readiness is inferred, all that depends on it has a value, of the estimate, and bounds: whether the second process was ready is unknown.
--- trace
@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2
0 <0.5.0> s1 in mfa=m:f/0
0 <0.6.0> s2 in mfa=m:g/0
1000000 <0.6.0> s2 out mfa=m:g/0
9000000 <0.6.0> s2 in mfa=m:g/0
10000000 <0.6.0> s2 exit reason=normal
10000000 <0.5.0> s1 exit reason=normal
--- run
$STROBE analyze T.txt -o T.sbp > log 2>&1
$STROBE query T.sbp "SELECT runnable_ns, low_ns, high_ns FROM gap" --format csv
for range in "" "--since 1ms --until 5ms"; do
    COLUMNS=130 $STROBE report T.sbp summary $range | grep -E '^(serial|too few|ready beside|was ready)'
done
COLUMNS=110 $STROBE report T.sbp processes
# bounds are rounded away from the value, so that it is between them
sed 's/^10000000 /11230000 /' T.txt > R.txt
COLUMNS=130 $STROBE report R.txt summary | grep '^serial'
--- out
runnable_ns,low_ns,high_ns
0,0,8000000
serial            at most 80 % of the time one was at work and nobody else was ready, most often <0.5.0>
too few to run    at most 80 % of the time there was less to run than schedulers
ready beside idle at most 80 % of the time a process was ready while a scheduler ran none
was ready         0.00 processes at a time on average (between 0.00 and 0.80), 0 ns summed over processes
serial            unknown (between 0 and 100 %) of the time one was at work and nobody else was ready, most often <0.5.0>
too few to run    unknown (between 0 and 100 %) of the time there was less to run than schedulers
ready beside idle unknown (between 0 and 100 %) of the time a process was ready while a scheduler ran none
was ready         0.00 processes at a time on average (between 0.00 and 1.00), 0 ns summed over processes
Processes, by run time
process      run      run%  runnable  wait  dirty  sends  receives  handover  slices  runnable high  pid
<0.5.0>  10.0 ms  100.00 %      0 ns  0 ns   0 ns      0         0      0 ns       1           0 ns  <0.5.0>
<0.6.0>  2.00 ms   20.00 %      0 ns  0 ns   0 ns      0         0      0 ns       2        8.00 ms  <0.6.0>
-- unknown, and not shown: gc
serial            at most 72 % of the time one was at work and nobody else was ready, most often <0.5.0>
