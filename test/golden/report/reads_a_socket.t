A process that passes on what its socket delivers makes no calls, however long it waits for more; without a port of its own, it waits for the process that it asked.
--- run
# reader <0.20.0> sends each of 40 requests to channel <0.30.0>, and is woken 2 ms later by a message of unknown origin
trace() { # an event of the port
    echo "@meta node=a@h creation=1 recorded=procs,running,messages,ports schedulers=2"
    for p in 20 30; do echo "0 <0.9.0> s1 spawn child=<0.$p.0> mfa=shop:p$p/0"; done
    echo "$1"
    awk 'BEGIN { for (i = 0; i < 40; i++) {
        t = 1000 + i * 2100000; h = i + 256
        printf "%d <0.20.0> s1 in mfa=shop:recv/2\n%d <0.20.0> s1 receive words=9 hash=%x\n", t, t + 10, h + 4096
        printf "%d <0.20.0> s1 send to=<0.30.0> words=4 hash=%x\n%d <0.20.0> s1 out mfa=shop:recv/2\n", t + 5000, h, t + 10000
        printf "%d <0.30.0> s2 in mfa=gen_server:loop/7\n%d <0.30.0> s2 receive words=4 hash=%x\n", t + 11000, t + 11010, h
        printf "%d <0.30.0> s2 out mfa=gen_server:loop/7\n", t + 90000
    } }'
    echo "84001000 <0.20.0> s1 in mfa=shop:recv/2"
    echo "84002000 <0.20.0> s1 exit reason=normal"
}
trace "20 #Port<0.5> s1 open owner=<0.9.0> driver=tcp_inet" > nobody.txt
trace "20 #Port<0.5> s1 open owner=<0.20.0> driver=tcp_inet" > reader.txt
for t in nobody reader; do COLUMNS=100 $STROBE report $t.txt | sed '/^$/,$d'; done
--- out
Worth looking at
1. shop:p20/0 <0.20.0> made 40 calls one after the other and waited 2.09 ms for each on average;
   nothing was at work for 78.3 ms of that: a cure saves at most 76.3 ms
   cure: send all requests first (gen_server:send_request/2, erpc:send_request/4) and take the
         replies then, or ask for everything in one call
   strobe report nobody.sbp findings
Worth looking at
no cause was found whose cure would save 5 % of the program's time
- nothing was at work or ready for 80.4 ms of 84.0 ms of the program: all waited for requests,
  replies or timers
- most work was in shop:p30/0 <0.30.0> (3.16 ms), shop:p20/0 <0.20.0> (401 us)
