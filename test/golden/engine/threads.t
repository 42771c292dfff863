Readings of the VM's threads: sums are from the first to the last, the length of the trace does not follow from them, an unrecorded value is NULL, a wait for a CPU that began before the first counts from there, a thread that ends while it is read keeps its name, and a merge keeps them.
--- file A.txt
@meta node=a@h creation=1 otp=27 schedulers=4 schedulers_online=3 recorded=procs,running
1000ms <0.5.0> s1 in      mfa=m:f/0
1001ms -       -  cpus    cores=2 quota=1500000
1001ms -       -  thread  name="1_scheduler" tid=11 cpu=5000000 queue=1000000 voluntary=10 involuntary=4294967290
1001ms -       -  thread  name="erts_dios_10" tid=12 cpu=70 queue=7
1001ms -       -  thread  name="async_1" tid=13 cpu=0 queue=0 voluntary=1 involuntary=0
1001ms -       -  thread  name="1_scheduler" tid=14 cpu=0 queue=0 voluntary=1 involuntary=0
1100ms -       - thread   name="1_scheduler" tid=11 cpu=65000000 queue=31000000 voluntary=12 involuntary=2
1200ms <0.5.0> s1 out     mfa=m:f/0
1210ms -       - thread   name="1_scheduler" tid=11 cpu=105000000 queue=91000000 voluntary=13 involuntary=9
1210ms -       - thread   name="" tid=12 cpu=90 queue=260000000
1210ms -       - thread   name="async_1" tid=13 cpu=0 queue=0 voluntary=1 involuntary=0
1210ms -       - thread   name="1_scheduler" tid=14 cpu=0 queue=0 voluntary=1 involuntary=0
--- file B.txt
@meta node=b@h creation=1 otp=27 schedulers=1
1000ms <0.7.0> s1 in       mfa=m:g/0
1300ms <0.7.0> s1 out      mfa=m:g/0
--- run
$STROBE analyze A.txt B.txt -o once.sbp > log 2>&1
$STROBE analyze A.txt -o A.sbp > log 2>&1 && $STROBE analyze B.txt -o B.sbp > log 2>&1
$STROBE merge B.sbp A.sbp -o M.sbp && cmp once.sbp M.sbp && $STROBE merge M.sbp -o M2.sbp && cmp M.sbp M2.sbp && echo the same
$STROBE query M.sbp "SELECT name, schedulers, schedulers_online, cores, cpu_quota_ppm FROM node"
$STROBE query A.sbp "SELECT * FROM thread" --format csv
$STROBE query A.sbp "SELECT * FROM thread_sample WHERE tid = 11" --format csv
$STROBE query A.sbp "SELECT value AS span_ns FROM meta WHERE key = 'span_ns'"
$STROBE query B.sbp "SELECT count(*) AS threads FROM thread"
--- out
the same
name  schedulers  schedulers_online  cores  cpu_quota_ppm
a@h            4                  3      2       150.00 %
b@h            1                 --     --             --
node,tid,name,kind,scheduler,start,end,cpu_ns,queue_ns,voluntary,involuntary
1,11,1_scheduler,normal,1,1000000,210000000,100000000,90000000,3,14
1,12,erts_dios_10,dirty_io,,1000000,210000000,20,208999980,,
1,13,async_1,other,,1000000,210000000,0,0,0,0
1,14,1_scheduler,other,,1000000,210000000,0,0,0,0
node,tid,at,cpu_ns,queue_ns,voluntary,involuntary
1,11,1000000,0,0,0,0
1,11,100000000,60000000,30000000,2,7
1,11,210000000,100000000,90000000,3,14
span_ns
200000000
threads
      0
