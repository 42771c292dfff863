A process that sleeps while messages for it are there, and takes them after each sleep, polls. One in whose mailbox they stay has no use for them yet: a trace shows when they come into its reach, not when it takes them.
--- run
# 20 sleeps of 10 ms; the answer to what it sent before comes after 2 ms, and wakes it for a moment
trace() {
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    echo "0 <0.9.0> s1 spawn child=<0.20.0> mfa=shop:pace/0"
    echo "0 <0.9.0> s1 spawn child=<0.21.0> mfa=shop:answer/0"
    awk -v stay="$1" 'BEGIN {
        for (i = 0; i < 20; i++) {
            t = 1000 + i * 10000000
            printf "%d <0.20.0> s1 in mfa=timer:sleep/1\n", t
            if (i) printf "%d <0.20.0> s1 receive words=1 timeout\n%d <0.20.0> s1 receive words=3 hash=%x\n", t + 1, t + 2, i
            printf "%d - - sample item=mailbox key=\"<0.20.0>\" value=%d\n", t + 5000, stay * i
            printf "%d <0.20.0> s1 send to=<0.21.0> words=3 hash=a%x\n%d <0.20.0> s1 out mfa=timer:sleep/1\n", t + 8000, i, t + 9000
            printf "%d <0.21.0> s2 in mfa=shop:answer/0\n%d <0.21.0> s2 receive words=3 hash=a%x\n%d <0.21.0> s2 send to=<0.20.0> words=3 hash=%x\n", t + 2000000, t + 2000005, i, t + 2000010, i + 1
            printf "%d <0.21.0> s2 out mfa=shop:answer/0\n", t + 2000100
            printf "%d <0.20.0> s1 in mfa=timer:sleep/1\n%d <0.20.0> s1 out mfa=timer:sleep/1\n", t + 2001000, t + 2002000
        }
    }'
    echo "200001000 <0.20.0> s1 in mfa=timer:sleep/1"
    echo "200001001 <0.20.0> s1 receive words=1 timeout"
    echo "200001002 <0.20.0> s1 receive words=3 hash=14"
    echo "200001100 <0.20.0> s1 exit reason=normal"
}
for stay in 0 1; do
    trace $stay > T.txt
    echo "== $stay"; COLUMNS=100 $STROBE report T.txt findings | grep -A3 polling || true
done
--- out
== 0
1. polling: a cure saves at most 160 ms; confidence medium
   shop:pace/0 <0.20.0> slept while messages for it were there, 20 times, 8.00 ms each until it took
   them; nothing was at work for 160 ms of that
   cure: wait for a message in a receive, and let the process that has the news send it
== 1
