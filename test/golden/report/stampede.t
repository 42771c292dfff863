Processes that do next to nothing most of the time and much at the same moments may all do the same. Those that one process hands work to do not, nor those that have much to do each at another time.
Requests that are processes of their own: all that begin at such a moment have much to do (D), or one in two (E).
--- run
# 4 clients look each 10 ms; each 200 ms each of them works 8 times for 1 ms: A in turns, B too, because the main process
# told them to, C one after the other, 50 ms apart
clients() {
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=5"
    for i in 1 2 3 4; do echo "0 <0.9.0> s1 spawn child=<0.2$i.0> mfa=shop:client/0"; done
    awk -v how="$1" 'BEGIN {
        for (k = 1; k < 100; k++) for (i = 1; i <= 4; i++) {
            long = how == "C" ? k % 20 == 5 * i % 20 : k % 20 == 0
            if (!long && k % 20 > 0 && k % 20 < 4 && how != "C") continue # they still work
            t = k * 10000000 + i * 10000; at = t
            if (how == "B" && long) {
                printf "%d <0.9.0> s5 in mfa=shop:main/0\n%d <0.9.0> s5 send to=<0.2%d.0> words=2 hash=%x\n%d <0.9.0> s5 out mfa=shop:main/0\n", t - 500, t - 400, i, k * 10 + i, t - 300
                printf "%d <0.2%d.0> s%d in mfa=shop:client/0\n%d <0.2%d.0> s%d receive words=2 hash=%x\n", t, i, i, t + 1, i, i, k * 10 + i
            } else
                printf "%d <0.2%d.0> s%d in mfa=shop:client/0\n%d <0.2%d.0> s%d receive words=1 timeout\n", t, i, i, t + 1, i, i
            for (r = 1; r <= 8 && long; r++) {
                at = how == "C" ? t + r * 1000000 : t + 100000 + r * 4000000 + i * 900000 - 4500000
                printf "%d <0.2%d.0> s%d out mfa=shop:make/0\n", r == 1 ? t + 2000 : at - (how == "C" ? 100000 : 3200000), i, i
                printf "%d <0.2%d.0> s%d in mfa=shop:make/0\n", at, i, i
            }
            printf "%d <0.2%d.0> s%d out mfa=shop:client/0\n", long ? at + 800000 : t + 2000, i, i
        }
    }' | sort -sn -k 1,1
    for i in 1 2 3 4; do
        echo "1000000100 <0.2$i.0> s$i in mfa=shop:client/0"
        echo "1000000200 <0.2$i.0> s$i exit reason=normal"
    done
}
# 200 requests, one every 5 ms; each 200 ms four of eight, or all of four, work for 19 ms, the others for 20 us
requests() {
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=10"
    awk -v how="$1" 'BEGIN {
        for (k = 0; k < 200; k++) {
            long = how == "D" ? k % 40 < 4 : k % 40 < 8 && k % 2 == 0
            t = 1000000 + k * (how == "D" ? 5000000 : 2500000); p = 20 + k
            printf "%d <0.9.0> s10 spawn child=<0.%d.0> mfa=shop:get/1\n", t, p
            printf "%d <0.%d.0> s%d in mfa=shop:get/1\n%d <0.%d.0> s%d exit reason=normal\n", t + 10, p, 1 + k % 9, t + (long ? 19000000 : 20000), p, 1 + k % 9
        }
    }' | sort -sn -k 1,1
}
for t in A B C D E; do
    case $t in [DE]) requests $t ;; *) clients $t ;; esac > $t.txt
    echo "== $t"; $STROBE report $t.txt findings | grep -A4 stampede
done
--- out
== A
1. stampede: a cure saves at most 76.8 ms; confidence medium
   4 processes started alike, such as shop:client/0 <0.21.0>, had much to do at
   the same moments: 4 times, 4 of them on average, for 6.40 ms each, and for
   2.00 us at other times; if it was the same work, one of them could have done
   it
== B
== C
== D
2. stampede: a cure saves at most 285 ms; confidence medium
   200 processes started alike, such as shop:get/1 <0.20.0>, had much to do at
   the same moments: 5 times, 4 of them on average, for 19.0 ms each, and for
   20.0 us at other times; if it was the same work, one of them could have done
   it
== E
--- exit 1
