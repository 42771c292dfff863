A process that lets others go on one at a time, or a few, is a pool without workers: the turn begins when another one has
ended. A process that answers each of its callers at once is none. One turn at a time is a lock; that the process told its
parent it is there is no turn.
--- run
# three clients take turns of 5 ms: each gives its turn back, asks for the next one, and waits; <0.30.0> lets one go on
trace() {
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    for c in 0 1 2; do echo "$c <0.9.0> s1 spawn child=<0.2$c.0> mfa=shop:client/0"; done
    echo "5 <0.9.0> s1 spawn child=<0.30.0> mfa=shop:slots/2"
    echo "6 <0.30.0> s2 in mfa=shop:slots/2"
    echo "7 <0.30.0> s2 send to=<0.9.0> words=3 hash=aa"
    echo "8 <0.30.0> s2 out mfa=shop:slots/2"
    for c in 0 1 2; do
        echo "1${c}0 <0.2$c.0> s1 in mfa=shop:client/0"
        echo "1${c}0 <0.2$c.0> s1 send to=<0.30.0> words=3 hash=f$c"
        echo "1${c}5 <0.2$c.0> s1 out mfa=shop:client/0"
    done
    awk 'BEGIN {
        printf "900 <0.30.0> s2 in mfa=shop:slots/2\n"
        for (c = 0; c < 3; c++) printf "901 <0.30.0> s2 receive words=3 hash=f%d\n", c
        for (i = 0; i < 30; i++) {
            t = 1000 + i * 5010000
            if (i > 0) printf "%d <0.30.0> s2 in mfa=shop:slots/2\n%d <0.30.0> s2 receive words=1 hash=%x\n%d <0.30.0> s2 receive words=3 hash=%x\n", t - 100, t - 90, 3 * i + 257, t - 80, 3 * i + 258
            printf "%d <0.30.0> s2 send to=<0.2%d.0> words=1 hash=%x\n%d <0.30.0> s2 out mfa=shop:slots/2\n", t, i % 3, 3 * i + 259, t + 10
            printf "%d <0.2%d.0> s1 in mfa=shop:client/0\n%d <0.2%d.0> s1 receive words=1 hash=%x\n%d <0.2%d.0> s1 out mfa=timer:sleep/1\n", t + 500, i % 3, t + 510, i % 3, 3 * i + 259, t + 600, i % 3
            u = t + 5000000
            printf "%d <0.2%d.0> s1 in mfa=timer:sleep/1\n%d <0.2%d.0> s1 receive words=1 timeout\n", u, i % 3, u + 10, i % 3
            if (i < 29) printf "%d <0.2%d.0> s1 send to=<0.30.0> words=1 hash=%x\n%d <0.2%d.0> s1 send to=<0.30.0> words=3 hash=%x\n", u + 20, i % 3, 3 * (i + 1) + 257, u + 30, i % 3, 3 * (i + 1) + 258
            printf "%d <0.2%d.0> s1 out mfa=shop:client/0\n", u + 40, i % 3
        }
    }'
    echo "150301600 <0.9.0> s1 in mfa=shop:main/0"
    echo "150302000 <0.9.0> s1 exit reason=normal"
}
trace > T.txt
COLUMNS=100 $STROBE report T.txt findings
--- out
1. small_pool: a cure saves at most 145 ms, of a call at most 10.0 ms (p99); confidence medium
   shop:slots/2 <0.30.0> lets only 1 of 3 processes work at a time, as a lock does: 29 times one
   began only when another had ended, and at least one waited for 145 ms
   cure: hold the lock for less time: do what waits or takes long before it is taken or after it is
   given back; or take a lock for each key or file
   see: strobe query T.sbp "SELECT * FROM server WHERE process = 5"
