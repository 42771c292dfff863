Long slices count for the time in which they keep others from a scheduler: little of that is no finding.
--- run
# <0.20.0> runs 10 slices of 50 ms each; <0.21.0> waits MS ms of each for the scheduler, after a message of <0.20.0>
trace() { # MS
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=1"
    echo "0 <0.9.0> s1 spawn child=<0.20.0> mfa=shop:p20/0"
    echo "0 <0.21.0> s1 exists entry=shop:p21/0 status=0"
    echo "0 <0.21.0> s1 waits mfa=shop:wait/0 kind=1"
    awk -v ms="$1" 'BEGIN {
        for (i = 0; i < 10; i++) {
            t = 1000 + i * 51000000
            printf "%d <0.20.0> s1 in mfa=shop:p20/0\n%d <0.20.0> s1 send to=<0.21.0> words=3 hash=%x\n", t, t + 50000000 - ms * 1000000, i
            printf "%d <0.20.0> s1 out mfa=shop:p20/0\n%d <0.21.0> s1 in mfa=shop:wait/0\n", t + 50000000, t + 50001000
            printf "%d <0.21.0> s1 receive words=3 hash=%x\n%d <0.21.0> s1 out mfa=shop:wait/0\n", t + 50001010, i, t + 50002000
        }
    }'
    echo "510001000 <0.20.0> s1 in mfa=shop:p20/0"
    echo "510002000 <0.20.0> s1 exit reason=normal"
}
for ms in 30 1; do
    trace $ms > $ms.txt
    COLUMNS=120 $STROBE report $ms.txt findings | grep -A 2 long_native || echo none
done
--- out
1. long_native: a cure saves at most 300 ms; confidence medium
   10 slices ran 50.0 ms each without a yield, up to 50.0 ms, most of them in shop:p20/0 <0.20.0>; other processes were
   ready for 300 ms of that
none
