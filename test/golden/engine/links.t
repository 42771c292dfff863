The end of a process wakes those that are linked to it, and not those that were: what an unlinking leaves free, the next link takes.
--- trace
@meta node=n@h schedulers=2 recorded=procs,running,messages
0 <0.1.0> s1 waits mfa=m:wait/0 kind=1
0 <0.1.0> s1 spawn child=<0.9.0> mfa=m:main/0
0 <0.1.0> s1 spawn child=<0.11.0> mfa=m:part/0
0 <0.1.0> s1 spawn child=<0.12.0> mfa=m:part/0
0 <0.1.0> s1 spawn child=<0.13.0> mfa=m:part/0
100 <0.9.0> s1 in mfa=m:main/0
110 <0.9.0> s1 link to=<0.11.0>
120 <0.9.0> s1 link to=<0.12.0>
130 <0.9.0> s1 unlink to=<0.11.0>
140 <0.9.0> s1 link to=<0.13.0>
150 <0.9.0> s1 unlink to=<0.12.0>
160 <0.9.0> s1 link to=<0.11.0>
200 <0.9.0> s1 out mfa=m:wait/0
1000 <0.12.0> s2 in mfa=m:part/0
1100 <0.12.0> s2 exit reason=normal
1150 <0.9.0> s1 in mfa=m:wait/0
1200 <0.9.0> s1 out mfa=m:wait/0
2000 <0.13.0> s2 in mfa=m:part/0
2100 <0.13.0> s2 exit reason=normal
2150 <0.9.0> s1 in mfa=m:wait/0
2200 <0.9.0> s1 out mfa=m:wait/0
3000 <0.11.0> s2 in mfa=m:part/0
3100 <0.11.0> s2 exit reason=normal
3150 <0.9.0> s1 in mfa=m:wait/0
3200 <0.9.0> s1 exit reason=normal
--- run
$STROBE query T.txt "SELECT gap.start, cause, w.pid AS waker FROM gap JOIN process p ON p.id = gap.process LEFT JOIN process w ON w.id = waker WHERE p.pid = '<0.9.0>'" --format csv
--- out
start,cause,waker
0,spawn,
200,unknown,
1200,exit,<0.13.0>
2200,exit,<0.11.0>
