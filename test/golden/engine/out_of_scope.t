Processes outside the capture have no recorded state: <0.2.0> existed and is not recorded, <0.7.0> was started by a recorded process, <0.8.0> received a message. <0.3.0> is recorded and slept all the time. A mark and a label say nothing about the state of a process.
--- trace
@meta node=a@h creation=1 schedulers=1 recorded=procs,running,messages,gc
0 <0.2.0> s1 exists name=driver entry=m:d/0 status=6
0 <0.3.0> s1 exists entry=m:s/0 status=0
0 <0.5.0> s1 exists entry=m:f/0 status=0
0 <0.5.0> s1 waits mfa=m:w/0 kind=1
1000000 <0.5.0> s1 in mfa=m:w/0
1100000 <0.5.0> s1 spawn child=<0.7.0> mfa=m:c/0
1200000 <0.5.0> s1 send to=<0.8.0> words=4 hash=7
1300000 <0.2.0> s2 mark text="here"
1500000 <0.5.0> s1 out mfa=m:w/0
9000000 <0.5.0> s1 in mfa=m:w/0
10000000 <0.5.0> s1 out mfa=m:w/0
10000000 <0.2.0> s1 label text="a label"
--- run
$STROBE analyze T.txt -o T.sbp > log 2>&1
$STROBE query T.sbp "SELECT pid, run_ns, wait_ns, unknown_ns, sends, receives, gc_ns, last_seen FROM process" --format csv
$STROBE query T.sbp "SELECT representative, run_ns, wait_ns, sends FROM process_group" --format csv
$STROBE query T.sbp "SELECT pid, state, sum(dur) AS dur FROM state JOIN process ON id = process GROUP BY 1, 2" --format csv
$STROBE report T.sbp processes
$STROBE merge T.sbp -o M.sbp > log 2>&1 && $STROBE query M.sbp "SELECT pid, run_ns, sends, label FROM process" --format csv
$STROBE report T.sbp summary | sed '/^$/,$d'
--- out
pid,run_ns,wait_ns,unknown_ns,sends,receives,gc_ns,last_seen
<0.2.0>,,,,,,,
<0.3.0>,0,10000000,0,0,0,0,0
<0.5.0>,1500000,8496000,0,1,0,0,10000000
<0.7.0>,,,,,,,
<0.8.0>,,,,,,,
representative,run_ns,wait_ns,sends
1,,,
2,0,10000000,0
3,1500000,8496000,1
5,,,
4,,,
pid,state,dur
<0.3.0>,waiting,10000000
<0.5.0>,runnable,4000
<0.5.0>,running,1500000
<0.5.0>,waiting,8496000
Processes, by run time
process      run     run%  runnable     wait    gc  runnable low  pid
m:f/0    1.50 ms  15.00 %   4.00 us  8.50 ms  0 ns          0 ns  <0.5.0>
m:s/0       0 ns   0.00 %      0 ns  10.0 ms  0 ns          0 ns  <0.3.0>
driver        --       --        --       --    --            --  <0.2.0>
m:c/0         --       --        --       --    --            --  <0.7.0>
<0.8.0>       --       --        --       --    --            --  <0.8.0>
pid,run_ns,sends,label
<0.2.0>,,,a label
<0.3.0>,0,0,
<0.5.0>,1500000,1,
<0.7.0>,,,
<0.8.0>,,,
What is missing
NOT RECORDED      1 process existed and was not recorded: the figures below are
                  of the others, and whether a scheduler was idle is unknown
