A pid that is used again is another process; what was sent to the first is not the second's.
--- trace
100 <0.5.0> 1 in mfa=m:f/0
110 <0.5.0> 1 spawn child=<0.9.0> mfa=m:w/0
112 <0.9.0> 1 spawned parent=<0.5.0> mfa=m:w/0
115 <0.5.0> 1 send to=<0.9.0> words=3 ext=9 hash=1
120 <0.9.0> 2 in mfa=m:w/0
121 <0.9.0> 2 receive words=3 ext=9 hash=1
125 <0.9.0> 2 exit reason=normal
126 <0.9.0> 2 out_exited
150 <0.5.0> 1 spawn child=<0.9.0> mfa=m:x/0
151 <0.9.0> 1 spawned parent=<0.5.0> mfa=m:x/0
155 <0.5.0> 1 send to=<0.9.0> words=3 ext=9 hash=2
160 <0.9.0> 2 in mfa=m:x/0
165 <0.9.0> 2 receive words=3 ext=9 hash=2
170 <0.9.0> 2 out mfa=m:x/0
--- run
$STROBE analyze T.txt -o P.sbp >/dev/null
$STROBE query P.sbp "select id, pid, entry, parent, start, end, run_ns, runnable_ns from process" --format csv
$STROBE query P.sbp "select sender, receiver, count, matched, latency_ns from message_edge" --format csv
--- out
id,pid,entry,parent,start,end,run_ns,runnable_ns
1,<0.5.0>,,,,,70,0
2,<0.9.0>,m:w/0,1,12,25,5,8
3,<0.9.0>,m:x/0,1,51,,10,9
sender,receiver,count,matched,latency_ns
1,2,1,1,6
1,3,1,1,10
