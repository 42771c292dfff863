Round trips by server, client and call path: a client asks shop, which asks prices, which asks db, or answers by itself; twenty clients of one group ask db. Occupied is a server from the fetching of a request to its reply, also while it waits for another.
--- trace
@meta node=a@h creation=1 recorded=procs,running,messages schedulers=3
--- run
cat > make.awk <<'AWK'
BEGIN {
    for (p = 20; p < 23; p++) printf "0 <0.9.0> s1 spawn child=<0.%d.0> mfa=shop:server/0\n", p
    print "0 <0.20.0> s1 register name=shop\n0 <0.21.0> s1 register name=prices\n0 <0.22.0> s1 register name=db"
    print "0 <0.9.0> s1 spawn child=<0.30.0> mfa=shop:client/1"
    for (p = 40; p < 60; p++) printf "0 <0.9.0> s1 spawn child=<0.%d.0> mfa=shop:reader/0\n", p
    for (i = 0; i < 30; i++) {
        t = 1000 + i * 200000
        run(t, 30, "shop:ask/1"); send(20); leave(50, "shop:ask/1")
        run(t + 100, 20, "shop:loop/0"); get(30)
        if (i % 3 > 0) {            # 10 us in the mailbox of prices, 20 us of db's work, 40 us to come back
            send(21); leave(1000, "shop:price/1")
            run(t + 11000, 21, "shop:loop/0"); get(20); send(22); leave(1000, "shop:row/1")
            run(t + 12000, 22, "shop:loop/0"); get(21); now += 20000; send(21); leave(100, "shop:loop/0")
            run(t + 33000, 21, "shop:row/1"); get(22); send(20); leave(100, "shop:loop/0")
            run(t + 73000, 20, "shop:price/1"); get(21)
        }
        now += 2000; send(30); leave(100, "shop:loop/0")
        run(t + 80000 + (i == 29) * 50000, 30, "shop:ask/1"); get(20); leave(10, "shop:ask/1")
    }
    for (p = 40; p < 60; p++) {
        t = 7000000 + p * 10000
        run(t, p, "shop:read/0"); send(22); leave(50, "shop:read/0")
        run(t + 100, 22, "shop:loop/0"); get(p); now += 3000; send(p); leave(100, "shop:loop/0")
        run(t + 5000, p, "shop:read/0"); get(22); leave(10, "shop:read/0")
    }
}
function run(at, p, f) { now = at; who = p; line("in mfa=" f) }
function leave(after, f) { now += after; line("out mfa=" f) }
function send(p) { now += 10; line(sprintf("send to=<0.%d.0> words=3 hash=%x", p, 1000000 * who + 1000 * p + ++sent[who, p])) }
function get(p) { now += 10; line(sprintf("receive words=3 hash=%x", 1000000 * p + 1000 * who + ++got[p, who])) }
function line(what) { printf "%d <0.%d.0> s%d %s\n", now, who, who == 22 ? 3 : 1 + (who < 30), what }
AWK
awk -f make.awk | sort -n -s >> T.txt
COLUMNS=80 $STROBE report T.txt latency
COLUMNS=140 $STROBE report T.txt latency --process shop
$STROBE query T.txt "SELECT who(server) AS server, who(client) AS client, path, count, p50_ns, p99_ns, max_ns, mailbox_ns, service_ns, work_ns, waiting_ns, who(waits_for) AS waits_for, clients FROM request" --format csv
# table server has the same requests
$STROBE query T.txt "SELECT s.process FROM server s JOIN request r ON r.server = s.process GROUP BY s.process HAVING s.replies <> sum(r.count) OR s.round_trip_max_ns <> max(r.max_ns) OR abs(s.waiting_ns * s.replies - sum(r.waiting_ns * r.count)) > s.replies" --format csv
COLUMNS=80 $STROBE report T.txt servers | cut -c 1-40
for limit in 'p99_ns > 1ms' 'p99_ns > 100us'; do $STROBE report T.txt latency --fail-on "$limit" > log; echo $?; done
$STROBE report T.txt latency --since 1ms
--- out
Round trips of requests, by 99th percentile
server      p50      p99      max  mailbox     work  waiting    reply  waits for
shop    80.0 us   130 us   130 us   100 ns  2.69 us  21.3 us  31.0 us  prices
prices  72.9 us  72.9 us  72.9 us  10.9 us  1.03 us  20.0 us  40.0 us  db
db      5.00 us  22.0 us  22.0 us   545 ns  11.5 us     0 ns  1.44 us  --
Round trips of requests, by 99th percentile
server  requests  requests per s      p50     p99     max  mailbox     work  waiting  runnable    reply  waits for  given up  pid
shop          30           3,950  80.0 us  130 us  130 us   100 ns  2.69 us  21.3 us   26.7 us  31.0 us  prices            0  <0.20.0>
server,client,path,count,p50_ns,p99_ns,max_ns,mailbox_ns,service_ns,work_ns,waiting_ns,waits_for,clients
shop,shop:client/1,shop -> prices -> db,20,80000,130000,130000,100,74910,3030,31900,prices,1
shop,shop:client/1,shop,10,80000,80000,80000,100,2010,2010,0,,1
db,prices,db,20,21990,21990,21990,990,20010,20010,0,,1
db,shop:reader/0,db,20,5000,5000,5000,100,3010,3010,0,,20
prices,shop,prices -> db,20,72890,72890,72890,10890,22010,1030,20000,db,1
process
Servers, by the time that they were occu
server  utilisation  occupied  requests 
shop         1.11 %   19.99 %        30 
db           6.12 %    6.06 %        40 
prices       0.30 %    5.80 %        20 
0
3
--- exit 2
