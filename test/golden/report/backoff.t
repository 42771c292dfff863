Four processes ask a server again after sleeps of 10, 20 and 40 ms, and go on. With sleeps of one length, or of any, it
may be a client that thinks between its requests.
--- run
trace() { # lengths of the sleeps of a row, ms
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    echo "0 <0.9.0> s1 spawn child=<0.20.0> mfa=shop:limiter/0"
    for c in 0 1 2 3; do echo "0 <0.9.0> s1 spawn child=<0.10$c.0> mfa=shop:client/1"; done
    echo "5 - - waits mfa=shop:limiter/0 kind=1"
    awk -v lengths="$*" 'BEGIN {
        n = split(lengths, ms, " ")
        for (c = 0; c < 4; c++) {
            t = 1000000 + c * 1000000
            for (i = 0; i < 4 * (n + 1); i++) {
                id++
                k = i % (n + 1) + 1
                printf "%d <0.10%d.0> s2 in mfa=shop:client/1\n", t, c
                if (k > 1) printf "%d <0.10%d.0> s2 receive words=1 timeout\n", t + 1, c
                printf "%d <0.10%d.0> s2 send to=<0.20.0> words=3 hash=%x\n%d <0.10%d.0> s2 out mfa=gen:do_call/4\n", t + 1000, c, id, t + 1100, c
                printf "%d <0.20.0> s1 in mfa=shop:limiter/0\n%d <0.20.0> s1 receive words=3 hash=%x\n", t + 2000, t + 2010, id
                printf "%d <0.20.0> s1 send to=<0.10%d.0> words=3 hash=%x\n%d <0.20.0> s1 out mfa=shop:limiter/0\n", t + 3000, c, id + 4096, t + 3100
                printf "%d <0.10%d.0> s2 in mfa=gen:do_call/4\n%d <0.10%d.0> s2 receive words=3 hash=%x\n", t + 4000, c, t + 4010, c, id + 4096
                if (k > n) { t += 5000; continue }
                printf "%d <0.10%d.0> s2 out mfa=timer:sleep/1\n", t + 5000, c
                t += 5000 + ms[k] * 1000000
            }
            printf "%d <0.10%d.0> s2 exit reason=normal\n", t + 10, c
        }
    }' | sort -n -s
}
for sleeps in "10 20 40" "20 20 20" "40 10 20"; do
    trace $sleeps > T.txt
    COLUMNS=100 $STROBE report T.txt findings --format csv | tr -d '\r' | grep -a '^[0-9]*,backoff' | cut -d, -f2-7
done; true
--- out
backoff,279773999,0,279773999,"shop:client/1 <0.100.0> and 3 started like it asked shop:limiter/0 <0.20.0> again after a sleep in timer:sleep/1, 48 times
