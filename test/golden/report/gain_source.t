The gain of a server that is split is that of a replay: four requests of 10 ms wait for one process, and two of it would end after 20 ms; with lost events the gain is a bound, and the sentence names its time.
--- run
trace() {
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    awk 'BEGIN {
        n = 4
        print "0us <0.9.0> s1 in mfa=shop:rates/0"
        for (i = 0; i < n; i++) printf "0us <0.8.0> s2 spawn child=<0.%d.0> mfa=shop:client/0\n", 20 + i
        print "1us <0.9.0> s1 out mfa=shop:rates/0"
        for (i = 0; i < n; i++) {
            t = 2 + i * 2
            printf "%dus <0.%d.0> s2 in mfa=shop:client/0\n", t, 20 + i
            printf "%dus <0.%d.0> s2 send to=<0.9.0> words=3 hash=%x\n%dus <0.%d.0> s2 out mfa=shop:client/0\n", t + 1, 20 + i, i + 1, t + 1, 20 + i
        }
        for (i = 0; i < n; i++) {
            t = 10 + i * 10000
            if (i == 0) printf "%dus <0.9.0> s1 in mfa=shop:rates/0\n", t
            printf "%dus <0.9.0> s1 receive words=3 hash=%x\n", t + 1, i + 1
            printf "%dus <0.9.0> s1 send to=<0.%d.0> words=3 hash=%x\n", t + 10000, 20 + i, 100 + i
            if (i == n - 1) printf "%dus <0.9.0> s1 exit reason=normal\n", t + 10000
            printf "%dus <0.%d.0> s2 in mfa=shop:client/0\n", t + 10001, 20 + i
            printf "%dus <0.%d.0> s2 receive words=3 hash=%x\n", t + 10002, 20 + i, 100 + i
            printf "%dus <0.%d.0> s2 exit reason=normal\n", t + 10003, 20 + i
        }
    }'
}
trace > T.txt
(trace; echo "2us - - drop events=1200 class=1 until=1000") > lost.txt
for t in T lost; do
    $STROBE report $t.txt findings 2>/dev/null | sed -n '/single_server/,/cure:/p' | sed '$d'
    $STROBE query $t.sbp "SELECT rule, gain_low_ns, gain_ns, gain_high_ns, gain_source FROM finding WHERE rule = 'single_server'" --format csv
done
--- out
1. single_server: a cure saves about 20.0 ms (19.0 ms to 20.0 ms) in a
   replay; confidence high
   4 processes waited for <0.9.0>, which serves one at a time: it was at work
   100 % of the time that somebody waited for it
rule,gain_low_ns,gain_ns,gain_high_ns,gain_source
single_server,18995649,20000000,20000000,replay
1. single_server: a cure saves about 20.0 ms (10.0 ms to 20.0 ms); confidence
   high
   4 processes waited for <0.9.0>, which serves one at a time: it was at work
   100 % of the time that somebody waited for it; other schedulers were free for
   20.0 ms of it
rule,gain_low_ns,gain_ns,gain_high_ns,gain_source
single_server,9997750,19995500,20000000,trace
