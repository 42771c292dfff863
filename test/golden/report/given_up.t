A call ends when its caller gives up: the server serves it later, and its reply is no part of a round trip. Nor does a process wait that
has ended.
--- run
# four clients call <0.20.0>, which needs 20 ms for each request, with a timeout of 30 ms, and again when that has passed
awk 'BEGIN {
    print "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    for (c = 0; c < 4; c++) printf "0 <0.9.0> s1 spawn child=<0.3%d.0> mfa=shop:client/0\n", c
    print "0 <0.9.0> s1 spawn child=<0.20.0> mfa=shop:quotes/0\n0 <0.20.0> s1 register name=quotes"
    for (i = 0; i < 10; i++) for (c = 0; c < 4; c++) {
        t = 1000 + i * 30000000 + c * 1000
        printf "%d <0.3%d.0> s1 in mfa=gen:do_call/4\n", t, c
        if (i > 0 && !(i == 1 && c == 0)) printf "%d <0.3%d.0> s1 receive words=1 timeout\n", t + 1, c
        printf "%d <0.3%d.0> s1 send to=<0.20.0> words=3 hash=%x\n", t + 100, c, 1 + 4 * i + c
        printf "%d <0.3%d.0> s1 %s\n", t + 200, c, i < 9 ? "out mfa=gen:do_call/4" : "exit reason=normal"
    }
    for (k = 0; k < 40; k++) { # the first one comes in time
        c = k % 4; t = 2000000 + k * 20000000
        printf "%d <0.20.0> s2 in mfa=gen_server:loop/7\n%d <0.20.0> s2 receive words=3 hash=%x\n", t, t + 10, 1 + k
        printf "%d <0.20.0> s2 out mfa=timer:sleep/1\n%d <0.20.0> s2 in mfa=timer:sleep/1\n%d <0.20.0> s2 receive words=1 timeout\n", t + 100, t + 19000000, t + 19000001
        printf "%d <0.20.0> s2 send to=<0.3%d.0> words=3 hash=%x\n%d <0.20.0> s2 out mfa=gen_server:loop/7\n", t + 19000100, c, 1000 + k, t + 19000200
        if (k > 0 && t < 250000000) printf "%d <0.3%d.0> s1 in mfa=gen:do_call/4\n%d <0.3%d.0> s1 out mfa=gen:do_call/4\n", t + 19001000, c, t + 19001020, c
        if (k == 0) printf "%d <0.30.0> s1 in mfa=gen:do_call/4\n%d <0.30.0> s1 receive words=3 hash=%x\n%d <0.30.0> s1 out mfa=shop:client/0\n", t + 19001000, t + 19001010, 1000 + k, t + 19001020
    }
    print "900000000 <0.9.0> s1 in mfa=shop:main/0\n900001000 <0.9.0> s1 exit reason=normal"
}' | awk '/^@/ { print; next } { print | "sort -ns" }' > T.txt
COLUMNS=140 $STROBE report T.txt latency
COLUMNS=100 $STROBE report T.txt findings | head -4
$STROBE query T.txt "SELECT replies, server.given_up, round_trip_p99_ns, mailbox_p99_ns, count, r.given_up, p99_ns, r.mailbox_ns FROM server JOIN request r ON r.server = process" --format csv
--- out
Round trips of requests, by 99th percentile
server  requests  requests per s      p50      p99      max  mailbox    work  waiting  runnable   reply  waits for      given up  pid
quotes        40          44.444  30.0 ms  30.0 ms  30.0 ms  2.00 ms  190 ns  19.0 ms   2.00 us  910 ns  timer:sleep/1        39  <0.20.0>
1. call_timeouts: a cure saves at most 270 ms, of a call at most 30.0 ms (p99); confidence medium
   at least 35 calls to quotes <0.20.0> timed out: 4 processes waited 30.0 ms a call on average and
   gave up; nothing was at work for 142 ms of that
   cure: keep the server free: return {noreply, State} and answer with gen_server:reply/2, or share
replies,given_up,round_trip_p99_ns,mailbox_p99_ns,count,given_up,p99_ns,mailbox_ns
40,39,29998144,511995910,10,9,29998144,1998910
40,39,29998144,511995910,10,10,29998026,
40,39,29998144,511995910,10,10,29998026,
40,39,29998144,511995910,10,10,29998026,
