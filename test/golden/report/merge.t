Two nodes analysed apart, then merged; and a profile merged with nothing is itself.
--- file A.txt
@meta node=a@host schedulers=2
0     <0.80.0>  s1  in    mfa=shop:main/0
100us <0.80.0>  s1  send  to=<0.81.0> words=12
100us <0.81.0>  s2  in    mfa=till:loop/1
101us <0.81.0>  s2  receive words=12
200us <0.81.0>  s2  out   mfa=till:loop/1
300us <0.80.0>  s1  out   mfa=shop:main/0
--- file B.txt
@meta node=b@host schedulers=1
50us  <0.80.0>  s1  in    mfa=shop:other/0
150us <0.80.0>  s1  gc_minor_start heap=233
160us <0.80.0>  s1  gc_minor_end   heap=100
200us <0.80.0>  s1  out   mfa=shop:main/0
400us <0.80.0>  s1  in    mfa=shop:main/0
450us <0.80.0>  s1  exit  reason=normal
--- run
$STROBE merge A.txt B.txt -o M.sbp
$STROBE query M.sbp "SELECT node.name, pid, process.start, process.end, run_ns, runnable_ns, gc_ns, sends, slices FROM process JOIN node ON node.id = process.node ORDER BY process.id"
$STROBE query M.sbp "SELECT node, process, scheduler, slice.start, dur, in_function FROM slice JOIN process ON process.id = slice.process ORDER BY slice.start, node"
$STROBE query M.sbp "SELECT level, sum(running_ns), sum(gc_ns), max(longest_ns), max(peak_running) FROM pyramid JOIN track ON track.id = track WHERE kind = 'all' GROUP BY level HAVING level > 17"
$STROBE query M.sbp "SELECT * FROM meta WHERE key IN ('events', 'span_ns', 't0_ns')"
$STROBE merge A.sbp -o A2.sbp
for s in processes tree schedulers waits messages; do $STROBE report A.sbp $s > 1; $STROBE report A2.sbp $s > 2; cmp 1 2; done
$STROBE merge A.sbp
--- out
name    pid       start         end  run_ns  runnable_ns    gc_ns  sends  slices
a@host  <0.80.0>     --          --  300 us         0 ns     0 ns      1       1
b@host  <0.80.0>     --  0.000450 s  200 us       200 us  10.0 us      0       2
a@host  <0.81.0>     --          --  100 us         0 ns     0 ns      0       1
node  process  scheduler       start      dur  in_function
   1        1          1  0.000000 s   300 us  shop:main/0
   2        2          3  0.000050 s   150 us  shop:other/0
   1        3          2  0.000100 s   100 us  till:loop/1
   2        2          3  0.000400 s  50.0 us  shop:main/0
level  sum(running_ns)  sum(gc_ns)  max(longest_ns)  max(peak_running)
   18          590,000      10,000          300,000                  3
   19          590,000      10,000          300,000                  3
key      value
span_ns  450000
t0_ns    0
events   12
--- err
strobe: no output given with -o: see strobe merge --help
--- exit 2
