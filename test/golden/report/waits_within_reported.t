The VM reports waits as a process becomes inactive and active. The profile has only their sums, so a range is refused.
--- trace
@meta node=a@h creation=1 recorded=procs,running schedulers=1
0 <0.5.0> s1 in mfa=m:f/0
5us <0.5.0> s1 out mfa=m:f/0
5us <0.5.0> - profile_inactive mfa=m:f/0
9us <0.5.0> - profile_active mfa=m:f/0
9us <0.5.0> s1 in mfa=m:f/0
--- run
$STROBE report T.txt waits --format csv | cut -d, -f1-5
$STROBE report T.sbp waits --since 1us
--- out
process,function,count,total_ns,mean_ns
<0.5.0>,m:f/0,1,4000,4000
--- err
strobe: SQL: wait_by: the VM reported the waits of this trace, and the profile has their sums over the whole run only; state_by(t0, t1) has the waiting time of each process
--- exit 1
