Other programs took the cores, so a look takes any time: a process that continues in a third slice after some sleeps, and in no second one after the others, found something, if others had worked before. One that never does, or that makes steps of one and two slices, lets time pass, and one whose work nobody else caused is a client that thinks.
--- run
# 24 sleeps of 10 ms, and looks of 20 to 400 us; after each third sleep A works through three slices, C through two. In A
# another process has worked 5 ms before that, in D in none
start() {
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=1 schedulers_online=1 cores=1"
    echo "0 - - thread name=\"1_scheduler\" tid=11 cpu=0 queue=0 voluntary=1 involuntary=1"
    echo "0 <0.9.0> s1 spawn child=<0.20.0> mfa=shop:watch/0"
    echo "10 <0.9.0> s1 spawn child=<0.30.0> mfa=shop:offer/0"
    awk -v works="$1" -v offers="$2" 'BEGIN {
        for (i = 0; i < 24; i++) {
            t = 1000 + i * 10000000
            if (offers && i % 3 == 2)
                printf "%d <0.30.0> s1 in mfa=shop:offer/0\n%d <0.30.0> s1 out mfa=shop:offer/0\n", t - 5000000, t - 4900000
            printf "%d <0.20.0> s1 in mfa=timer:sleep/1\n", t
            if (i > 0) printf "%d <0.20.0> s1 receive words=1 timeout\n", t + 1
            at = t + 20000 + i * 7919 % 380000
            for (n = 0; n < works && i % 3 == 2; n++) {
                printf "%d <0.20.0> s1 out mfa=shop:sell/1\n%d <0.20.0> s1 in mfa=shop:sell/1\n", at, at + 1000
                at += 50000
            }
            printf "%d <0.20.0> s1 out mfa=timer:sleep/1\n", at
        }
    }'
    echo "240001000 <0.20.0> s1 in mfa=timer:sleep/1"
    echo "240001001 <0.20.0> s1 receive words=1 timeout"
    echo "240001100 <0.20.0> s1 exit reason=normal"
    echo "240001200 - - thread name=\"1_scheduler\" tid=11 cpu=9000000 queue=190000000 voluntary=2 involuntary=99"
}
start 2 1 > A.txt
start 0 1 > B.txt
start 1 1 > C.txt
start 2 0 > D.txt
for t in A B C D; do
    echo "== $t"; COLUMNS=100 $STROBE report $t.txt findings | grep -A3 polling
done
--- out
== A
1. polling: a cure saves at most 39.2 ms; confidence medium
   1 process slept, looked and slept again, shop:watch/0 <0.20.0> most: at least 16 times, 9.84 ms
   each in timer:sleep/1; the program stood still for 39.2 ms after the event until the sleep was
   over
== B
== C
== D
--- exit 1
