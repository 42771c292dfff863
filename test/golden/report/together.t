A port at work occupies a scheduler. Moments with less to do than schedulers are counted exactly, however short.
--- trace
@meta node=a@h creation=1 recorded=procs,running,ports schedulers=2
0 <0.5.0> s1 in mfa=m:f/0
1000 #Port<0.1> s2 in mfa=command
5000 #Port<0.1> s2 out mfa=command
6000 <0.5.0> s1 out mfa=m:f/0
6000 <0.6.0> s1 in mfa=m:f/0
6500 <0.7.0> s2 in mfa=m:f/0
6750 <0.7.0> s2 exit reason=normal
8000 <0.6.0> s1 exit reason=normal
8000 #Port<0.1> s2 in mfa=command
9000 #Port<0.1> s2 out mfa=command
10000 <0.5.0> s1 exit reason=normal
--- run
$STROBE analyze T.txt -o T.sbp > log 2>&1
$STROBE report T.sbp summary --format csv | grep -E '^(parallelism|serial|idle|too few)' | cut -d, -f1-3
$STROBE report T.sbp schedulers --format csv | cut -d, -f1-5
$STROBE report T.sbp schedulers --since 4us --until 6600ns --format csv | cut -d, -f1-5
$STROBE report T.sbp ports --since 4us --until 8500ns --format csv | cut -d, -f3-4
--- out
parallelism,825000,ppm
serial,475000,ppm
idle,100000,ppm
too few to run,575000,ppm
scheduler,used_ppm,slice_ns,slices,mean_ns
1,800000,8000,2,4000
2,525000,250,1,250
scheduler,used_ppm,slice_ns,slices,mean_ns
1,1000000,2600,2,1300
2,423076,100,1,100
run_ns,runs
1500,2
