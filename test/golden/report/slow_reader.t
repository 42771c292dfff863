A process that waits for a socket to take more, while others write to it: somebody who reads slowly holds up all whom it
serves. One that nobody writes to meanwhile holds up nobody, nor
does one of several, each with a socket of its own.
--- run
# sends N: 40 sends of 4 ms each; N of them while another one writes to the sender
sends() {
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    echo "0 <0.9.0> s1 spawn child=<0.20.0> mfa=shop:publish/1"
    echo "0 <0.9.0> s1 spawn child=<0.21.0> mfa=shop:feed/0"
    if [ "${2-}" ]; then for p in 22 23; do echo "0 <0.9.0> s1 spawn child=<0.$p.0> mfa=shop:publish/1"; done; fi
    awk -v n="$1" 'BEGIN {
        for (i = 0; i < 40; i++) {
            t = 1000 + i * 4000000
            printf "%d <0.20.0> s1 in mfa=shop:publish/1\n%d <0.20.0> s1 receive words=4 hash=%x\n", t, t + 10, i
            if (i > 0 && i <= n) printf "%d <0.20.0> s1 receive words=3 hash=%x\n", t + 20, i + 255
            printf "%d <0.20.0> s1 out mfa=prim_inet:send_recv_reply/2\n", t + 1000
            if (i < n) {
                printf "%d <0.21.0> s2 in mfa=shop:feed/0\n%d <0.21.0> s2 send to=<0.20.0> words=3 hash=%x\n", t + 2000000, t + 2000010, i + 256
                printf "%d <0.21.0> s2 out mfa=timer:sleep/1\n", t + 2001000
            }
        }
        printf "%d <0.20.0> s1 in mfa=shop:publish/1\n%d <0.20.0> s1 exit reason=normal\n", t + 4000000, t + 4001000
    }'
}
for n in 30 5 "30 3"; do
    sends $n > T.txt
    echo "== $n"
    COLUMNS=100 $STROBE report T.txt findings | grep -A3 busy_connection || true
done
--- out
== 30
1. busy_connection: a cure saves at most 99.8 ms; confidence medium
   shop:publish/1 <0.20.0> waited 99.8 ms, in 40 waits, until a socket took more of what it sends,
   while others sent it 30 messages: somebody reads slowly, and holds up all whom it serves
   cure: write to each socket from a process of its own, with {send_timeout, T}, so that a peer that
== 5
== 30 3
