A process that waited only for the init of another one is no client of it: what it sends later answers the other's requests.
--- run
cat > make.awk <<'AWK'
BEGIN {
    print "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    print "0 <0.9.0> s1 spawn child=<0.20.0> mfa=shop:sup/0"
    print "10 <0.20.0> s1 in mfa=shop:sup/0\n20 <0.20.0> s1 spawn child=<0.21.0> mfa=shop:manager/0\n30 <0.20.0> s1 out mfa=proc_lib:sync_start/2"
    print "40 <0.21.0> s1 in mfa=shop:manager/0\n50 <0.21.0> s1 send to=<0.20.0> words=3 hash=2\n60 <0.21.0> s1 out mfa=gen_server:loop/7"
    print "70 <0.20.0> s1 in mfa=proc_lib:sync_start/2\n75 <0.20.0> s1 receive words=3 hash=2\n80 <0.20.0> s1 out mfa=gen_server:loop/7"
    for (i = 0; i < 12; i++) {
        t = 1000 + i * 10000
        printf "%d <0.21.0> s1 in mfa=shop:loop/0\n", t
        if (i > 0) printf "%d <0.21.0> s1 receive words=3 hash=%x\n", t + 1, 1000 + i - 1
        printf "%d <0.21.0> s1 send to=<0.20.0> words=3 hash=%x\n%d <0.21.0> s1 out mfa=shop:children/0\n", t + 10, 100 + i, t + 20
        printf "%d <0.20.0> s1 in mfa=gen_server:loop/7\n%d <0.20.0> s1 receive words=3 hash=%x\n", t + 50, t + 60, 100 + i
        printf "%d <0.20.0> s1 send to=<0.21.0> words=3 hash=%x\n%d <0.20.0> s1 out mfa=gen_server:loop/7\n", t + 360, 1000 + i, t + 400
    }
}
AWK
awk -f make.awk > T.txt
$STROBE query T.txt "SELECT who(process) AS server, clients, replies, round_trip_p50_ns, service_p50_ns FROM server" --format csv
$STROBE query T.txt "SELECT who(server) AS server, who(client) AS client, count, p50_ns FROM request" --format csv
--- out
server,clients,replies,round_trip_p50_ns,service_p50_ns
shop:sup/0,1,12,9991,300
server,client,count,p50_ns
shop:sup/0,shop:manager/0,12,9991
