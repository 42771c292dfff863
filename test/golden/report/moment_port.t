What ran on a scheduler at a moment: a run of a port with its owner and the runs before and after, or a slice of a
process. Another scheduler, and a moment at which nothing ran, have no rows.
--- trace
@meta node=n@h schedulers=2 recorded=procs,running,ports
100 <0.9.0> s1 spawned parent=<0.1.0> mfa=m:start/0
100 <0.9.0> s1 in mfa=m:start/0
200 #Port<0.5> s1 open owner=<0.9.0> driver=tcp_inet
900 <0.9.0> s1 out mfa=m:start/0
1000 #Port<0.5> s2 in mfa=command
1300 #Port<0.5> s2 out mfa=command
1500 #Port<0.5> s1 in mfa=command
1900 #Port<0.5> s1 out mfa=command
2500 #Port<0.5> s2 in mfa=command
2600 #Port<0.5> s2 out mfa=command
3000 <0.9.0> s1 exit reason=normal
--- run
$STROBE analyze T.txt -o T.sbp > log 2>&1
moment() { $STROBE report T.sbp moment "$@" --format csv | tr -d '\r' | cut -d, -f1-4,7,8,13,15-17; echo; }
moment 1 --since 1400ns
moment 2 --since 0 --until 3us
moment 1 --since 300ns
moment 7 --since 300ns
moment 2 --since 2000ns
--- out
relation,state,at,dur,process,other_at,scheduler,text,pid,id
it,port,1400,400,#Port<0.5>,,1,tcp_inet,,
owner,,1400,,m:start/0,1400,,,<0.9.0>,2
before,port,900,300,,,2,,,
after,port,2400,100,,,2,,,

relation,state,at,dur,process,other_at,scheduler,text,pid,id
it,port,900,300,#Port<0.5>,,2,tcp_inet,,
owner,,900,,m:start/0,900,,,<0.9.0>,2
after,port,1400,400,,,1,,,

relation,state,at,dur,process,other_at,scheduler,text,pid,id
it,running,0,800,m:start/0,,1,normal,<0.9.0>,2
woken_by,,,,,,,,,
after,unknown,800,2100,m:start/0,,,,<0.9.0>,2

relation,state,at,dur,process,other_at,scheduler,text,pid,id

relation,state,at,dur,process,other_at,scheduler,text,pid,id

