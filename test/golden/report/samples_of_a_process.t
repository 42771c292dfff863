Of a process, only its mailbox is sampled; samples of the whole node are none of its own.
--- trace
@meta node=a@h creation=1 recorded=procs,running,vm schedulers=2
0ms   <0.5.0>  s1  in mfa=m:f/0
0ms   <0.6.0>  s2  in mfa=m:g/0
10ms  -  - sample  item=run_queue key="1" value=8
10ms  -  - sample  item=mailbox key="<0.5.0>" value=10
20ms  -  - sample  item=mailbox key="<0.5.0>" value=20
20ms  -  - sample  item=mailbox key="<0.6.0>" value=3
30ms  <0.5.0>  s1  out mfa=m:f/0
--- run
$STROBE analyze T.txt > log
$STROBE report T.sbp samples --process 0.5.0 --format csv
$STROBE report T.sbp samples --process 0.5.0 --since 15ms --format csv | tail -n 1
--- out
item,key,samples,least,mean,most,node
mailbox,<0.5.0>,2,10,15,20,1
mailbox,<0.5.0>,1,20,20,20,1
