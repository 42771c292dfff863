A profile is not taken for a bad trace.
--- trace
@meta node=a@h creation=1
0 <0.5.0> s1 in  mfa=m:f/0
10 <0.5.0> s1 out mfa=m:f/0
--- run
$STROBE analyze T.txt -o P.sbp > log 2>&1
$STROBE analyze P.sbp -o Q.sbp; echo "$?"; ls
--- out
1
P.sbp
T.txt
log
