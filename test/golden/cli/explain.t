analyze --explain tells the work of each stage, the longest chain and the time on more cores, and changes no profile.
--- trace
@meta node=n@h schedulers=1 recorded=procs,running,messages
0 <0.9.0> s1 in
1000 <0.9.0> s1 send to=<0.8.0> words=3 hash=1
2000 <0.9.0> s1 out
--- run
$STROBE analyze T.txt -o T.sbp > /dev/null && $STROBE analyze T.txt -o U.sbp --threads 2 --explain > log && cmp T.sbp U.sbp
grep -cE '^ +(1|2|4|8|16) ' log; grep -cE '^  (pass over the events of each process|all) ' log
awk '/^  all/ { work = $2 $3 } /^ +1 / { print $2 $3 == work ? "same" : $2 $3 " is not " work }' log
--- out
5
2
same
