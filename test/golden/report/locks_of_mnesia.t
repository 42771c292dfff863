A transaction of Mnesia that sleeps and starts again found a lock taken; one that sleeps itself, or gets its lock at
once, did not. A message that comes meanwhile does not end the sleep. Samples of the CPU show who asks for locks.
--- run
# worker asks for a lock 20 times: 10 times it is refused, starts again and sleeps 5 ms, 10 times it has it at once and
# sleeps 1 ms of its own
trace() {
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    echo "0 <0.9.0> s1 spawn child=<0.20.0> mfa=shop:worker/0"
    echo "10 <0.30.0> s2 register name=mnesia_tm"
    echo "20 <0.31.0> s2 register name=mnesia_locker"
    awk 'BEGIN {
        for (i = 0; i < 20; i++) {
            t = 1000 + i * 10000000
            taken = i % 2 == 0
            printf "%d <0.20.0> s1 in mfa=shop:worker/0\n%d <0.20.0> s1 send to=<0.31.0> words=3 hash=%x\n", t, t + 20, 2 * i + 1
            printf "%d <0.20.0> s1 out mfa=mnesia_locker:receive_wlocks/4\n", t + 1000
            printf "%d <0.31.0> s2 in mfa=mnesia_locker:loop/1\n%d <0.31.0> s2 receive words=3 hash=%x\n", t + 2000, t + 2010, 2 * i + 1
            printf "%d <0.31.0> s2 send to=<0.20.0> words=3 hash=%x\n%d <0.31.0> s2 out mfa=mnesia_locker:loop/1\n", t + 3000, 2 * i + 2, t + 4000
            printf "%d <0.20.0> s1 in mfa=mnesia_locker:receive_wlocks/4\n%d <0.20.0> s1 receive words=3 hash=%x\n", t + 5000, t + 5010, 2 * i + 2
            if (taken) printf "%d <0.20.0> s1 send to=<0.30.0> words=3 hash=%x\n", t + 5020, 1000 + i
            printf "%d <0.20.0> s1 out mfa=timer:sleep/1\n", t + 6000
            end = t + 6000 + (taken ? 5000000 : 1000000)
            printf "%d <0.20.0> s1 in mfa=timer:sleep/1\n%d <0.20.0> s1 receive words=1 timeout\n%d <0.20.0> s1 out mfa=shop:worker/0\n", end, end + 10, end + 1000
        }
    }'
    echo "200002000 <0.20.0> s1 in mfa=shop:worker/0"
    echo "200003000 <0.20.0> s1 exit reason=normal"
}
trace > T.txt
COLUMNS=100 $STROBE report T.txt findings
# in each sleep <0.31.0> sends the worker something after 2 ms
trace | awk '/s1 send to=<0.30.0>/ { t = $1 + 2000000; hash++ } 1
    t && /s1 out mfa=timer:sleep/ {
        printf "%d <0.31.0> s2 in mfa=mnesia_locker:loop/1\n%d <0.31.0> s2 send to=<0.20.0> words=3 hash=%x\n", t, t + 10, 5000 + hash
        printf "%d <0.31.0> s2 out mfa=mnesia_locker:loop/1\n", t + 20
        printf "%d <0.20.0> s1 in mfa=timer:sleep/1\n%d <0.20.0> s1 receive words=3 hash=%x\n%d <0.20.0> s1 out mfa=timer:sleep/1\n", t + 30, t + 40, 5000 + hash, t + 50
        t = 0
    }' > I.txt
COLUMNS=100 $STROBE report I.txt findings | sed -n 1,2p
# four samples in the first transaction, which shop:pay/1 began
{
    trace | head -1 | sed 's/messages/messages,cpu/'
    echo '0 - - thread name="1_scheduler" tid=41 cpu=0 queue=0 voluntary=0 involuntary=0'
    for frame in shop:worker/0 shop:pay/1 mnesia:transaction/3 mnesia_tm:apply_fun/3; do
        number=$((number + 1))
        echo "0 - - cpu_frame name=\"$frame\" number=$number caller=$((number - 1)) kind=0"
    done
    trace | sed 1d | awk '/s1 out mfa=mnesia_locker/ && n++ < 4 { print $1 - 500 " - - cpu_sample tid=41 stack=4" } 1'
} > S.txt
COLUMNS=100 $STROBE report S.txt findings | sed -n 2,3p
--- out
1. global_lock: a cure saves at most 50.0 ms; confidence high
   1 process found a lock of Mnesia taken: it slept 10 times to try again; it waited for 50.0 ms in
   all
   cure: where one lock is for different things, lock each by its key; where all want the same
   thing, hold the lock for a shorter time, take it last, or let one process do that part: a
   counter of Mnesia needs no transaction (mnesia:dirty_update_counter/3)
   in Elixir: where one lock is for different things, lock each by its key; where all want the same
   thing, hold the lock for a shorter time, take it last, or let one process do that
   part: a counter of Mnesia needs no transaction (:mnesia.dirty_update_counter/3)
   see: strobe query T.sbp "SELECT who(process), function, count, total_ns FROM wait WHERE function
   LIKE 'global:random_sleep%' OR function LIKE 'mnesia_locker:%' OR function LIKE
   'timer:sleep%'"
1. global_lock: a cure saves at most 50.0 ms; confidence high
   1 process found a lock of Mnesia taken: it slept 10 times to try again; it waited for 50.0 ms in
   1 process found a lock of Mnesia taken: it slept 10 times to try again; it waited for 50.0 ms in
   all; the caller, where known, was shop:pay/1
