A trace without timestamps keeps the order of its file: events are counted, a name belongs to the process that had it then, and every time is unknown. It cannot be merged.
--- trace
@meta node=a@h creation=1 untimed
- <0.5.0> 1 in mfa=m:f/0
- <0.5.0> 1 register name=boss
- <0.5.0> 1 gc_minor_start heap=10
- <0.5.0> 1 gc_minor_end heap=5
- <0.6.0> 2 send to=boss words=4 ext=9 hash=7
- <0.5.0> 1 gc_minor_start heap=10
- <0.5.0> 1 gc_minor_end heap=5
- <0.5.0> 1 unregister name=boss
- <0.5.0> 1 out mfa=m:f/0
- <0.5.0> 2 in mfa=m:f/0
- <0.5.0> 2 receive words=4 ext=9 hash=7
- <0.5.0> 2 exit reason=normal
--- run
$STROBE analyze T.txt -o T.sbp > log 2>&1
$STROBE query T.sbp "SELECT pid, slices, migrations, gc_count, sends, receives, end, run_ns, wait_ns, gc_ns FROM process"
$STROBE query T.sbp "SELECT sender, receiver, count, matched, latency_ns, first FROM message_edge"
$STROBE query T.sbp "SELECT value FROM meta WHERE key = 'time'" --format csv
$STROBE dump T.txt | head -2
$STROBE merge T.sbp -o M.sbp 2>&1
--- out
pid      slices  migrations  gc_count  sends  receives  end  run_ns  wait_ns  gc_ns
<0.5.0>       2           1         2      0         1   --      --       --     --
<0.6.0>       0           0         0      1         0   --      --       --     --
sender  receiver  count  matched  latency_ns  first
     2         1      1        1          --     --
value
"none, in the order of the file"
@meta node=a@h creation=1 untimed
- <0.5.0> 1 in mfa=m:f/0
strobe: T.sbp: has no time stamps, so it cannot be merged with others: record with time stamps
--- exit 1
