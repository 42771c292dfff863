Numbers have commas above 999. What a cure saves of a call stands only where callers wait for the fault: a server that starts many
processes is not called for that.
--- run
serve() { # 1,200 clients call <0.20.0>, all at once
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    echo "0 <0.9.0> s1 spawn child=<0.20.0> mfa=shop:rates/0"
    awk 'BEGIN {
        for (i = 0; i < 1200; i++) {
            p = "<0." 100 + i ".0>"; t = 10000 + i * 1000
            printf "%d <0.9.0> s1 spawn child=%s mfa=shop:client/0\n%d %s s1 in mfa=shop:client/0\n", t, p, t + 100, p
            printf "%d %s s1 send to=<0.20.0> words=3 hash=%x\n%d %s s1 out mfa=gen:do_call/4\n", t + 200, p, 1 + i, t + 300, p
        }
        print "2000000 <0.20.0> s2 in mfa=shop:rates/0"
        for (i = 0; i < 1200; i++) {
            p = "<0." 100 + i ".0>"; t = 2000000 + i * 100000
            printf "%d <0.20.0> s2 receive words=3 hash=%x\n%d <0.20.0> s2 send to=%s words=3 hash=%x\n", t + 10, 1 + i, t + 90000, p, 5000 + i
            printf "%d %s s1 in mfa=gen:do_call/4\n%d %s s1 receive words=3 hash=%x\n%d %s s1 exit reason=normal\n", t + 91000, p, t + 91100, p, 5000 + i, t + 91200, p
        }
        print "122000000 <0.20.0> s2 out mfa=shop:rates/0"
    }'
}
ask() { # 40 calls to <0.20.0>, one each 10 ms, from $1 on
    awk -v from="$1" 'BEGIN {
        for (i = 0; i < 40; i++) {
            t = from + i * 10000000
            printf "%d <0.8.0> s2 in mfa=shop:client/0\n%d <0.8.0> s2 send to=<0.20.0> words=3 hash=%x\n%d <0.8.0> s2 out mfa=gen:do_call/4\n", t, t + 10, 1 + i, t + 20
            printf "%d <0.20.0> s1 in mfa=shop:serve/1\n%d <0.20.0> s1 receive words=3 hash=%x\n%d <0.20.0> s1 send to=<0.8.0> words=3 hash=%x\n%d <0.20.0> s1 out mfa=shop:serve/1\n", t + 1000, t + 1010, 1 + i, t + 3000, 5000 + i, t + 3100
            printf "%d <0.8.0> s2 in mfa=gen:do_call/4\n%d <0.8.0> s2 receive words=3 hash=%x\n%d <0.8.0> s2 out mfa=shop:client/0\n", t + 4000, t + 4010, 5000 + i, t + 4020
        }
    }'
}
start() { # <0.20.0> starts 1,200 processes
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    ask 10000
    awk 'BEGIN {
        for (i = 0; i < 1200; i++) {
            t = 400000000 + i * 1000000; p = "<0." 30 + i ".0>"
            printf "%d <0.20.0> s1 in mfa=shop:serve/1\n%d <0.20.0> s1 spawn child=%s mfa=shop:one/1\n%d <0.20.0> s1 out mfa=shop:serve/1\n", t + 1000, t + 900000, p, t + 900010
            printf "%d %s s2 in mfa=shop:one/1\n%d %s s2 exit reason=normal\n", t + 900020, p, t + 910000, p
        }
    }'
}
for t in serve start; do
    echo "== $t"; $t | awk '/^@/ { print; next } { print | "sort -ns" }' > $t.txt
    COLUMNS=120 $STROBE report $t.txt findings | grep -A2 '^[0-9]'
done
--- out
== serve
1. single_server: a cure saves about 60.0 ms (56.7 ms to 60.0 ms) in a replay, of a call at most 120 ms (p99);
   confidence high
   1,200 processes waited for shop:rates/0 <0.20.0>, which serves one at a time: it was at work 98 % of the time that
--
2. mailbox_growth: a cure saves at most 60.0 ms, of a call at most 120 ms (p99); confidence medium
   the mailbox of shop:rates/0 <0.20.0> grew to at least 1,200 messages; while it was long, the process worked 120 ms,
   98 % of that time, and could not keep up
== start
1. fine_grained: a cure saves about 1.08 s (539 ms to 1.08 s); confidence medium
   1,200 processes of shop:one/1 worked 9.98 us each; <0.20.0> worked 1.08 s to start them and to take their results
   cure: give each process a chunk of the work instead of one item
