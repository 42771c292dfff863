Sampled mailboxes: the longest of each process, of the process that had the pid at that time; a process without samples has none; a merge keeps them.
--- trace
@meta node=a@h creation=1 schedulers=1 recorded=procs,messages,vm
0ms  <0.4.0> s1 exists   name=init
1ms  <0.4.0> s1 spawn    child=<0.5.0> mfa=m:f/0
1ms  <0.5.0> s1 spawned  parent=<0.4.0> mfa=m:f/0
2ms  <0.4.0> s1 send     to=<0.5.0> words=1 hash=1
3ms  <0.5.0> s1 receive  hash=1
10ms -       -  sample   item=mailbox key="<0.5.0>" value=60001
20ms -       -  sample   item=mailbox key="<0.5.0>" value=60000
20ms -       -  sample   item=mailbox key="<0.9.0>" value=7
20ms -       -  sample   item=run_queue key="<0.4.0>" value=9
25ms <0.5.0> s1 exit     reason=normal
26ms <0.4.0> s1 spawn    child=<0.5.0> mfa=m:f/0
26ms <0.5.0> s1 spawned  parent=<0.4.0> mfa=m:f/0
30ms -       -  sample   item=mailbox key="<0.5.0>" value=0
40ms -       -  sample   item=ticks_missed key="" value=3
--- run
$STROBE analyze T.txt > log 2>&1
$STROBE query T.sbp "SELECT id, pid, max_queue, peak_mailbox FROM process" --format csv
$STROBE query T.sbp "SELECT item, key, value, process FROM sample" --format csv
$STROBE report T.sbp samples
$STROBE merge T.sbp -o M.sbp && cmp T.sbp M.sbp && echo the same
--- out
id,pid,max_queue,peak_mailbox
1,<0.4.0>,0,
2,<0.5.0>,1,60001
3,<0.5.0>,0,0
item,key,value,process
mailbox,<0.5.0>,60001,2
mailbox,<0.9.0>,7,
run_queue,<0.4.0>,9,
mailbox,<0.5.0>,60000,2
mailbox,<0.5.0>,0,3
ticks_missed,,3,
Sampled values: run queues, memory, counts
item          key      samples  least    mean    most  node
mailbox       <0.5.0>        3      0  40,000  60,001     1
mailbox       <0.9.0>        1      7   7.000       7     1
run_queue     <0.4.0>        1      9   9.000       9     1
ticks_missed  --             1      3   3.000       3     1
the same
