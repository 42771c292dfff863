A look may be a request to another process: one that asks the same process after each sleep polls, one that asks several is a client.
Nor does one poll that takes requests of a socket, even if the next one is there before it has to wait.
--- run
# 24 sleeps of 10 ms, each followed by a request that is answered; after each eighth the process also sends its news on
start() {
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    echo "0 <0.9.0> s1 spawn child=<0.20.0> mfa=shop:watch/0"
    echo "0 <0.9.0> s1 spawn child=<0.21.0> mfa=shop:job/0"
    echo "0 <0.9.0> s1 spawn child=<0.22.0> mfa=shop:job/0"
    awk -v servers="$1" 'BEGIN {
        for (i = 0; i < 24; i++) {
            t = 1000 + i * 10000000; to = 21 + (servers > 1 ? i % 2 : 0)
            printf "%d <0.20.0> s1 in mfa=timer:sleep/1\n", t
            if (i > 0) printf "%d <0.20.0> s1 receive words=1 timeout\n", t + 1
            printf "%d <0.20.0> s1 send to=<0.%d.0> words=3 hash=%x\n%d <0.20.0> s1 out mfa=gen:do_call/4\n", t + 1000, to, 2 * i + 1, t + 1100
            printf "%d <0.%d.0> s2 in mfa=shop:job/0\n%d <0.%d.0> s2 receive words=3 hash=%x\n", t + 2000, to, t + 2010, to, 2 * i + 1
            printf "%d <0.%d.0> s2 send to=<0.20.0> words=3 hash=%x\n%d <0.%d.0> s2 out mfa=shop:job/0\n", t + 3000, to, 2 * i + 2, t + 3100, to
            printf "%d <0.20.0> s1 in mfa=gen:do_call/4\n%d <0.20.0> s1 receive words=3 hash=%x\n", t + 4000, t + 4010, 2 * i + 2
            if (i % 8 == 7) printf "%d <0.20.0> s1 send to=<0.9.0> words=3 hash=%x\n", t + 4100, 100 + i
            printf "%d <0.20.0> s1 out mfa=timer:sleep/1\n", t + 5000
        }
    }'
    echo "240001000 <0.20.0> s1 in mfa=timer:sleep/1"
    echo "240001001 <0.20.0> s1 receive words=1 timeout"
    echo "240001100 <0.20.0> s1 exit reason=normal"
}
start 1 > T.txt
COLUMNS=100 $STROBE report T.txt findings | sed -n 1,3p
start 2 > C.txt
COLUMNS=100 $STROBE report C.txt findings | grep -c polling || true
# after half of the sleeps a request is there, after the others it waits for it
socket() {
    echo "@meta node=a@h creation=1 recorded=procs,running,messages,ports schedulers=2"
    echo "0 <0.9.0> s1 spawn child=<0.20.0> mfa=shop:serve/1"
    echo "0 <0.20.0> s1 waits mfa=prim_inet:recv0/3 kind=1"
    awk 'BEGIN {
        for (i = 0; i < 40; i++) {
            t = 1000 + i * 10000000
            printf "%d <0.20.0> s1 in mfa=timer:sleep/1\n", t
            if (i > 0) printf "%d <0.20.0> s1 receive words=1 timeout\n", t + 1
            if (i % 2) printf "%d <0.20.0> s1 out mfa=prim_inet:recv0/3\n%d <0.20.0> s1 in mfa=prim_inet:recv0/3\n", t + 60000, t + 95000
            printf "%d <0.20.0> s1 receive words=9 hash=%x\n", t + 96000, i
            printf "%d <0.20.0> s1 out mfa=timer:sleep/1\n", t + 100000
        }
    }'
    echo "400001000 <0.20.0> s1 in mfa=timer:sleep/1"
    echo "400001100 <0.20.0> s1 exit reason=normal"
}
socket > S.txt
COLUMNS=100 $STROBE report S.txt findings | grep -c polling || true
# five sleeps for each request, or a number of them that varies, while nobody else works
loop() {
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    for p in 20 21; do echo "0 <0.9.0> s1 spawn child=<0.$p.0> mfa=shop:p$p/1"; done
    echo "0 <0.20.0> s1 waits mfa=shop:serve/1 kind=1"
    awk -v varies="$1" 'BEGIN {
        t = 1000
        for (i = 0; i < 16; i++) {
            printf "%d <0.21.0> s2 in mfa=shop:ask/1\n", t
            if (i) printf "%d <0.21.0> s2 receive words=3 hash=%x\n", t + 1, i + 255
            printf "%d <0.21.0> s2 send to=<0.20.0> words=3 hash=%x\n%d <0.21.0> s2 out mfa=shop:ask/1\n", t + 10, i, t + 20
            printf "%d <0.20.0> s1 in mfa=shop:serve/1\n%d <0.20.0> s1 receive words=3 hash=%x\n", t + 1000, t + 1010, i
            for (k = 0; k < 5 + varies * (i % 3); k++) {
                printf "%d <0.20.0> s1 out mfa=timer:sleep/1\n", t + 3000
                t += 6000000
                printf "%d <0.20.0> s1 in mfa=timer:sleep/1\n%d <0.20.0> s1 receive words=1 timeout\n", t, t + 1
            }
            printf "%d <0.20.0> s1 send to=<0.21.0> words=3 hash=%x\n%d <0.20.0> s1 out mfa=shop:serve/1\n", t + 3000, i + 256, t + 3100
            t += 10000
        }
        printf "%d <0.21.0> s2 in mfa=shop:ask/1\n%d <0.21.0> s2 exit reason=normal\n", t, t + 1000
    }'
}
for varies in 0 1; do
    loop $varies > L.txt
    COLUMNS=100 $STROBE report L.txt findings | grep -c polling || true
done
--- out
1. polling: a cure saves at most 30.0 ms; confidence medium
   1 process slept, looked and slept again, shop:watch/0 <0.20.0> most: at least 21 times, 9.99 ms
   each in timer:sleep/1; the program stood still for at most 30.0 ms after the event until the
0
0
0
1
