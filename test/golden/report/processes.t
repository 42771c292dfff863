--- copy shop.txt
--- run
$STROBE report T.txt processes
$STROBE report T.txt processes --sort wait --limit 1 --format csv
$STROBE report T.txt processes --since 100us --until 200us --format json
COLUMNS=140 $STROBE report T.txt processes --process till
--- out
Processes, by run time
process      run     run%  runnable    wait       gc  dirty  sends  pid
<0.80.0>  501 us  83.50 %   99.0 us    0 ns     0 ns   0 ns      2  <0.80.0>
till      170 us  28.33 %   30.0 us  390 us  10.0 us   0 ns      0  <0.90.0>
process,run_ns,run_ppm,runnable_ns,wait_ns,gc_ns,dirty_ns,unknown_ns,sends,receives,send_words,receive_words,handover_ns,dirty_gc_ns,gc_count,migrations,slices,max_queue,peak_mailbox,runnable_low_ns,runnable_high_ns,spawned,start,end,exit_reason,entry,name,parent,asked_by,node,id,pid
till,170000,283333,30000,390000,10000,0,0,0,2,0,24,0,0,1,1,3,1,,30000,30000,0,10000,,,proc_lib:init_p/5,till,<0.80.0>,,1,2,<0.90.0>
[
  {
    "process": "<0.80.0>",
    "run_ns": 100000,
    "run_ppm": 1000000,
    "runnable_ns": 0,
    "wait_ns": 0,
    "gc_ns": 0,
    "dirty_ns": 0,
    "handover_ns": 0,
    "unknown_ns": 0,
    "entry": null,
    "name": null,
    "parent": null,
    "asked_by": null,
    "node": 1,
    "id": 1,
    "pid": "<0.80.0>"
  },
  {
    "process": "till",
    "run_ns": 90000,
    "run_ppm": 900000,
    "runnable_ns": 10000,
    "wait_ns": 0,
    "gc_ns": 10000,
    "dirty_ns": 0,
    "handover_ns": 0,
    "unknown_ns": 0,
    "entry": "proc_lib:init_p/5",
    "name": "till",
    "parent": "<0.80.0>",
    "asked_by": null,
    "node": 1,
    "id": 2,
    "pid": "<0.90.0>"
  }
]
Processes, by run time
process     run     run%  runnable    wait       gc  dirty  sends  receives  send words  receive words  handover  gc count  slices  pid
till     170 us  28.33 %   30.0 us  390 us  10.0 us   0 ns      0         2           0             24      0 ns         1       3  <0.90.0>
