Workers with registered names that were started alike are compared with each other; one process with most of the work does not fill the schedulers.
--- run
# four workers of 2 ms, one of them of 40 ms; the machine is busy: the others are ready all the time
start() {
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    for i in 0 1 2 3; do
        echo "$((i * 10)) <0.9.0> s1 spawn child=<0.3$i.0> mfa=$1:worker/0"
        echo "$((i * 10 + 5)) <0.3$i.0> - register name=worker_$i"
    done
    echo "100 <0.30.0> s1 in mfa=shop:worker/0"
    echo "40000100 <0.30.0> s1 out mfa=shop:worker/0"
    for i in 1 2 3; do
        echo "$((i * 12000000)) <0.3$i.0> s2 in mfa=shop:worker/0"
        echo "$((i * 12000000 + 2000000)) <0.3$i.0> s2 out mfa=shop:worker/0"
        echo "$((40000200 + i * 10)) <0.3$i.0> s2 exit reason=normal"
    done
    echo "40000300 <0.30.0> s1 exit reason=normal"
}
start shop > T.txt
COLUMNS=100 $STROBE report T.txt findings | sed -n 1,3p
$STROBE report T.txt findings | grep -c saturated || true
--- out
1. imbalance: a cure saves about 17.0 ms (15.8 ms to 17.0 ms) in a replay; confidence high
   of 4 processes started alike, worker_0 <0.30.0> had 87 % of the work: 40.0 ms, 2.00 ms on average
   for the others; it was at work alone for 2.00 ms
0
