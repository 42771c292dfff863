A gen_statem that yields in its own code far more often than in the callbacks, and works long for each message, goes through postponed events; one whose callbacks work, or that handles many messages, does not.
--- run
trace() { # yields in FUNCTION, 5 to each of N messages
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    echo "0 <0.9.0> s1 spawn child=<0.20.0> mfa=shop:order/0"
    awk -v f="$1" -v n="$2" 'BEGIN {
        for (; i < 40; i++) {
            t = 1000 + i * 1000000
            for (k = 0; k < n / 40; k++) printf "%d <0.9.0> s2 send to=<0.20.0> words=3 hash=%x\n", t - 900, i * 100 + k
            printf "%d <0.20.0> s1 in mfa=gen_statem:loop_receive/3\n", t
            for (k = 0; k < n / 40; k++) printf "%d <0.20.0> s1 receive words=3 hash=%x\n", t, i * 100 + k
            for (y = 0; y < 5; y++) printf "%d <0.20.0> s1 out mfa=%s\n%d <0.20.0> s1 in mfa=%s\n", t + y * 100000 + 99000, f, t + y * 100000 + 100000, f
            printf "%d <0.20.0> s1 out mfa=gen_statem:loop_receive/3\n", t + 600000
        }
    }'
    echo "41000000 <0.20.0> s1 in mfa=gen_statem:loop_receive/3"
    echo "41001000 <0.20.0> s1 exit reason=normal"
}
found() { trace $1 $2 > T.txt; COLUMNS=100 $STROBE report T.txt findings | grep -A 3 postponed_events || echo none; }
found gen_statem:loop_event/5 40
found gen_statem:loop_event/5 4000
found shop:busy/3 40
--- out
1. postponed_events: a cure saves at most 23.8 ms; confidence medium
   shop:order/0 <0.20.0> worked 595 us for each of its 40 messages, most of it in gen_statem itself,
   where it yielded 200 times: it goes through events that it postponed, or inserted, again and
   again
none
none
