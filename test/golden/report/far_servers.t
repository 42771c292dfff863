Servers of a node that was recorded alone, whose clients are of another one. till is a gen_server: calls that it answers, one of each five by a process that it starts. echo answers messages that name a process. peer exchanges news with one at its own times, cast only takes: they are no servers. When a request was sent is unknown, and so is its round trip. With the trace of the clients the round trips are known, and nobody is counted twice, however the two are joined.
--- run
cat > make.awk <<'AWK'
BEGIN {
    print "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2 boot=x boot_minus_at_ns=0"
    print "0 - - waits mfa=gen_server:loop/7 kind=1\n0 - - waits mfa=echo:loop/0 kind=1"
    split("till echo peer cast", name)
    for (p = 1; p <= 4; p++) printf "0 <0.2%d.0> s1 register name=%s\n", p, name[p]
    for (p = 21; p <= 24; p++) { run(100 * p, p, p == 22 ? "echo:loop/0" : "gen_server:loop/7"); leave(10, p == 22 ? "echo:loop/0" : "gen_server:loop/7") }
    for (i = 0; i < 15; i++) {
        t = 1000000 + i * 100000; client = 50 + i % 3
        run(t, 21, "gen_server:loop/7"); get(client, 2)
        if (i % 5 == 4) { # 20 us by another process
            printf "%d <0.21.0> s1 spawn child=<0.%d.0> mfa=till:work/0\n", now, 70 + i
            leave(100, "gen_server:loop/7"); run(t + 1000, 70 + i, "till:work/0"); now = t + 20000; send(client); line("exit reason=normal"); line("out_exited")
        } else { now = t + 5000; send(client); leave(100, "gen_server:loop/7") }
        run(t + 30000, 22, "echo:loop/0"); get(60, 1); now += 3000; send(60); leave(100, "echo:loop/0")
        run(t + 40000, 23, "gen_server:loop/7"); get(61, 1); leave(100, "gen_server:loop/7")
        run(t + 50000, 23, "gen_server:loop/7"); line(sprintf("receive hash=%x", 8000 + i)); send(61); leave(100, "gen_server:loop/7")
        run(t + 60000, 24, "gen_server:loop/7"); line(sprintf("receive hash=%x", 9000 + i)); leave(100, "gen_server:loop/7")
    }
}
function run(at, p, f) { now = at; who = p; line("in mfa=" f) }
function leave(after, f) { now += after; line("out mfa=" f) }
function send(p,   hash) {
    now += 10; hash = sprintf("words=3 hash=%x", 1000000 * who + 1000 * p + ++sent[p])
    line(sprintf("send to=<0.%d.0>@b@h/1 %s", p, hash))
    at_b(now + 1000, p, "in mfa=gen:do_call/4"); at_b(now + 1100, p, "receive " hash); at_b(now + 1200, p, "out mfa=gen:do_call/4")
}
function get(p, asks,   hash) {
    now += 10; hash = sprintf("hash=%x", 1000000 * p + 1000 * who + ++got[p, who])
    line(sprintf("receive down=<0.%d.0>@b@h/1 asks=%d %s", p, asks, hash))
    at_b(now - 2000, p, "in mfa=gen:do_call/4"); at_b(now - 1900, p, sprintf("send to=<0.%d.0>@a@h/1 words=3 %s", who, hash)); at_b(now - 1800, p, "out mfa=gen:do_call/4")
}
function at_b(at, p, what) { sub("gen:do_call/4", p == 61 ? "gen_server:loop/7" : "gen:do_call/4", what); printf "%d <0.%d.0> s1 %s\n", at, p, what > "B.raw" }
function line(what) { printf "%d <0.%d.0> s1 %s\n", now, who, what }
AWK
awk -f make.awk | sort -n -s > A.txt
(echo "@meta node=b@h creation=1 recorded=procs,running,messages schedulers=1 boot=x boot_minus_at_ns=0"; sort -n -s B.raw) > B.txt
COLUMNS=100 $STROBE report A.txt servers
COLUMNS=100 $STROBE report A.txt latency
$STROBE query A.txt "SELECT who(process) AS server, clients, requests, replies, service_p50_ns, service_p99_ns, mailbox_p50_ns, round_trip_p50_ns, who(asks_most) AS asks_most, work_ns, waiting_ns, reply_ns FROM server" --format csv
$STROBE query A.txt "SELECT who(server) AS server, who(client) AS client, path, count, p50_ns, service_ns, clients FROM request" --format csv
$STROBE dump A.txt | grep -c asks=
for n in A B; do $STROBE analyze $n.txt -o $n.sbp > log 2>&1; done
$STROBE analyze A.txt B.txt -o AB.sbp > log 2>&1
$STROBE merge A.sbp B.sbp -o M.sbp > log 2>&1
for p in AB M; do $STROBE query $p.sbp "SELECT who(process) AS server, clients, requests, replies, service_p50_ns, mailbox_p50_ns, round_trip_p50_ns FROM server" --format csv; done
$STROBE query M.sbp "SELECT count(*), count(asker), count(call) FROM message WHERE sender IS NULL"
--- out
Servers, by the time that they were occupied
server  utilisation  occupied  clients  requests  replies  requests per s  service p50  service p99
till         2.51 %    2.45 %        3        15       15           6,097      5.00 us      20.0 us
echo         1.90 %    1.84 %        1        15       15           6,097      3.01 us      3.01 us
-- unknown, and not shown: mailbox p50, round trip p50
Round trips of requests
server  requests  requests per s     work  waiting  runnable  waits for    pid
till          15           6,097  4.02 us  3.98 us      0 ns  till:work/0  <0.21.0>
echo          15           6,097  3.01 us     0 ns      0 ns  --           <0.22.0>
-- unknown, and not shown: p50, p99, max, mailbox
server,clients,requests,replies,service_p50_ns,service_p99_ns,mailbox_p50_ns,round_trip_p50_ns,asks_most,work_ns,waiting_ns,reply_ns
till,3,15,15,5000,20000,,,<0.50.0> on b@h,4020,3980,
echo,1,15,15,3010,3010,,,<0.60.0> on b@h,3010,0,
server,client,path,count,p50_ns,service_ns,clients
till,<0.50.0> on b@h,till,5,,8000,1
till,<0.51.0> on b@h,till,5,,8000,1
till,<0.52.0> on b@h,till,5,,8000,1
echo,<0.60.0> on b@h,echo,15,,3010,1
45
server,clients,requests,replies,service_p50_ns,mailbox_p50_ns,round_trip_p50_ns
till,3,15,15,5000,1900,8000
echo,1,15,15,3010,1900,6010
server,clients,requests,replies,service_p50_ns,mailbox_p50_ns,round_trip_p50_ns
till,3,15,15,5000,1900,8000
echo,1,15,15,3010,1900,6010
count(*)  count(asker)  count(call)
      30             0            0
