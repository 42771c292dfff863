One process works nearly all the time: its waits are no share that could be named.
--- trace
@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2
0us     <0.5.0> s1 in mfa=m:f/0
10000us <0.5.0> s1 out mfa=timer:sleep/1
10020us <0.5.0> s1 in mfa=timer:sleep/1
10021us <0.5.0> s1 receive words=1 timeout
20000us <0.5.0> s1 exit reason=normal
--- run
export XDG_CACHE_HOME=$PWD # no constants of this machine
COLUMNS=120 $STROBE predict T.txt --cores 2 2>/dev/null | grep -A1 ^parallelism
--- out
parallelism    1.00: work divided by the longest chain
contention     messages cost little beside the work
