Many processes of one kind that timers wake, and that send nothing then, look whether something is due. Where others write to
them as often, or there are few of them, they do not.
--- run
# ticks PROCESSES CALLS: each process is woken 100 times, by a timer but for CALLS times
ticks() {
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    awk -v n="$1" -v calls="$2" 'BEGIN {
        for (p = 0; p < n; p++) printf "0 <0.9.0> s1 spawn child=<0.%d.0> mfa=conn:init/1\n", 20 + p
        print "0 <0.9.0> s1 spawn child=<0.8.0> mfa=shop:main/0"
        for (i = 0; i < 100; i++)
            for (p = 0; p < n; p++) {
                t = 100000 + (i * n + p) * 20000
                printf "%d <0.%d.0> s1 in mfa=conn:wait/1\n", t, 20 + p
                if (i < calls) printf "%d <0.8.0> s2 in mfa=shop:main/0\n%d <0.8.0> s2 send to=<0.%d.0> words=3 hash=%x\n%d <0.8.0> s2 out mfa=shop:main/0\n", \
                    t - 50, t - 40, 20 + p, i * n + p, t - 30
                printf "%d <0.%d.0> s1 receive words=3 hash=%x\n%d <0.%d.0> s1 out mfa=conn:wait/1\n", t + 10, 20 + p, i * n + p, t + 15000, 20 + p
            }
        printf "%d <0.8.0> s2 in mfa=shop:main/0\n%d <0.8.0> s2 exit reason=normal\n", t + 100000, t + 100010
    }' | sort -n -s -k1,1
}
for of in "20 5" "20 50" "8 5"; do
    ticks $of > T.txt
    echo "== $of"
    COLUMNS=100 $STROBE report T.txt findings | grep -A3 tick_load || true
done
# requests that come one by one while the program waits for the next one are no serial work
requests() { # MS between them
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    awk -v ms="$1" 'BEGIN {
        for (i = 0; i < 20; i++) {
            t = 1000 + i * ms * 1000000
            printf "%d <0.9.0> s1 in mfa=shop:accept/0\n%d <0.9.0> s1 spawn child=<0.%d.0> mfa=shop:serve/1\n%d <0.9.0> s1 out mfa=shop:accept/0\n", t, t + 10, 20 + i, t + 20
            printf "%d <0.%d.0> s2 in mfa=shop:serve/1\n%d <0.%d.0> s2 exit reason=normal\n", t + 30, 20 + i, t + 4000000, 20 + i
        }
    }'
}
for ms in 5 20; do
    requests $ms > T.txt
    echo "== each $ms ms"
    COLUMNS=100 $STROBE report T.txt findings | grep -A3 serial_phase || true
done
--- out
== 20 5
1. tick_load: a cure saves at most 30.0 ms; confidence medium
   20 processes started alike, such as conn:init/1 <0.20.0>, got 1,900 messages that no process
   sent, as of timers, and sent none: their work was 100 % of all, 15.8 us for each of the messages
   cure: set one timer for the time at which something is due, and set it again only when that
== 20 50
== 8 5
== each 5 ms
1. serial_phase: a cure saves at most 80.0 ms; confidence medium
   20 processes started alike, such as shop:serve/1 <0.20.0>, worked one after the other: one of
   them was the only process at work for 80.0 ms, 81 % of the program's time
   cure: make the functions with most of its work cheaper (section cpu of the report), or divide the
== each 20 ms
