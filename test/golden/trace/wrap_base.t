The base name of a wrap set names its traces, also when the profile of one of them is beside it.
--- file w0.trc
0 <0.5.0> s1 in mfa=m:f/0
--- file w1.trc
5us <0.5.0> s1 out mfa=m:f/0
--- run
$STROBE info w | grep -E '^(source|events)'
$STROBE analyze w0.trc > log && ls w0*
$STROBE info w | grep -E '^(source|events)'
touch w2.other; $STROBE info w
--- out
source               text
events               2 in 55 B, 2 files
w0.sbp
w0.trc
source               text
events               2 in 55 B, 2 files
--- exit 1
