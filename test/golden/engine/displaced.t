Where events were lost, a stay ends at the latest when another process is scheduled in on its scheduler, or when the process is scheduled in on another one; from then on its state is unknown. Ports have stays of their own.
--- trace
@meta node=a@h creation=1 schedulers=2
100 <0.5.0> s1 in mfa=m:f/0
105 #Port<0.7> s1 in mfa=command
110 #Port<0.7> s1 out mfa=command
120 <0.6.0> s1 in mfa=m:g/0
130 <0.6.0> s1 out mfa=m:g/0
135 <0.5.0> s1 out mfa=m:f/0
140 <0.5.0> s1 in mfa=m:f/0
150 <0.5.0> s2 in mfa=m:f/0
160 <0.5.0> s2 out mfa=m:f/0
170 <0.6.0> s2 in mfa=m:g/0
180 <0.6.0> s2 out mfa=m:g/0
180 <0.5.0> s2 in mfa=m:f/0
190 <0.5.0> s2 out mfa=m:f/0
195 - - drop class=2 events=3 until=195
--- run
$STROBE analyze T.txt -o P.sbp > log
for t in 1 3; do $STROBE analyze T.txt -o $t.sbp --threads $t > log; cmp P.sbp $t.sbp; done
$STROBE merge P.sbp -o M.sbp > log && cmp P.sbp M.sbp && echo the same
$STROBE query P.sbp "select process, port, scheduler, start, dur from slice order by scheduler, start" --format csv
$STROBE query P.sbp "select process, start, wait_ns + runnable_ns as told_ns, unknown_ns from gap order by process, start" --format csv
$STROBE query P.sbp "select pid, run_ns, unknown_ns, migrations from process order by id" --format csv
--- out
the same
process,port,scheduler,start,dur
1,,1,0,20
,1,1,5,5
2,,1,20,10
1,,1,40,10
1,,2,50,10
2,,2,70,10
1,,2,80,10
process,start,told_ns,unknown_ns
1,20,0,15
1,35,0,5
1,60,0,20
1,90,0,5
2,0,0,20
2,30,0,40
2,80,0,15
pid,run_ns,unknown_ns,migrations
<0.5.0>,50,45,1
<0.6.0>,20,75,1
