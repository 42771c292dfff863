Requests that start a process, sleep until it is long done, and end. One that sleeps before it starts the process, or whose
process outlives the sleep, does not oversleep.
--- run
# requests STARTS ENDS: 12 requests, which sleep from 1 to 11 ms; what they start begins and ends at these microseconds
requests() {
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    awk -v starts="$1" -v ends="$2" 'BEGIN {
        for (i = 0; i < 12; i++) {
            t = 1000000 + i * 15000000; r = 20 + 2 * i; c = r + 1
            printf "%d <0.9.0> s1 spawn child=<0.%d.0> mfa=shop:request/1\n%d <0.%d.0> s1 in mfa=shop:request/1\n", t, r, t + 10, r
            if (starts < 1000) printf "%d <0.%d.0> s1 spawn child=<0.%d.0> mfa=shop:render/1\n", t + starts * 1000, r, c
            printf "%d <0.%d.0> s1 out mfa=timer:sleep/1\n", t + 1000000, r
            printf "%d <0.%d.0> s1 in mfa=timer:sleep/1\n%d <0.%d.0> s1 receive words=1 timeout\n", t + 11000000, r, t + 11000010, r
            if (starts > 1000) printf "%d <0.%d.0> s1 spawn child=<0.%d.0> mfa=shop:render/1\n", t + starts * 1000, r, c
            printf "%d <0.%d.0> s1 exit reason=normal\n", t + 11100000, r
            printf "%d <0.%d.0> s2 in mfa=shop:render/1\n%d <0.%d.0> s2 exit reason=normal\n", t + starts * 1000 + 10, c, t + ends * 1000, c
        }
    }' | sort -n -s -k1,1
}
for of in "100 3000" "100 12000" "11050 13000"; do
    requests $of > T.txt
    echo "== $of"
    COLUMNS=100 $STROBE report T.txt findings | grep -A4 overslept: || true
done
--- out
== 100 3000
1. overslept: a cure saves at most 96.0 ms; confidence medium
   12 processes started alike, such as shop:request/1 <0.20.0>, slept on in timer:sleep/1 for
   8.00 ms on average after the process that they had started, or asked for, had ended, such as
   shop:render/1 <0.21.0>; then they ended
   cure: wait for a message in place of sleeping and looking: the 'DOWN' of a monitor
== 100 12000
== 11050 13000
