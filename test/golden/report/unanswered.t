Waits that end with their timeout though others in the same function are answered. A process that paces itself after it
has told another one something has asked nobody, and a connection that waits for its next request has not either.
--- run
# 40 requests of <0.20.0> to <0.30.0> and <0.31.0> in turn, in shop:get/2, up to 50 ms each; <0.30.0> answers after 2 ms.
peers() { # ANSWERS: of <0.31.0>, 1 or 0
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    for p in 20 30 31; do echo "0 <0.9.0> s1 spawn child=<0.$p.0> mfa=shop:p$p/0"; done
    awk -v all="$1" -v one="${2:-0}" 'BEGIN {
        for (t = 1000; i < 40; i++) {
            p = one ? 31 : 30 + i % 2; end = p == 30 || all ? 2000000 : 50000000
            printf "%d <0.20.0> s1 in mfa=shop:get/2\n", t
            if (i > 0) printf "%d <0.20.0> s1 receive words=3 %s\n", t + 1, was
            printf "%d <0.20.0> s1 send to=<0.%d.0> words=9 hash=a%d\n%d <0.20.0> s1 out mfa=shop:get/2\n", t + 5, p, i, t + 9
            printf "%d <0.%d.0> s2 in mfa=shop:p/0\n%d <0.%d.0> s2 receive words=9 hash=a%d\n%d <0.%d.0> s2 out mfa=shop:p/0\n", t + 20, p, t + 21, p, i, t + 30, p
            was = "timeout"
            if (end == 2000000) {
                printf "%d <0.%d.0> s2 in mfa=shop:p/0\n%d <0.%d.0> s2 send to=<0.20.0> words=3 hash=b%d\n%d <0.%d.0> s2 out mfa=shop:p/0\n", t + end - 9, p, t + end - 8, p, i, t + end - 5, p
                was = "hash=b" i
            }
            t += end
        }
        printf "%d <0.20.0> s1 in mfa=shop:get/2\n%d <0.20.0> s1 receive words=3 %s\n%d <0.20.0> s1 exit reason=normal\n", t, t + 1, was, t + 9
    }'
}
# 20 requests, each by a socket of its own ("opened") or by one that was accepted: each second one lasts for 250 ms
sockets() {
    echo "@meta node=a@h creation=1 recorded=procs,running,messages,ports schedulers=2"
    echo "0 <0.9.0> s1 spawn child=<0.20.0> mfa=shop:p/0"
    awk -v how="$1" 'BEGIN {
        for (t = 1000; i < 20; i++) {
            printf "%d <0.20.0> s1 in mfa=prim_inet:recv0/3\n", t
            if (i > 0) printf "%d <0.20.0> s1 receive words=9 hash=%d\n", t + 1, i
            printf how == "opened" ? "%d #Port<0.%d> s1 open owner=<0.20.0> driver=tcp_inet\n" : "%d #Port<0.%d> s1 getting_linked by=<0.20.0>\n", t + 5, 100 + i
            printf "%d #Port<0.%d> s1 in mfa=command\n%d #Port<0.%d> s1 out mfa=command\n", t + 10, 100 + i, t + 20, 100 + i
            printf "%d <0.20.0> s1 out mfa=prim_inet:recv0/3\n", t + 30
            t += i % 2 ? 250100000 + i * 10000 : 2000000 + i * 300000
            printf "%d #Port<0.%d> s1 in\n%d #Port<0.%d> s1 out\n", t - 20, 100 + i, t - 10, 100 + i
        }
        printf "%d <0.20.0> s1 in mfa=prim_inet:recv0/3\n%d <0.20.0> s1 exit reason=normal\n", t, t + 9
    }'
}
peers 0 > silent.txt
peers 1 > answers.txt
peers 0 1 > paces.txt
sockets opened > opened.txt
sockets accepted > accepted.txt
for t in silent answers paces opened accepted; do
    echo $t; COLUMNS=100 $STROBE report $t.txt findings | grep -A 3 '^[0-9].*unanswered' || true
done
--- out
silent
1. unanswered: a cure saves at most 1.00 s; confidence medium
   20 waits of shop:p20/0 <0.20.0>, in shop:get/2, ended after 50.0 ms each by their timeout:
   shop:p31/0 <0.31.0>, which they had asked, answered none of them; 19 other waits there were
   answered
answers
paces
opened
1. unanswered: a cure saves at most 2.00 s; confidence low
   8 waits of shop:p/0 <0.20.0>, in prim_inet:recv0/3, ended after 250 ms each, as a timeout of
   250 ms does: they had written to sockets that they had opened, and probably got no answer; 9
   other waits there were answered
accepted
