An export of a range says which of its parts are of the whole run.
--- trace
@meta node=a@h creation=1 recorded=procs,running,messages
0     <0.80.0>  s1  spawn     child=<0.81.0> mfa=shop:till/0
0     <0.80.0>  s1  in        mfa=shop:main/0
10us  <0.80.0>  s1  out       mfa=shop:main/0
20us  <0.80.0>  s1  in        mfa=shop:main/0
30us  <0.80.0>  s1  out       mfa=shop:main/0
--- run
$STROBE analyze T.txt -o T.sbp > log 2>&1
range() { $STROBE export T.sbp --since 15us --until 40us "$@" 2>&1; }
range --to csv -o folder; wc -l < folder/slice.csv
range --to csv --table process -o -
range --to csv --table slice -o -
range --to parquet --table process -o process.parquet
range --to dot -o -
range --to dot --what messages -o - > messages.dot && echo narrowed
$STROBE export T.sbp --to csv --table process -o process.csv
--- out
strobe: --since and --until narrow only tables whose rows have a time: process, function and the like are of the whole run
2
id,node,pid,name,label,entry,parent,start,end,exit_reason,group_id,run_ns,runnable_ns,wait_ns,gc_ns,dirty_ns,unknown_ns,gc_count,sends,send_words,send_ext_bytes,receives,receive_words,receive_ext_bytes,timeouts,timeout_ext_bytes,migrations,runnable_low_ns,runnable_high_ns,slices,spawn_mfa,spawned,first_seen,last_seen,reclaimed_words,peak_heap_words,max_queue,handover_ns,dirty_gc_ns,send_at_least,receive_at_least,peak_mailbox,asked_by
1,1,<0.80.0>,,,,,,,,1,20000,0,0,,0,10000,,0,,,0,,,0,,0,0,10000,2,,1,0,30000,,,0,0,,,,,
2,1,<0.81.0>,,,shop:till/0,1,0,,,2,,,,,,,,,,,,,,,,,,,,shop:till/0,,0,,,,,,,,,,
strobe: --since and --until narrow only tables whose rows have a time: process, function and the like are of the whole run
process,scheduler,start,dur,in_function,out_function,kind,port
1,1,20000,10000,shop:main/0,shop:main/0,normal,
strobe: --since and --until narrow only tables whose rows have a time: process, function and the like are of the whole run
digraph "strobe processes" {
  graph [rankdir=LR];
  node [shape=box, fontname="monospace"];
  n1 [label="<0.80.0>\n20.0 us"];
  n2 [label="<0.81.0> shop:till/0"];
  n1 -> n2;
}
strobe: the tree of processes is of the whole run: --since and --until narrow --what messages
narrowed
