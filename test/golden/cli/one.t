What is counted once is in the singular.
--- trace
@meta node=a@h creation=1 recorded=procs,running
0     <0.80.0>  s1  in        mfa=shop:main/0
--- run
$STROBE analyze T.txt -o T.sbp | sed 's/ over .*//'
{ printf '@meta node=a@h recorded=procs\n0 <0.80.0> s1 in mfa=m:f/0\n10us <0.80.0> s1 out mfa=m:f/0\n- - - drop class=any events=1\n'; } > lossy.txt
$STROBE analyze lossy.txt -o L.sbp | sed 's/ over .*//'
--- out
T.sbp: 1 event of 1 process
L.sbp: 2 events of 1 process
the trace is damaged in 1 place; the events there are missing
