The VM may stamp that a process became runnable before it stamps that it was spawned. The life of the process begins with
its spawn, and so does the time that it was runnable.
--- trace
@meta node=n@h schedulers=1 recorded=procs,running,messages
0     <0.8.0>  -  profile_active mfa=m:f/0
0     <0.8.0>  s1 in mfa=m:f/0
1000  <0.9.0>  -  profile_active mfa=m:g/0
1100  <0.8.0>  s1 spawn child=<0.9.0> mfa=m:g/0
1200  <0.9.0>  s1 spawned parent=<0.8.0> mfa=m:g/0
1500  <0.8.0>  s1 out mfa=m:f/0
1500  <0.8.0>  -  profile_inactive mfa=m:f/0
1700  <0.9.0>  s1 in mfa=m:g/0
1900  <0.9.0>  s1 exit reason=normal
1900  <0.9.0>  s1 out_exited
--- run
$STROBE analyze T.txt -o T.sbp > log 2>&1
$STROBE query T.sbp --format csv "SELECT start, \"end\", run_ns, runnable_ns, wait_ns, unknown_ns FROM process WHERE pid = '<0.9.0>'"
--- out
start,end,run_ns,runnable_ns,wait_ns,unknown_ns
1200,1900,200,500,0,0
