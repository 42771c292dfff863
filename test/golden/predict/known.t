Programs whose time on any number of cores is known by construction, recorded on one scheduler: a replay finds it.
--- run
head="@meta node=a@h creation=1 recorded=procs,running,messages schedulers=1"
# a serial part, then 8 workers of 100 us each, whose results the first process needs
workers() {
    echo "$head"
    awk -v serial="$1" 'BEGIN {
        print "0us <0.9.0> s1 in mfa=m:main/0"
        print "0us <0.9.0> s1 waits mfa=m:wait/0 kind=1"
        for (i = 0; i < 8; i++) printf "%dus <0.9.0> s1 spawn child=<0.%d.0> mfa=m:work/0\n", serial, 20 + i
        printf "%dus <0.9.0> s1 out mfa=m:wait/0\n", serial
        for (i = 0; i < 8; i++) {
            t = serial + i * 100
            printf "%dus <0.%d.0> s1 in mfa=m:work/0\n", t, 20 + i
            printf "%dus <0.%d.0> s1 send to=<0.9.0> words=3 hash=%x\n", t + 100, 20 + i, i + 1
            printf "%dus <0.%d.0> s1 exit reason=normal\n", t + 100, 20 + i
        }
        t = serial + 800
        printf "%dus <0.9.0> s1 in mfa=m:wait/0\n", t
        for (i = 0; i < 8; i++) printf "%dus <0.9.0> s1 receive words=3 hash=%x\n", t + i, i + 1
        printf "%dus <0.9.0> s1 exit reason=normal\n", t + 10
    }'
}
# three stages of 10, 30 and 20 us an item, 100 items
pipeline() {
    echo "$head"
    awk 'BEGIN {
        split("10 30 20", cost)
        print "0us <0.21.0> s1 in mfa=m:stage/0"
        print "0us <0.21.0> s1 waits mfa=m:wait/0 kind=1"
        print "0us <0.21.0> s1 spawn child=<0.22.0> mfa=m:stage/0"
        print "0us <0.21.0> s1 spawn child=<0.23.0> mfa=m:stage/0"
        for (s = t = 1; s <= 3; s++) {
            if (s > 1) printf "%dus <0.%d.0> s1 in mfa=m:stage/0\n", t, 20 + s
            for (i = 1; i <= 100; i++) {
                if (s > 1) printf "%dus <0.%d.0> s1 receive words=3 hash=%x\n", t, 20 + s, s * 1000 + i
                t += cost[s]
                if (s < 3) printf "%dus <0.%d.0> s1 send to=<0.%d.0> words=3 hash=%x\n", t, 20 + s, 21 + s, (s + 1) * 1000 + i
            }
            printf "%dus <0.%d.0> s1 exit reason=normal\n", t, 20 + s
        }
    }'
}
# 4 clients of 10 us ask one server, which needs 100 us for each
funnel() {
    echo "$head"
    awk 'BEGIN {
        print "0us <0.9.0> s1 in mfa=m:server/0"
        print "0us <0.9.0> s1 waits mfa=m:wait/0 kind=1"
        for (i = 0; i < 4; i++) printf "0us <0.9.0> s1 spawn child=<0.%d.0> mfa=m:client/0\n", 20 + i
        print "1us <0.9.0> s1 out mfa=m:wait/0"
        for (i = 0; i < 4; i++) {
            t = 1 + i * 10
            printf "%dus <0.%d.0> s1 in mfa=m:client/0\n", t, 20 + i
            printf "%dus <0.%d.0> s1 send to=<0.9.0> words=3 hash=%x\n", t + 10, 20 + i, i + 1
            printf "%dus <0.%d.0> s1 exit reason=normal\n", t + 10, 20 + i
        }
        print "41us <0.9.0> s1 in mfa=m:wait/0"
        for (i = 0; i < 4; i++) printf "%dns <0.9.0> s1 receive words=3 hash=%x\n", 41000 + i * 100, i + 1
        print "441us <0.9.0> s1 exit reason=normal"
    }'
}
# 3 workers of 100 us that the first process monitors; it is back when all have ended
monitored() {
    echo "$head"
    awk 'BEGIN {
        print "0us <0.9.0> s1 in mfa=m:main/0"
        print "0us <0.9.0> s1 waits mfa=m:wait/0 kind=1"
        for (i = 0; i < 3; i++) printf "0us <0.9.0> s1 spawn child=<0.%d.0> mfa=m:work/0\n", 20 + i
        print "0us <0.9.0> s1 out mfa=m:wait/0"
        for (i = 0; i < 3; i++) {
            printf "%dus <0.%d.0> s1 in mfa=m:work/0\n", i * 100, 20 + i
            printf "%dus <0.%d.0> s1 exit reason=normal\n", i * 100 + 100, 20 + i
        }
        print "300us <0.9.0> s1 in mfa=m:wait/0"
        for (i = 0; i < 3; i++) printf "%dus <0.9.0> s1 receive words=6 hash=%x down=<0.%d.0>\n", 301 + i, i + 1, 20 + i
        print "310us <0.9.0> s1 exit reason=normal"
    }'
}
monitored > monitored.txt
workers 0 > workers.txt; workers 200 > amdahl.txt; pipeline > pipeline.txt; funnel > funnel.txt
export XDG_CACHE_HOME=$PWD # no constants of this machine
for t in workers amdahl pipeline funnel monitored; do
    echo "== $t"
    $STROBE predict $t.txt --cores 1,2,4,8,64 --format csv 2>/dev/null | cut -d, -f1,3
done
what_if() {
    echo "== $*"
    $STROBE predict "$@" --format csv 2>/dev/null | cut -d, -f1,3
}
what_if amdahl.txt --cores 1,2,8 --faster '<0.9.0>=2'   # 100 us serial
what_if amdahl.txt --cores 1,8 --faster m:work/0=2      # 50 us each worker
what_if pipeline.txt --cores 1,8 --faster '<0.22.0>=2'  # stages of 10, 15 and 20 us
what_if funnel.txt --cores 1,2,8 --split '<0.9.0>=4'    # 4 requests of 100 us side by side
what_if funnel.txt --cores 8 --split '<0.9.0>=2'        # 2 and 2
$STROBE predict funnel.txt --cores 8 --free 'm:client/0 -> <0.9.0>' --format csv 2>/dev/null | cut -d, -f3,4
$STROBE predict funnel.txt --cores 8 --format csv 2>/dev/null | cut -d, -f3,4
$STROBE predict amdahl.txt --cores 1,8
--- out
== workers
cores,ns
1,810000
2,410000
4,210000
8,110000
64,110000
== amdahl
cores,ns
1,1010000
2,610000
4,410000
8,310000
64,310000
== pipeline
cores,ns
1,6001000
2,3031000
4,3031000
8,3031000
64,3031000
== funnel
cores,ns
1,441000
2,420000
4,410000
8,410000
64,410000
== monitored
cores,ns
1,310000
2,207000
4,110000
8,110000
64,110000
== amdahl.txt --cores 1,2,8 --faster <0.9.0>=2
cores,ns
1,905000
2,505000
8,205000
== amdahl.txt --cores 1,8 --faster m:work/0=2
cores,ns
1,610000
8,260000
== pipeline.txt --cores 1,8 --faster <0.22.0>=2
cores,ns
1,4501000
8,2026000
== funnel.txt --cores 1,2,8 --split <0.9.0>=4
cores,ns
1,441000
2,230850
8,110225
== funnel.txt --cores 8 --split <0.9.0>=2
cores,ns
8,210150
ns,high_ns
410000,555500
ns,high_ns
410000,615218
cores          at least    estimate     at most  speed-up
    1            909 us     1.01 ms     1.11 ms      1.00
    8            279 us      310 us      818 us      3.26
recorded       1.01 ms on 1 scheduler, with the cost of tracing
work           1.01 ms, of all processes
longest chain  310 us: no number of cores is faster; 319 us with the cost of
               messages between cores
parallelism    3.26: work divided by the longest chain
contention     unknown: more cores may even be slower
note           the cost of tracing is not in the trace, so times include it
note           costs of messages between cores are typical values; strobe
               calibrate measures them
note           waits for locks of the VM (ETS) and for counters that processes
               share do not show in a trace of one scheduler; a second trace at
               2 schedulers (+S 2) shows them
