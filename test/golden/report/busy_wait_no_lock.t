Schedulers that wait for work give up their core often where other programs want it. That is no lock: locks are waited for in slices.
--- run
program() { # nanoseconds that each thread waited for a core
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    echo "1 <0.9.0> s1 spawn child=<0.20.0> mfa=shop:worker/0"
    for s in 1 2; do echo "1 - - thread name=\"${s}_scheduler\" tid=$s cpu=0 queue=0 voluntary=0 involuntary=0"; done
    awk 'BEGIN {
        for (i = 0; i < 4000; i++) {
            t = 1000 + i * 50000
            printf "%d <0.20.0> s1 in mfa=shop:worker/0\n%d <0.20.0> s1 out mfa=shop:worker/0\n", t, t + 40000
        }
    }'
    echo "200001000 <0.20.0> s1 exit reason=normal"
    for s in 1 2; do echo "200001000 - - thread name=\"${s}_scheduler\" tid=$s cpu=50000000 queue=$1 voluntary=0 involuntary=5000"; done
}
for queue in 0 150000000; do
    program $queue > $queue.txt
    $STROBE query $queue.txt "SELECT rule FROM finding WHERE rule = 'lock_contention'" --format csv
done
--- out
rule
lock_contention
rule
