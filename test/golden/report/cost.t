The cost of recording: estimated in the node, and measured beside it; unknown if the trace does not record the node's part;
said with the findings where it is a tenth of the CPU time or more.
--- file both.txt
@meta schedulers=1 node_cpu_ns=2000 drain_cpu_ns=1000
0ms    <0.5.0> s1 in      mfa=m:f/0
1ms    <0.5.0> s1 out     mfa=m:f/0
--- file drain.txt
@meta schedulers=1 drain_cpu_ns=1000
0ms    <0.5.0> s1 in      mfa=m:f/0
1ms    <0.5.0> s1 out     mfa=m:f/0
--- file none.txt
@meta schedulers=1
0ms    <0.5.0> s1 in      mfa=m:f/0
1ms    <0.5.0> s1 out     mfa=m:f/0
--- run
for t in both drain none; do echo "== $t"; $STROBE report $t.txt 2>/dev/null | sed -n '/^cost/,/^$/{/^$/!p}'; done
echo "@meta schedulers=1 node_cpu_ns=300000 drain_cpu_ns=1000" > slow.txt; tail -n +2 both.txt >> slow.txt
sed s/300000/3000000/ slow.txt > vast.txt
for t in slow vast; do $STROBE report $t.txt 2>/dev/null | sed -n '/^note/,/^$/{/^$/!p}'; done
$STROBE merge both.sbp -o M.sbp && $STROBE query M.sbp "SELECT * FROM meta WHERE key LIKE '%_cpu_ns'"
--- out
== both
cost of tracing   about 2.00 us of CPU in the node (events of 1000 ns each, as
                  measured beforehand) and 1.00 us to write the trace; starting
                  to record and sampling are not included
== drain
cost of tracing   1.00 us of CPU to write the trace; the node's own part is
                  unknown
== none
note: recording took about 30 % of the time that processes ran (300 us of
      1.00 ms): the program takes less without it, and what causes many events
      looks costlier than it is
note: recording took about all of the time that processes ran (by an estimate
      3.00 ms of 1.00 ms): the program takes less without it, and what causes
      many events looks costlier than it is
key           value
node_cpu_ns   2000
drain_cpu_ns  1000
