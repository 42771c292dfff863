A server as a queue: 24 requests of two clients, each 600 ns of work; the second of a pair stays in the mailbox until the reply to the first. Requests that want no answer are not taken for those that are answered.
--- trace
@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2
0     <0.9.0> s1 spawn child=<0.20.0> mfa=shop:rates/0
0     <0.9.0> s1 spawn child=<0.21.0> mfa=shop:client/1
0     <0.9.0> s1 spawn child=<0.22.0> mfa=shop:client/1
--- run
trace() {
    cat T.txt
    awk 'BEGIN {
        for (i = 0; i < 12; i++) {
            t = 1000 + i * 2000
            for (c = 21; c < 23; c++) {
                printf "%d <0.%d.0> s2 in mfa=shop:ask/2\n", t + (c - 21) * 50, c
                if (i > 0) printf "%d <0.%d.0> s2 receive words=3 hash=%x\n", t + (c - 21) * 50 + 5, c, 1000 * c + i - 1
                printf "%d <0.%d.0> s2 send to=<0.20.0> words=3 hash=%x\n", t + (c - 21) * 50 + 10, c, 100 * c + i
                printf "%d <0.%d.0> s2 out mfa=shop:ask/2\n", t + (c - 21) * 50 + 20, c
            }
            printf "%d <0.20.0> s1 in mfa=shop:rates/0\n", t + 100
            for (c = 21; c < 23; c++)
                printf "%d <0.20.0> s1 receive words=3 hash=%x\n", t + 110, 100 * c + i
            for (c = 21; c < 23; c++)
                printf "%d <0.20.0> s1 send to=<0.%d.0> words=3 hash=%x\n", t + 110 + (c - 20) * 600, c, 1000 * c + i
            printf "%d <0.20.0> s1 out mfa=shop:rates/0\n", t + 1400
        }
    }'
}
trace > U.txt
COLUMNS=150 $STROBE report U.txt servers
$STROBE query U.sbp "SELECT process, clients, requests, service_p50_ns, service_p99_ns, mailbox_p50_ns, mailbox_p99_ns, utilisation, round_trip_p50_ns FROM server" --format csv
# each round the client casts, calls and casts; the call is answered after 300 ns
awk 'BEGIN {
    print "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    print "0 <0.9.0> s1 spawn child=<0.20.0> mfa=shop:stock/0"
    print "0 <0.9.0> s1 spawn child=<0.21.0> mfa=shop:client/1"
    for (i = 0; i < 12; i++) {
        t = 1000 + i * 100000
        printf "%d <0.21.0> s2 in mfa=shop:ask/2\n", t
        if (i > 0) printf "%d <0.21.0> s2 receive words=3 hash=%x\n", t + 1, 1000 + i - 1
        for (k = 0; k < 3; k++) printf "%d <0.21.0> s2 send to=<0.20.0> words=3 hash=%x\n", t + 10, 100 + 3 * i + k
        printf "%d <0.21.0> s2 out mfa=shop:ask/2\n", t + 20
        printf "%d <0.20.0> s1 in mfa=shop:stock/0\n", t + 50
        for (k = 0; k < 3; k++) {
            printf "%d <0.20.0> s1 receive words=3 hash=%x\n", t + 60 + 400 * k, 100 + 3 * i + k
            if (k == 1) printf "%d <0.20.0> s1 send to=<0.21.0> words=3 hash=%x\n", t + 60 + 400 * k + 300, 1000 + i
        }
        printf "%d <0.20.0> s1 out mfa=shop:stock/0\n", t + 1200
    }
}' > V.txt
$STROBE query V.txt "SELECT requests, replies, service_p50_ns, service_p99_ns, mailbox_p50_ns, mailbox_p99_ns FROM server" --format csv
# nine replies make no server, however many casts there are
awk '/^@/ || $1 < 900000' V.txt > W.txt
$STROBE query W.txt "SELECT count(*) FROM server" --format csv
--- out
Servers, by the time that they were occupied
server        utilisation  occupied  clients  requests  replies  requests per s  service p50  service p99  mailbox p50  mailbox p99  round trip p50
shop:rates/0      63.93 %   59.02 %        2        24       24         983,607       600 ns       600 ns       100 ns       650 ns         2.00 us
process,clients,requests,service_p50_ns,service_p99_ns,mailbox_p50_ns,mailbox_p99_ns,utilisation,round_trip_p50_ns
2,2,24,600,600,100,650,639344,1995
requests,replies,service_p50_ns,service_p99_ns,mailbox_p50_ns,mailbox_p99_ns
36,12,300,300,450,450
count(*)
0
