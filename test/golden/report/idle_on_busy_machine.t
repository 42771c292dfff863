Schedulers that look for work wait for a core as well: on a busy machine a service that does little lost none for its own
work.
--- run
trace() { # WORK of the process, in us
    echo "@meta node=a@h creation=1 recorded=procs,running schedulers=2"
    echo "0 <0.9.0> s1 spawn child=<0.20.0> mfa=shop:serve/0"
    for n in 1 2; do echo "1 - - thread name=\"${n}_scheduler\" tid=1$n cpu=0 queue=0"; done
    for i in 1 2 3 4 5 6 7 8 9 10; do
        echo "$((i * 100000))us <0.20.0> s1 in mfa=shop:serve/0"
        echo "$((i * 100000 + $1))us <0.20.0> s1 out mfa=shop:serve/0"
    done
    for n in 1 2; do echo "1100ms - - thread name=\"${n}_scheduler\" tid=1$n cpu=80000000 queue=70000000"; done
}
for us in 200 20000; do
    trace $us > $us.txt
    $STROBE query $us.txt "SELECT rule, title FROM finding WHERE rule = 'preempted'" --format csv | sed 1d
done
--- out
preempted,"for 47 % of the time that normal schedulers needed a core, something else used it: all times of this run include that, and gains of work are in CPU time"
