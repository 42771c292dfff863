Means over time: a value counts for as long as it held, also where ticks did not come; of mailboxes over the samples.
--- trace
0ms   -  - sample  item=run_queue key="1" value=0
0ms   -  - sample  item=utilisation key="1" value=900000
10ms  -  - sample  item=run_queue key="1" value=8
10ms  -  - sample  item=utilisation key="1" value=100000
10ms  -  - sample  item=mailbox key="<0.5.0>" value=10
10ms  -  - sample  item=process_count key="" value=5
90ms  -  - sample  item=ticks_missed key="" value=7
90ms  -  - sample  item=run_queue key="1" value=2
90ms  -  - sample  item=utilisation key="1" value=1000000
90ms  -  - sample  item=mailbox key="<0.5.0>" value=20
100ms -  - sample  item=run_queue key="1" value=2
--- run
$STROBE report T.txt samples 2>/dev/null
--- out
Sampled values: run queues, memory, counts
item           key      samples    least     mean       most  node
mailbox        <0.5.0>        2       10   15.000         20     1
process_count  --             1        5    5.000          5     1
run_queue      1              4        0    6.600          8     1
ticks_missed   --             1        7    7.000          7     1
utilisation    1              3  100,000  900,000  1,000,000     1
