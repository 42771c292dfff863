Without receive events, as in a trace of `running` alone, it cannot be learned which functions wait: the state of a process that is scheduled out is unknown, unless it exits or has just been spawned.
--- file T.txt
@meta node=a@h creation=1
0 <0.2.0> 1 spawned parent=<0.1.0> mfa=m:s/0
1us <0.2.0> 1 in mfa=m:s/0
2us <0.2.0> 1 out mfa=m:w/0
5000us <0.2.0> 1 in mfa=m:w/0
5010us <0.2.0> 1 out mfa=m:c/0
5020us <0.2.0> 1 in mfa=m:c/0
5030us <0.2.0> 1 out mfa=erlang:hibernate/3
9000us <0.2.0> 1 in mfa=erlang:hibernate/3
9001us <0.2.0> 1 out mfa=m:w/0
9002us <0.2.0> 1 in mfa=m:w/0
9003us <0.2.0> 1 exit reason=normal
--- run
$STROBE analyze T.txt -o P.sbp > log 2>&1
$STROBE query P.sbp "SELECT start, wait_ns, runnable_ns, unknown_ns, low_ns, high_ns, cause FROM gap WHERE process = 2" --format csv
$STROBE merge P.sbp -o M.sbp > log 2>&1 && cmp P.sbp M.sbp && echo same
--- out
start,wait_ns,runnable_ns,unknown_ns,low_ns,high_ns,cause
0,0,1000,0,1000,1000,spawn
2000,0,0,4998000,0,4998000,unknown
5010000,0,0,10000,0,10000,unknown
5030000,3968000,2000,0,0,3970000,unknown
9001000,0,0,1000,0,1000,unknown
same
