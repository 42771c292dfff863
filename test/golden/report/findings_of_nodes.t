In a profile of several nodes a finding names the node of a process, since each node may have that pid.
--- run
node() { # name, first moment
    echo "@meta node=$1@h creation=1 schedulers=2 wall recorded=procs,running,messages"
    echo "$2 <0.9.0> s1 spawn child=<0.10.0> mfa=shop:other/0"
    echo "$(($2 + 1000)) <0.9.0> s1 in mfa=shop:load/1"
    echo "$(($2 + 40000000)) <0.9.0> s1 out mfa=shop:load/1"
    echo "$(($2 + 50000000)) <0.9.0> s1 in mfa=shop:load/1"
    echo "$(($2 + 51000000)) <0.9.0> s1 exit reason=normal"
}
node a 0 > A.txt
node b 60000000 > B.txt
$STROBE analyze A.txt B.txt -o AB.sbp > log 2>&1
$STROBE query AB.sbp "SELECT rule, subject FROM finding" --format csv
COLUMNS=110 $STROBE report AB.sbp | sed '/^   strobe/,$d'
$STROBE report A.txt | sed -n 2p
--- out
rule,subject
serial_phase,<0.9.0> on a@h
Worth looking at
1. <0.9.0> on a@h was the only process at work for 41.0 ms, 37 % of the program's time (others in turn for
   37 %): a cure saves at most 41.0 ms
   cure: make the functions with most of its work cheaper (section cpu of the report), or divide the work
         among processes, unless its steps need each other's results, which a trace does not show; if most of
         it is garbage collection, cure that first (gc_heavy in FINDINGS.md)
1. <0.9.0> was the only process at work for 41.0 ms, 80 % of the program's time:
