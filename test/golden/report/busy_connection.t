A process that floods another node waits for the connection: its waits have a name, apart from those for a message.
--- run
flood() { # MICROSECONDS between two pieces
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    echo "0 <0.9.0> s1 spawn child=<0.20.0> mfa=shop:copy/0"
    echo "1000 <0.9.0> s1 waits mfa=shop:copy/0 kind=0"
    awk -v pause="$1" 'BEGIN {
        t = 10000
        for (i = 1; i <= 40; i++) {
            printf "%d <0.20.0> s1 in mfa=erts_internal:dsend_continue_trap/1\n", t
            printf "%d <0.20.0> s1 send to=<0.7.0>@b@h/1 words=900 hash=%x\n", t + 1000, i
            printf "%d <0.20.0> s1 out mfa=erts_internal:dsend_continue_trap/1\n", t + 5000
            t += 5000 + pause * 1000
        }
        printf "%d <0.20.0> s1 in mfa=erts_internal:dsend_continue_trap/1\n%d <0.20.0> s1 exit reason=normal\n", t, t + 1000
    }'
}
flood 2000 > T.txt
COLUMNS=100 $STROBE report T.txt findings | grep -v '^$'
$STROBE query T.txt "SELECT cause, count(*) AS n FROM gap WHERE wait_ns + runnable_ns > 0 GROUP BY 1 ORDER BY 2" --format csv
COLUMNS=100 $STROBE report T.txt critical | tail -n 3
flood 10 > quick.txt # put back at once
$STROBE report quick.txt findings | grep -c busy_connection || true
--- out
1. busy_connection: a cure saves at most 79.9 ms; confidence medium
   shop:copy/0 <0.20.0> waited 79.9 ms, in 40 waits, until the connection to another node took more
   of what it sends: it sends faster than the node receives
   cure: send fewer or smaller messages, compute there what is needed there, let the receiver say
   when it can take more, and send large data over a socket of its own; a larger buffer
   (+zdbbl, in kilobytes) helps against bursts only
   see: strobe query T.sbp "SELECT start, wait_ns FROM gap WHERE process = 2 AND cause = 'busy'
   ORDER BY wait_ns DESC LIMIT 10"
cause,n
spawn,1
busy,40
 0.01 %  10.0 us  queue    shop:copy/0          1  --                                       1
-- a connection to another node set this length: shop:copy/0 <0.20.0> waited 79.9 ms of 80.2 ms in
   erts_internal:dsend_continue_trap/1, until its buffer had room
0
