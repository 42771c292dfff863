For a trace without timestamps each section shows what was counted and says that no time is known.
--- trace
@meta node=a@h creation=1 untimed
- <0.5.0> 1 spawned parent=<0.1.0> mfa=m:f/0
- <0.5.0> 1 in mfa=m:f/0
- <0.5.0> 1 send to=<0.6.0> words=4 ext=9 hash=7
- <0.5.0> 1 out mfa=m:f/0
- <0.6.0> 2 in mfa=m:f/0
- <0.6.0> 2 receive words=4 ext=9 hash=7
- <0.6.0> 2 out mfa=m:f/0
--- run
$STROBE analyze T.txt -o T.sbp > log 2>&1
for s in summary processes tree schedulers activity messages; do $STROBE report T.sbp $s; done
--- out
What ran
node              a@h
length            -- (the trace has no time stamps: counts are shown, times are
                  unknown)
processes         3, 7 events
messages          1 sent, 1 received; 4 words in all
Processes
process  sends  receives  send words  receive words  migrations  slices  pid
<0.1.0>     --        --          --             --          --      --  <0.1.0>
m:f/0        1         0           4              0           0       1  <0.5.0>
<0.6.0>      0         1           0              4           0       1  <0.6.0>
-- unknown, and not shown: run, run%, runnable, wait, gc
-- times are unknown: the trace has no time stamps
Process tree, with siblings of the same entry folded
group      processes  sends  receives  representative
(unknown)          1     --        --  <0.1.0>
  m:f/0            1      1         0  <0.5.0>
(unknown)          1      0         1  <0.6.0>
-- unknown, and not shown: run, below
-- times are unknown: the trace has no time stamps
Schedulers
scheduler  slices
1               1
2               1
-- unknown, and not shown: used%, over time, on cpu
-- times are unknown: the trace has no time stamps
Running processes over time
-- none in this profile; if it was not recorded, use --trace running
-- times are unknown: the trace has no time stamps
Messages, by sender and receiver
sender  senders  receiver  receivers  count  total words  mean words  max words
m:f/0         1  <0.6.0>           1      1            4           4          4
-- unknown, and not shown: mean latency
-- times are unknown: the trace has no time stamps
