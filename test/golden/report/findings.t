A finding says what happened, what a cure saves, and how to cure it; a healthy program has none.
--- run
# main looks each 10 ms whether the worker is done, which takes 43 ms for each of 4 jobs: main is 7 ms late each time
poll() {
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    echo "0 <0.9.0> s1 spawn child=<0.20.0> mfa=shop:worker/0"
    awk 'BEGIN {
        for (i = 0; i < 20; i++) {
            t = 1000 + i * 10000000
            printf "%d <0.9.0> s1 in mfa=timer:sleep/1\n", t
            if (i > 0) printf "%d <0.9.0> s1 receive words=1 timeout\n", t + 10
            if (i % 5 == 0) printf "%d <0.9.0> s1 send to=<0.20.0> words=3 hash=%x\n", t + 20, i + 1
            printf "%d <0.9.0> s1 out mfa=timer:sleep/1\n", t + 1000
            if (i % 5 == 0) printf "%d <0.20.0> s2 in mfa=shop:worker/0\n%d <0.20.0> s2 receive words=3 hash=%x\n%d <0.20.0> s2 out mfa=shop:worker/0\n", t + 2000, t + 2010, i + 1, t + 3000
            if (i % 5 == 4) printf "%d <0.20.0> s2 in mfa=timer:sleep/1\n%d <0.20.0> s2 receive words=1 timeout\n%d <0.20.0> s2 out mfa=shop:worker/0\n", t + 3000000, t + 3000010, t + 3001000
        }
    }'
    echo "200001000 <0.9.0> s1 in mfa=shop:wait/1"
    echo "200002000 <0.9.0> s1 exit reason=normal"
}
poll > T.txt
COLUMNS=100 $STROBE report T.txt findings
$STROBE report T.txt findings --fail-on 'gain_ns > 20ms'; echo $?
$STROBE query T.sbp "SELECT rank, rule, subject, gain_low_ns, gain_ns, gain_high_ns FROM finding" --format csv
# nothing to do but to wait for a request that never comes
printf '@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2\n0 <0.9.0> s1 in mfa=shop:loop/0\n1000 <0.9.0> s1 out mfa=shop:loop/0\n1000000000 <0.9.0> s1 in mfa=shop:loop/0\n1000001000 <0.9.0> s1 exit reason=normal\n' > idle.txt
$STROBE report idle.txt findings
--- out
1. polling: a cure saves at most 31.0 ms; confidence medium
   1 process slept, looked and slept again, <0.9.0> most: at least 15 times, 10.0 ms each in
   timer:sleep/1; the program stood still for at most 31.0 ms after the event until the sleep was
   over
   cure: wait for a message in a receive, and let the process that has the news send it
   in Elixir: wait for a message in receive or handle_info, and let the process that has the news
   send it
   see: strobe query T.sbp "SELECT who(process), function, count, total_ns, max_ns FROM wait WHERE
   process = 1"
1. polling: a cure saves at most 31.0 ms; confidence medium
   1 process slept, looked and slept again, <0.9.0> most: at least 15 times,
   10.0 ms each in timer:sleep/1; the program stood still for at most 31.0 ms
   after the event until the sleep was over
   cure: wait for a message in a receive, and let the process that has the news
   send it
   in Elixir: wait for a message in receive or handle_info, and let the process
   that has the news send it
   see: strobe query T.sbp "SELECT who(process), function, count, total_ns,
   max_ns FROM wait WHERE process = 1"
3
rank,rule,subject,gain_low_ns,gain_ns,gain_high_ns
1,polling,<0.9.0>,0,25989500,30988000
no finding: the rules found nothing that would save a twentieth of the program's time,
but the trace has no messages, which many of them look at (--trace all)
