Two nodes lost events: one knows when, the other only how many. Everybody tells of both, also after a merge. What a trace
states in sum is not added to what its events say.
--- file a.txt
@meta node=a@h schedulers=2 recorded=procs,messages
1000 <0.85.0> s1 send to=<0.90.0> words=5
2000 <0.85.0> s1 drop events=7 class=1 until=100
3000 <0.85.0> s1 send to=<0.90.0> words=5
--- file b.txt
@meta node=b@h schedulers=2 recorded=procs,messages lost.messages=5000
1000 <0.85.0> s1 send to=<0.90.0> words=5
3000 <0.85.0> s1 send to=<0.90.0> words=5
--- run
$STROBE analyze a.txt b.txt -o P.sbp | grep lost
$STROBE query P.sbp "SELECT node, class, events, at FROM loss" --format csv 2> err
$STROBE info P.sbp --format json | tr -d ' \n' | grep -o '"loss":{[^}]*}'
$STROBE report P.sbp summary --format csv 2> err | grep -o '^LOST,[0-9]*'
$STROBE report P.sbp | head -n 1 | cut -d. -f1
$STROBE merge P.sbp -o M.sbp | grep lost
$STROBE query M.sbp "SELECT node, class, events, at FROM loss" --format csv 2> err
--- out
5007 events were lost during the recording; see table loss
node,class,events,at
1,procs,7,1000
2,messages,5000,
"loss":{"messages":5000,"procs":7}
LOST,5007
What is missing
node,class,events,at
1,procs,7,1000
2,messages,5000,
