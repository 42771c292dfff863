Processes that wait, two at a time, each started when another one has ended: more of them could wait at once. Those that
somebody asks for, one after the other at their own pace, could not.
--- run
# 40 fetches of 10 ms each, started by <0.9.0>; with an argument it sleeps 20 ms before it starts the next one
trace() {
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    awk -v pause="${1:-0}" 'BEGIN {
        t = 1000
        printf "%d <0.9.0> s1 in mfa=shop:all/1\n", t
        for (i = 0; i < 20; i++) {
            for (k = 0; k < 2; k++) printf "%d <0.9.0> s1 spawn child=<0.%d.0> mfa=shop:fetch/1\n", t + 10 + k, 20 + 2 * i + k
            printf "%d <0.9.0> s1 out mfa=shop:all/1\n", t + 100
            for (k = 0; k < 2; k++) printf "%d <0.%d.0> s2 in mfa=shop:fetch/1\n%d <0.%d.0> s2 out mfa=timer:sleep/1\n", t + 1000 + 1000 * k, 20 + 2 * i + k, t + 1500 + 1000 * k, 20 + 2 * i + k
            for (k = 0; k < 2; k++) {
                u = t + 10000000 + 1000 * k
                printf "%d <0.%d.0> s2 in mfa=timer:sleep/1\n%d <0.%d.0> s2 receive words=1 timeout\n", u, 20 + 2 * i + k, u + 10, 20 + 2 * i + k
                if (k) printf "%d <0.%d.0> s2 send to=<0.9.0> words=3 hash=%x\n", u + 20, 20 + 2 * i + k, i + 1
                printf "%d <0.%d.0> s2 exit reason=normal\n", u + 30, 20 + 2 * i + k
            }
            t += 10003000
            printf "%d <0.9.0> s1 in mfa=shop:all/1\n%d <0.9.0> s1 receive words=3 hash=%x\n", t, t + 5, i + 1
            if (pause) {
                printf "%d <0.9.0> s1 out mfa=timer:sleep/1\n", t + 10
                t += 20000000
                printf "%d <0.9.0> s1 in mfa=timer:sleep/1\n%d <0.9.0> s1 receive words=1 timeout\n", t, t + 5
            }
        }
        printf "%d <0.9.0> s1 exit reason=normal\n", t + 100
    }'
}
trace > T.txt
COLUMNS=100 $STROBE report T.txt findings
trace pause > paced.txt
$STROBE report paced.txt findings
--- out
1. too_few_processes: a cure saves at most 200 ms; confidence medium
   40 processes started alike, such as shop:fetch/1 <0.20.0>, lived at most 2 at a time, each
   started when another one had ended; nothing was at work for 200 ms of their time
   cure: start as many processes as schedulers for work that can be divided, and more if they wait;
   start the longest first
   in Elixir: raise max_concurrency, or start as many processes as schedulers for work that can be
   divided, and more if they wait; start the longest first
   see: strobe query T.sbp "SELECT who(id), start, end, run_ns FROM process WHERE parent = 1 AND
   group_id = 2 ORDER BY start LIMIT 20"
1. timers: what a cure saves is unknown; confidence high
   <0.9.0> waited for a timer in timer:sleep/1, 20 times, 20.0 ms each on
   average: these waits were 400 ms of the program's 600 ms
   cure: if each step waits for a tick, go on with a message of what the step
   waits for, or with a shorter interval; a program that lets time pass on
   purpose has nothing to gain
   see: strobe query paced.sbp "SELECT kind, function, count(*), sum(dur) FROM
   critical WHERE process = 1 GROUP BY 1, 2 ORDER BY 4 DESC"
