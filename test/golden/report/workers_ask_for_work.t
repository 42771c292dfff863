Workers that take a connection each and then ask the process that started them for the next one: they wait for work, not in a queue, and ask
nothing that could be had at once. The process that hands out the work is the server, and waits in its loop.
--- run
# 4 workers, as acceptors of a web server: one works for 2 ms, says so (next), and another one that had asked goes on
{
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    awk 'function pid(w) { return "<0." 20 + w ".0>" }
    function wakes(t, to, hash) { printf "%d %s s2 in mfa=shop:worker/1\n%d %s s2 receive words=3 hash=%x\n", t, to, t + 10, to, hash }
    function asks(t, w) {
        printf "%d %s s2 send to=<0.9.0> words=4 hash=%x\n%d %s s2 out mfa=shop:worker/1\n", t, pid(w), ++h, t + 20, pid(w)
        printf "%d <0.9.0> s1 in mfa=shop:loop/1\n%d <0.9.0> s1 receive words=4 hash=%x\n", t + 1000, t + 1010, h
    }
    BEGIN {
        t = 1000
        printf "%d <0.9.0> s1 in mfa=shop:loop/1\n", t
        for (w = 0; w < 4; w++) printf "%d <0.9.0> s1 spawn child=%s mfa=shop:worker/1\n", t + 10 + w, pid(w)
        printf "%d <0.9.0> s1 out mfa=shop:loop/1\n", t + 100
        for (w = 0; w < 4; w++) {
            t += 100000
            printf "%d %s s2 in mfa=shop:worker/1\n", t, pid(w)
            if (w) { asks(t + 10, w); printf "%d <0.9.0> s1 out mfa=shop:loop/1\n", t + 2000 }
            else printf "%d %s s2 out mfa=shop:accept/1\n", t + 10, pid(w)
        }
        for (i = 0; i < 80; i++) {
            w = i % 4; n = (i + 1) % 4
            t += 3000000 + (i * i * 7919) % 4000000
            printf "%d %s s2 in mfa=shop:accept/1\n", t, pid(w)
            asks(t + 10, w)
            printf "%d <0.9.0> s1 send to=%s words=3 hash=%x\n%d <0.9.0> s1 out mfa=shop:loop/1\n", t + 1100, pid(n), ++h, t + 1200
            wakes(t + 2000, pid(n), h)
            printf "%d %s s2 out mfa=shop:accept/1\n", t + 2100, pid(n)
            printf "%d %s s2 in mfa=shop:worker/1\n", t + 100000, pid(w)
            asks(t + 200000, w)
            printf "%d <0.9.0> s1 out mfa=shop:loop/1\n", t + 201200
            t += 210000
        }
    }'
} > T.txt
$STROBE query T.txt "SELECT rule, title FROM finding" --format csv
$STROBE query T.txt "SELECT who(process) AS process, clients, requests, occupied FROM server" --format csv
# attached while they talk: who asked first is unknown, but one of them writes to each of the others in turn
{
    sed -n 1p T.txt
    for p in 9 20 21 22 23; do echo "0 <0.$p.0> s1 exists entry=shop:worker/1 status=0 $([ $p = 9 ] || echo parent='<0.9.0>')"; done
    grep -v spawn T.txt | sed 1d
} > A.txt
$STROBE query A.txt "SELECT who(process) AS process, clients, requests FROM server" --format csv
# one that ticks writes to all of them at once, and is no server
awk 'BEGIN {
    print "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    for (p = 9; p < 14; p++) printf "0 <0.%d.0> s1 exists entry=shop:%s/0 status=0\n", p, p == 9 ? "tick" : "worker"
    for (i = 0; i < 40; i++) {
        t = 1000 + i * 5000000
        printf "%d <0.9.0> s1 in mfa=timer:sleep/1\n%d <0.9.0> s1 receive words=1 timeout\n", t, t + 1
        for (p = 10; p < 14; p++) if (i) printf "%d <0.9.0> s1 receive words=3 hash=%x\n", t + 2, (i - 1) * 16 + p
        for (p = 10; p < 14; p++) printf "%d <0.9.0> s1 send to=<0.%d.0> words=2 hash=a%x\n", t + 3 + p, p, i * 16 + p
        printf "%d <0.9.0> s1 out mfa=timer:sleep/1\n", t + 100
        for (p = 10; p < 14; p++) {
            printf "%d <0.%d.0> s2 in mfa=shop:worker/0\n%d <0.%d.0> s2 receive words=2 hash=a%x\n", t + 100 * p, p, t + 100 * p + 1, p, i * 16 + p
            printf "%d <0.%d.0> s2 send to=<0.9.0> words=3 hash=%x\n%d <0.%d.0> s2 out mfa=shop:worker/0\n", t + 100 * p + 9, p, i * 16 + p, t + 100 * p + 20, p
        }
    }
}' > K.txt
$STROBE query K.txt "SELECT count(*) FROM server" --format csv | tail -n 1
--- out
rule,title
process,clients,requests,occupied
<0.9.0>,4,163,492
process,clients,requests
shop:worker/1,4,163
0
