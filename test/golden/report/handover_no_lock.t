Threads of dirty schedulers that are woken take the core of the scheduler that wakes them. That is no lock. The thread
that polls sockets takes one as well.
--- run
program() { # KIND of every second slice
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    echo "1 <0.9.0> s1 spawn child=<0.20.0> mfa=shop:worker/0"
    for s in 1 2; do echo "1 - - thread name=\"${s}_scheduler\" tid=$s cpu=0 queue=0 voluntary=0 involuntary=0"; done
    awk -v lane="$1" 'BEGIN {
        for (i = 0; i < 4000; i++) {
            t = 1000 + i * 50000
            printf "%d <0.20.0> s1 in mfa=shop:worker/0\n%d <0.20.0> s1 out mfa=shop:worker/0\n", t, t + 20000
            printf "%d <0.20.0> %s in mfa=shop:read/1\n%d <0.20.0> %s out mfa=shop:read/1\n", t + 25000, lane, t + 45000, lane
        }
    }'
    echo "200001000 <0.20.0> s1 exit reason=normal"
    for s in 1 2; do echo "200001000 - - thread name=\"${s}_scheduler\" tid=$s cpu=50000000 queue=0 voluntary=0 involuntary=5000"; done
}
for lane in s2 i1; do
    program $lane > $lane.txt
    $STROBE query $lane.txt "SELECT rule, title FROM finding WHERE rule = 'lock_contention'" --format csv
done
{
    echo '1 - - thread name="0_poller" tid=3 cpu=0 queue=0 voluntary=0 involuntary=0'
    echo '200001000 - - thread name="0_poller" tid=3 cpu=9000000 queue=0 voluntary=9000 involuntary=0'
} | cat s2.txt - > poller.txt
$STROBE query poller.txt "SELECT rule, title FROM finding WHERE rule = 'lock_contention'" --format csv
--- out
rule,title
lock_contention,"schedulers lost their core 100,000 times in each second of CPU time, as they do when they spin on a lock; most work was in shop:worker/0 <0.20.0>"
rule,title
rule,title
