A process that hibernates waits, even if the code server reports that erlang:hibernate/3 has no receive and its first action afterwards is a call; a yield in a function that may do either bounds the runnable time from above only.
--- file T.txt
@meta node=a@h creation=1
1us <0.2.0> s1 waits mfa=erlang:hibernate/3 kind=0
1us <0.2.0> s1 waits mfa=erlang:bif_return_trap/2 kind=2
1us <0.2.0> s1 in mfa=m:f/0
2us <0.2.0> s1 out mfa=erlang:hibernate/3
20000002us <0.2.0> s1 in mfa=erlang:hibernate/3
20000003us <0.2.0> s1 call mfa=m:g/0
20000005us <0.2.0> s1 out mfa=erlang:bif_return_trap/2
20000009us <0.2.0> s1 in mfa=erlang:bif_return_trap/2
20000010us <0.2.0> s1 call mfa=m:g/0
20000012us <0.2.0> s1 receive words=1 ext=9 timeout
20000013us <0.2.0> s1 exit reason=normal
--- run
$STROBE analyze T.txt -o P.sbp > log 2>&1
$STROBE query P.sbp "SELECT wait_ns, runnable_ns, low_ns, high_ns, cause FROM gap" --format csv
$STROBE merge P.sbp -o M.sbp > log 2>&1 && cmp P.sbp M.sbp && echo same
$STROBE report P.sbp | sed -n '/waited for a scheduler/p'
--- out
wait_ns,runnable_ns,low_ns,high_ns,cause
19999998000,2000,0,20000000000,unknown
0,4000,0,4000,preempted
same
