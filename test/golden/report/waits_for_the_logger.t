Those who log wait where the handler of the logger does, as for a socket: that costs more than the work for the events.
--- run
# four processes log in turn; the logger waits 1 ms for a socket with each event, and then answers
trace() {
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    echo "0 <0.30.0> s1 exists name=logger entry=gen_event:init_it/6 status=0"
    echo "0 <0.30.0> s1 register name=logger"
    for c in 0 1 2 3; do echo "1 <0.9.0> s1 spawn child=<0.2$c.0> mfa=shop:client/0"; done
    for c in 0 1 2 3; do
        echo "1${c}0 <0.2$c.0> s1 in mfa=shop:client/0"
        echo "1${c}1 <0.2$c.0> s1 send to=<0.30.0> words=9 hash=a$c"
        echo "1${c}5 <0.2$c.0> s1 out mfa=gen:do_call/4"
    done
    awk 'BEGIN {
        print "500 <0.30.0> s2 in mfa=gen_event:fetch_msg/6"
        for (c = 0; c < 4; c++) printf "501 <0.30.0> s2 receive words=9 hash=a%d\n", c
        for (i = 1; i <= 600; i++) {
            t = i * 1000000; c = (i - 1) % 4
            printf "%d <0.30.0> s2 out mfa=prim_inet:recv0/3\n", (i == 1 ? 540 : t - 1000000 + 60)
            printf "%d <0.30.0> s2 in mfa=prim_inet:recv0/3\n%d <0.30.0> s2 receive words=9\n", t, t + 1
            printf "%d <0.30.0> s2 send to=<0.2%d.0> words=9 hash=d%d\n", t + 5, c, i
            printf "%d <0.30.0> s2 out mfa=gen_event:fetch_msg/6\n", t + 10
            printf "%d <0.2%d.0> s1 in mfa=gen:do_call/4\n%d <0.2%d.0> s1 receive words=9 hash=d%d\n", t + 20, c, t + 21, c, i
            printf "%d <0.2%d.0> s1 send to=<0.30.0> words=9 hash=e%d\n%d <0.2%d.0> s1 out mfa=gen:do_call/4\n", t + 30, c, i, t + 40, c
            printf "%d <0.30.0> s2 in mfa=gen_event:fetch_msg/6\n%d <0.30.0> s2 receive words=9 hash=e%d\n", t + 50, t + 51, i
        }
    }'
}
trace > T.txt
COLUMNS=100 $STROBE report T.txt findings | grep -A12 '^[0-9].*logging'
--- out
1. logging: a cure saves at most 600 ms; confidence medium
   4 processes sent 604 events to the logger, shop:client/0 <0.20.0> most; formatting and writing
   them took 12.0 us to 24.1 us of work; 4 processes waited for the logger: somebody did for 600 ms,
   and it waited itself for 600 ms of that
   cure: let the handler do nothing that waits, such as a write to a slow device or a socket: hand
   the lines, many at once, to a process of its own; log less in a request; raise
   sync_mode_qlen of the handler, so that short bursts do not wait
   in Elixir: let the handler or backend do nothing that waits, such as a write to a slow device or
   a socket: hand the lines, many at once, to a process of its own; log less in a
   request; raise sync_threshold in config :logger, or sync_mode_qlen of the handler, so
   that short bursts do not wait
   see: strobe query T.sbp "SELECT who(sender), who(receiver), count FROM message_edge WHERE
   who(receiver) LIKE 'logger%' OR who(receiver) LIKE '%Logger%' ORDER BY count DESC LIMIT 10"
