A trace or a profile that is given twice, by whatever name, is refused: its messages would count twice.
--- trace
@meta node=n@h schedulers=1 recorded=procs,running,messages
0 <0.9.0> s1 send to=<0.9.0> words=3 hash=1
--- run
ln T.txt U.txt
$STROBE analyze T.txt ./T.txt -o T.sbp; echo $?
$STROBE analyze T.txt U.txt -o T.sbp; echo $?
$STROBE analyze T.txt -o T.sbp > log 2>&1 && $STROBE merge T.sbp T.sbp -o M.sbp; echo $?
--- out
2
2
2
--- err
strobe: ./T.txt is given twice, and all of it would count twice: see strobe analyze --help
strobe: U.txt is given twice, and all of it would count twice: see strobe analyze --help
strobe: T.sbp is given twice, and all of it would count twice: see strobe merge --help
