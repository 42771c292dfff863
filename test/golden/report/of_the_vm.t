Messages that nobody sent may be answers of the VM, as to erts_literal_area_collector. Servers with few replies each are in no table,
however many they are.
--- run
awk 'BEGIN {
    print "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=1"
    print "0 <0.2.0> s1 in mfa=erts_literal_area_collector:msg_loop/4"
    for (i = 0; i < 5; i++) printf "%d <0.2.0> s1 receive words=3 hash=%x\n", 10 + i, 1 + i
    print "100 <0.2.0> s1 out mfa=erts_literal_area_collector:msg_loop/4"
    for (i = 0; i < 20; i++) {
        t = 1000 + 1000 * i; s = 20 + i
        printf "%d <0.9.0> s1 in mfa=gen:do_call/4\n%d <0.9.0> s1 send to=<0.%d.0> words=3 hash=%x\n%d <0.9.0> s1 out mfa=gen:do_call/4\n", t, t + 10, s, 100 + i, t + 20
        printf "%d <0.%d.0> s1 in mfa=shop:session/0\n%d <0.%d.0> s1 receive words=3 hash=%x\n%d <0.%d.0> s1 send to=<0.9.0> words=3 hash=%x\n%d <0.%d.0> s1 out mfa=shop:session/0\n", t + 30, s, t + 40, s, 100 + i, t + 50, s, 200 + i, t + 60, s
        printf "%d <0.9.0> s1 in mfa=gen:do_call/4\n%d <0.9.0> s1 receive words=3 hash=%x\n%d <0.9.0> s1 out mfa=gen:do_call/4\n", t + 70, t + 80, 200 + i, t + 90
    }
}' > T.txt
COLUMNS=120 $STROBE report T.txt | grep -A1 '^messages'
COLUMNS=120 $STROBE report T.txt latency
--- out
messages          40 sent, 45 received (5 or more from sockets, timers, monitors, links, the VM or processes not
                  traced); 120 words in all
Round trips of requests, by 99th percentile
-- none: no single process replied ten times or more to others that waited
