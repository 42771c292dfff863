A process is waited for while others ask it and it works; a server that idles in its loop, or that no process asks, holds up none.
--- run
# two clients by turns ask rates, which works 900 of 1000 ns on the request of the other; a gen_server that idles is asked once
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
    echo "41000 <0.21.0> s2 send to=<0.30.0> words=3 hash=ff"
    echo "41010 <0.30.0> s1 in mfa=gen_server:loop/7"
    echo "41020 <0.30.0> s1 send to=<0.21.0> words=3 hash=fe"
    echo "41030 <0.30.0> s1 out mfa=gen_server:loop/7"
}
trace > T.txt
COLUMNS=110 $STROBE report T.txt | sed -n '/^Worth/,/^$/p;/How parallel/,$p'
--- out
Worth looking at
1. 2 processes waited for shop:rates/0 <0.20.0>, which serves one at a time: it was at work 91 % of the time
   that somebody waited for it; it worked for 36.4 us, and 2 schedulers need 18.6 us for all work together: a
   cure saves about 17.8 us, of a call at most 2.00 us (p99)
   cure: do the work in the caller, with the data in ETS or persistent_term; or start several servers and
         choose one by key
   strobe report T.sbp findings

How parallel
parallelism       0.91 processes at work on average, on 2 schedulers
serial            85.6 % of the time one was at work and nobody else was ready, most often shop:rates/0
                  <0.20.0>
idle              9.3 % of the time nothing was at work on any scheduler
too few to run    86.7 % of the time there was less to run than schedulers
ready beside idle 14.2 % of the time a process was ready while a scheduler ran none

Where the time went
ran               37.2 us summed over processes
was ready         0.25 processes at a time on average, 10.2 us summed over processes
