What is made of a private trace is private as well: its profile, exports and dumps. A merge is as private as the most private
of its profiles.
--- trace
@meta node=a@h recorded=procs,running schedulers=1
0us  <0.5.0> s1 in mfa=m:f/0
10us <0.5.0> s1 exit reason=normal
--- run
umask 022
cp T.txt open.txt && chmod 644 open.txt && chmod 600 T.txt
$STROBE analyze T.txt -o T.sbp > log 2>&1
$STROBE analyze open.txt -o open.sbp > log 2>&1
$STROBE export T.sbp --to csv --table process -o T.csv > log 2>&1
$STROBE dump T.txt -o T.dump > log 2>&1
$STROBE merge open.sbp T.sbp -o both.sbp > log 2>&1
$STROBE report open.txt > log 2>&1
stat -c '%a %n' T.sbp T.csv T.dump both.sbp open.sbp
--- out
600 T.sbp
600 T.csv
600 T.dump
600 both.sbp
644 open.sbp
