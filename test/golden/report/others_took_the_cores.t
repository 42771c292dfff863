If other programs take the cores, a process is always runnable and none is ever at work alone: the bottleneck shows by its share of the work.
--- run
# two clients by turns ask rates, which works 900 of 1000 ns on the request of the other
trace() {
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    echo "0 <0.9.0> s1 spawn child=<0.20.0> mfa=shop:rates/0"
    echo "0 <0.9.0> s1 spawn child=<0.21.0> mfa=shop:client/1"
    echo "0 <0.9.0> s1 spawn child=<0.22.0> mfa=shop:client/1"
    awk 'BEGIN {
        for (i = 0; i < 40; i++) {
            t = 1000 + i * 1000; c = 21 + i % 2
            printf "%d <0.%d.0> s2 in mfa=shop:ask/2\n", t, c
            if (i > 1) printf "%d <0.%d.0> s2 receive words=3 hash=%x\n", t + 5, c, 1000 + i
            printf "%d <0.%d.0> s2 send to=<0.20.0> words=3 hash=%x\n%d <0.%d.0> s2 out mfa=shop:ask/2\n", t + 10, c, 1 + i, t + 20, c
            printf "%d <0.20.0> s1 in mfa=shop:rates/0\n", t + 30
            if (i > 0) printf "%d <0.20.0> s1 receive words=3 hash=%x\n", t + 31, i
            if (i > 0) printf "%d <0.20.0> s1 send to=<0.%d.0> words=3 hash=%x\n", t + 930, 21 + (i + 1) % 2, 1000 + i + 1
            printf "%d <0.20.0> s1 out mfa=shop:rates/0\n", t + 940
        }
    }'
    for f in ask/2=1 rates/0=1 crunch/1=0; do echo "0 <0.9.0> s1 waits mfa=shop:${f%=*} kind=${f#*=}"; done
    echo "20 <0.23.0> s2 in mfa=shop:crunch/1"
    echo "30 <0.23.0> s2 call mfa=shop:crunch/1"
    echo "40 <0.23.0> s2 out mfa=shop:crunch/1"
    echo "41040 <0.23.0> s2 in mfa=shop:crunch/1"
    echo "41050 <0.23.0> s2 call mfa=shop:crunch/1"
    echo "41060 <0.23.0> s2 out mfa=shop:crunch/1"
}
trace > T.txt
{
    trace
    for n in 1 2; do
        echo "0 - - thread name=\"${n}_scheduler\" tid=1$n cpu=0 queue=0"
        echo "41050 - - thread name=\"${n}_scheduler\" tid=1$n cpu=20000 queue=20000"
    done | sort -n
} | awk '/^@/ { print; next } { print | "sort -ns" }' > taken.txt
COLUMNS=110 $STROBE report T.txt | sed -n '/^Worth/,/^$/p;/^serial/,/^ready/p'
COLUMNS=110 $STROBE report taken.txt 2>/dev/null | sed -n '/^Worth/,/^$/p'
$STROBE report taken.sbp --format csv | grep -c ^note
--- out
Worth looking at
1. 2 processes waited for shop:rates/0 <0.20.0>, which serves one at a time: it was at work 91 % of the time
   that somebody waited for it; it worked for 36.4 us, and 2 schedulers need 18.6 us for all work together: a
   cure saves at most 18.2 us, of a call at most 2.00 us (p99)
   cure: do the work in the caller, with the data in ETS or persistent_term; or start several servers and
         choose one by key
   strobe report T.sbp findings

serial            0.0 % of the time one was at work and nobody else was ready, most often <0.23.0>
idle              9.3 % of the time nothing was at work on any scheduler
too few to run    0.3 % of the time there was less to run than schedulers
ready beside idle 100.0 % of the time a process was ready while a scheduler ran none
Worth looking at
note: for 50 % of the time that normal schedulers needed a core, something else used it: all times of this run
      include that, and gains of work are in CPU time
1. 2 processes waited for shop:rates/0 <0.20.0>, which serves one at a time: it was at work 91 % of the time
   that somebody waited for it; it worked for 36.4 us, and 2 schedulers need 18.6 us for all work together: a
   cure saves at most 18.2 us, of a call at most 2.00 us (p99)
   cure: do the work in the caller, with the data in ETS or persistent_term; or start several servers and
         choose one by key
   strobe report taken.sbp findings

1
