A process that opened a socket and reads from it makes requests, one after the other; one that accepts connections gets them,
and one that writes nothing meanwhile makes none. Where one of several alike makes most of them, it is not said of all.
--- run
# 20 waits of 4 ms in gen_tcp:recv/2, each ended by data of the port, with 10 us of work between
start() {
    echo "@meta node=a@h creation=1 recorded=procs,running,messages,ports schedulers=2"
    echo "0 <0.9.0> s1 spawn child=<0.20.0> mfa=shop:client/0"
    awk -v wait="$1" -v writes="${2:-1}" 'BEGIN {
        printf "500 <0.20.0> s1 in mfa=shop:client/0\n510 #Port<0.5> s1 open owner=<0.20.0> driver=tcp_inet\n"
        printf "600 <0.20.0> s1 out mfa=%s\n", wait
        for (i = 0; i < 20; i++)
        {
            printf "%d <0.20.0> s1 in mfa=shop:client/0\n%d <0.20.0> s1 receive words=3 hash=%x\n", 1000 + i * 4000000, 1010 + i * 4000000, i
            if (writes) printf "%d <0.20.0> s1 receive words=3 hash=%x\n", 1020 + i * 4000000, i + 4096
            printf "%d <0.20.0> s1 out mfa=prim_inet:recv0/3\n", 11000 + i * 4000000
        }
    }'
    echo "80001000 <0.20.0> s1 in mfa=shop:client/0"
    echo "80001010 <0.20.0> s1 exit reason=normal"
}
start prim_inet:connect0/3 > T.txt
COLUMNS=100 $STROBE report T.txt findings | sed -n 1,3p
start prim_inet:connect0/3 0 > S.txt
COLUMNS=100 $STROBE report S.txt findings | grep -c sequential_calls || true
start prim_inet:accept0/3 > A.txt
COLUMNS=100 $STROBE report A.txt findings | grep -c sequential_calls || true
# an acceptor that does not own the socket and hands each connection on
{
    echo "@meta node=a@h creation=1 recorded=procs,running,messages,ports schedulers=2"
    for p in 20 21; do echo "0 <0.9.0> s1 spawn child=<0.$p.0> mfa=shop:p$p/0"; done
    echo "0 <0.21.0> s1 waits mfa=shop:serve/0 kind=1"
    awk 'BEGIN {
        for (i = 1; i <= 20; i++) {
            t = i * 4000000
            printf "%d <0.20.0> s1 in mfa=prim_inet:accept0/3\n", t
            if (i > 1) printf "%d <0.20.0> s1 receive words=3 hash=%x\n", t + 10, i
            printf "%d <0.20.0> s1 send to=<0.21.0> words=3 hash=%x\n%d <0.20.0> s1 out mfa=prim_inet:accept0/3\n", t + 20, i + 256, t + 30
            printf "%d <0.21.0> s2 in mfa=shop:serve/0\n%d <0.21.0> s2 receive words=3 hash=%x\n%d <0.21.0> s2 out mfa=shop:serve/0\n", t + 1000, t + 1010, i + 256, t + 2000
        }
    }'
} > B.txt
COLUMNS=100 $STROBE report B.txt findings | grep -c sequential_calls || true
# <0.21.0> asks a socket that it opened once for each call of <0.20.0>, which is for a request of a socket, or not
calls() { # 1: with requests
    echo "@meta node=a@h creation=1 recorded=procs,running,messages,ports schedulers=2"
    for p in 20 21; do echo "0 <0.9.0> s1 spawn child=<0.$p.0> mfa=shop:p$p/0"; done
    echo "0 <0.21.0> s1 waits mfa=shop:serve/0 kind=1"
    echo "10 #Port<0.5> s1 open owner=<0.21.0> driver=tcp_inet"
    awk -v requests="$1" 'BEGIN {
        for (i = 1; i <= 20; i++) {
            t = i * (requests ? 8000000 : 3910000)
            if (requests) printf "%d <0.20.0> s1 out mfa=prim_inet:recv0/3\n", t - 3900000
            if (requests) printf "%d <0.20.0> s1 in mfa=prim_inet:recv0/3\n%d <0.20.0> s1 receive words=3 hash=%x\n", t, t + 10, i
            printf "%d <0.20.0> s1 send to=<0.21.0> words=3 hash=%x\n%d <0.20.0> s1 out mfa=gen:do_call/4\n", t + 20, i + 256, t + 30
            printf "%d <0.21.0> s2 in mfa=shop:serve/0\n%d <0.21.0> s2 receive words=3 hash=%x\n", t + 1000, t + 1010, i + 256
            printf "%d <0.21.0> s2 out mfa=prim_inet:recv0/3\n%d <0.21.0> s2 in mfa=shop:serve/0\n", t + 2000, t + 3900000
            printf "%d <0.21.0> s2 receive words=3 hash=%x\n", t + 3900010, i + 512
            printf "%d <0.21.0> s2 send to=<0.20.0> words=3 hash=%x\n%d <0.21.0> s2 out mfa=shop:serve/0\n", t + 3901000, i + 1024, t + 3902000
            printf "%d <0.20.0> s1 in mfa=gen:do_call/4\n%d <0.20.0> s1 receive words=3 hash=%x\n", t + 3903000, t + 3903010, i + 1024
        }
        printf "%d <0.20.0> s1 exit reason=normal\n", t + 3910000
    }'
}
for requests in 1 0; do
    calls $requests > H.txt
    COLUMNS=100 $STROBE report H.txt findings | sed -n 1,3p
done
# an acceptor that serves its connections itself, each by a request to a database
{
    echo "@meta node=a@h creation=1 recorded=procs,running,messages,ports schedulers=2"
    echo "0 <0.9.0> s1 spawn child=<0.20.0> mfa=shop:accept/1"
    awk 'BEGIN {
        for (i = 1; i <= 20; i++) {
            t = i * 4000000
            printf "%d <0.20.0> s1 in mfa=shop:serve/1\n%d <0.20.0> s1 getting_linked by=#Port<0.%d>\n", t, t + 5, 100 + i
            printf "%d #Port<0.%d> s1 open owner=<0.20.0> driver=tcp_inet\n%d <0.20.0> s1 out mfa=shop:serve/1\n", t + 10, 200 + i, t + 20
            printf "%d <0.20.0> s1 in mfa=shop:serve/1\n%d <0.20.0> s1 receive words=3 hash=%x\n", t + 3900000, t + 3900010, i
            printf "%d #Port<0.%d> s1 closed reason=normal\n%d #Port<0.%d> s1 closed reason=normal\n", t + 3900020, 200 + i, t + 3900030, 100 + i
            printf "%d <0.20.0> s1 out mfa=shop:serve/1\n", t + 3900040
        }
    }'
} > I.txt
COLUMNS=100 $STROBE report I.txt findings | sed -n 1,4p
# three alike, of which one makes 60 requests and the others 12
{
    echo "@meta node=a@h creation=1 recorded=procs,running,messages,ports schedulers=2"
    for p in 20 21 22; do echo "0 <0.9.0> s1 spawn child=<0.$p.0> mfa=shop:client/0"; done
    awk 'BEGIN {
        for (p = 20; p < 23; p++) {
            printf "%d <0.%d.0> s1 in mfa=shop:client/0\n%d #Port<0.%d> s1 open owner=<0.%d.0> driver=tcp_inet\n", p * 20, p, p * 20 + 5, p, p
            printf "%d <0.%d.0> s1 out mfa=prim_inet:connect0/3\n", p * 20 + 10, p
            for (i = 0; i < (p == 21 ? 60 : 12); i++) {
                t = 10000 + i * 4000000 + p * 40
                printf "%d <0.%d.0> s1 in mfa=shop:client/0\n%d <0.%d.0> s1 receive words=3 hash=%x\n", t, p, t + 10, p, i * 100 + p
                printf "%d <0.%d.0> s1 receive words=3 hash=%x\n", t + 15, p, i * 100 + p + 50
                printf "%d <0.%d.0> s1 out mfa=prim_inet:recv0/3\n", t + 30, p
            }
            printf "%d <0.%d.0> s1 in mfa=shop:client/0\n%d <0.%d.0> s1 exit reason=normal\n", t + 4000000, p, t + 4000010, p
        }
    }' | sort -n -s
} > U.txt
COLUMNS=100 $STROBE report U.txt findings | sed -n 1,6p
# over TLS the process of an accepted connection waits for the client's next request
{
    echo "@meta node=a@h creation=1 recorded=procs,running,messages,ports schedulers=2"
    echo "0 <0.9.0> s1 spawn child=<0.20.0> mfa=shop:serve/1"
    echo "0 <0.9.0> s1 spawn child=<0.21.0> mfa=ssl_gen_statem:init/1"
    echo "5 <0.21.0> s2 getting_linked by=#Port<0.5>"
    awk 'BEGIN {
        for (i = 1; i <= 20; i++) {
            t = i * 4000000
            printf "%d <0.20.0> s1 in mfa=gen:do_call/4\n", t
            if (i > 1) printf "%d <0.20.0> s1 receive words=3 hash=%x\n", t + 10, i
            printf "%d <0.20.0> s1 send to=<0.21.0> words=3 hash=%x\n%d <0.20.0> s1 out mfa=gen:do_call/4\n", t + 20, i + 256, t + 30
            printf "%d <0.21.0> s2 in mfa=gen_statem:loop_receive/3\n%d <0.21.0> s2 receive words=3 hash=%x\n%d <0.21.0> s2 out mfa=gen_statem:loop_receive/3\n", t + 1000, t + 1010, i + 256, t + 2000
            printf "%d <0.21.0> s2 in mfa=gen_statem:loop_receive/3\n%d <0.21.0> s2 send to=<0.20.0> words=3 hash=%x\n%d <0.21.0> s2 out mfa=gen_statem:loop_receive/3\n", t + 3990000, t + 3990010, i + 1, t + 3991000
        }
    }'
} > L.txt
COLUMNS=100 $STROBE report L.txt findings | grep -c sequential_calls || true
grep -v getting_linked L.txt > N.txt
COLUMNS=100 $STROBE report N.txt findings | grep -c sequential_calls || true
--- out
1. sequential_calls: a cure saves at most 71.8 ms; confidence medium
   shop:client/0 <0.20.0> made 20 calls one after the other and waited 3.99 ms for each on average;
   nothing was at work for 75.8 ms of that
0
0
0
no finding: the rules found nothing that would save a twentieth of the program's time
no finding: the rules found nothing that would save a twentieth of the program's time
1. sequential_calls: a cure saves at most 78.0 ms; confidence medium
   shop:accept/1 <0.20.0> served 20 connections one after the other, for which it opened 20 ports
   (external programs or sockets) one after the other and used each for 3.90 ms on average; nothing
   was at work for 78.0 ms of that
1. sequential_calls: a cure saves at most 232 ms; confidence medium
   of 3 processes started alike, shop:client/0 <0.21.0> made 60 calls one after the other and waited
   4.00 ms for each on average, while the others made 12 on average; nothing was at work for 236 ms
   of that
   cure: divide the work among them by its size, not by a key that most of it has, or make the calls
   in parallel (gen_server:send_request/2)
0
1
