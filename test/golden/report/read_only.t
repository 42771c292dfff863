A profile that cannot be written beside its trace can be written elsewhere. (A folder in its place fails for root too.)
--- trace
@meta node=a@h creation=1
0 <0.5.0> s1 in  mfa=m:f/0
10 <0.5.0> s1 out mfa=m:f/0
--- run
mkdir T.sbp T.txt.sbp
$STROBE report T.txt processes; echo $?
--- out
1
--- err
strobe: T.sbp: cannot write it: Is a directory: strobe analyze TRACE -o PROFILE writes it to another folder
