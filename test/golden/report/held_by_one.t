A server that waits for one port, or for one process that works all that time, gains nothing if it answers later:
there have to be several of these. Both were there before the trace, so it is unknown who wrote first; but the server
waits for the other one outside of its loop. What is held up there waits for no worker that is handed out.
--- run
# four callers of <0.30.0>, which waits 5 ms for port <0.8> ("port") or for <0.31.0>, which works 4 ms for each request
trace() {
    echo "@meta node=a@h creation=1 recorded=procs,running,messages,ports schedulers=2"
    for p in 30 31; do echo "0 <0.$p.0> s1 exists entry=shop:p$p/0 status=0"; done
    echo "0 #Port<0.8> s1 exists parent=<0.30.0> status=0"
    for c in 0 1 2 3; do echo "1 <0.9.0> s1 spawn child=<0.2$c.0> mfa=shop:client/0"; done
    for c in 0 1 2 3; do
        echo "1${c}0 <0.2$c.0> s1 in mfa=shop:client/0"
        echo "1${c}1 <0.2$c.0> s1 send to=<0.30.0> words=9 hash=a$c"
        echo "1${c}5 <0.2$c.0> s1 out mfa=gen:do_call/4"
    done
    awk -v port="$([ "$1" = port ] && echo 1)" 'BEGIN {
        print "500 <0.30.0> s2 in mfa=gen_server:loop/7"
        for (c = 0; c < 4; c++) printf "501 <0.30.0> s2 receive words=9 hash=a%d\n", c
        print "530 <0.30.0> s2 out mfa=gen_server:loop/7\n540 <0.30.0> s2 in mfa=gen_server:loop/7"
        for (i = 1; i <= 80; i++) {
            t = i * 5000000; c = (i - 1) % 4; u = i == 1 ? 550 : t - 5000000 + 70
            if (!port) {
                printf "%d <0.30.0> s2 send to=<0.31.0> words=9 hash=b%d\n", u, i
                printf "%d <0.31.0> s1 in mfa=shop:disk/0\n%d <0.31.0> s1 receive words=9 hash=b%d\n", u + 10, u + 11, i
            }
            printf "%d <0.30.0> s2 out mfa=shop:read/1\n", u + 5
            if (port) {
                printf "%d #Port<0.8> s1 in\n%d #Port<0.8> s1 out\n", t - 20, t - 10
            } else {
                printf "%d <0.31.0> s1 send to=<0.30.0> words=9 hash=c%d\n%d <0.31.0> s1 out mfa=shop:disk/0\n", t - 10, i, t - 5
            }
            printf "%d <0.30.0> s2 in mfa=shop:read/1\n%d <0.30.0> s2 receive words=9 hash=c%d\n", t, t, i
            printf "%d <0.30.0> s2 send to=<0.2%d.0> words=9 hash=d%d\n", t + 5, c, i
            printf "%d <0.30.0> s2 out mfa=gen_server:loop/7\n", t + 10
            printf "%d <0.2%d.0> s1 in mfa=gen:do_call/4\n%d <0.2%d.0> s1 receive words=9 hash=d%d\n", t + 20, c, t + 21, c, i
            printf "%d <0.2%d.0> s1 send to=<0.30.0> words=9 hash=e%d\n%d <0.2%d.0> s1 out mfa=gen:do_call/4\n", t + 30, c, i, t + 40, c
            printf "%d <0.30.0> s2 in mfa=gen_server:loop/7\n%d <0.30.0> s2 receive words=9 hash=e%d\n", t + 50, t + 51, i
        }
    }'
}
for t in port process; do
    trace $t > $t.txt
    COLUMNS=100 $STROBE report $t.txt findings | grep -A5 '^[0-9].*\(convoy\|small_pool\)'
done
--- out
1. convoy: a cure saves at most 395 ms, of a call at most 20.0 ms (p99); confidence medium
   shop:p30/0 <0.30.0> kept its 4 callers in a queue for 395 ms while it waited itself, mostly for
   its port #Port<0.8> in shop:read/1
   cure: start several of what it waits for (external programs, connections, workers) and share the
   requests among them, or ask it less often, for several requests at once; to answer later
   ({noreply, State}) helps only if what it waits for takes several requests at a time
1. convoy: a cure saves at most 200 ms, of a call at most 20.0 ms (p99); confidence medium
   shop:p30/0 <0.30.0> kept its 4 callers in a queue for 395 ms while it waited itself, mostly for
   shop:p31/0 <0.31.0>, which was at work 100 % of that time
   cure: start several of what it waits for (external programs, connections, workers) and share the
   requests among them, or ask it less often, for several requests at once; to answer later
   ({noreply, State}) helps only if what it waits for takes several requests at a time
