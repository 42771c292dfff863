A supervisor is occupied while it waits for the init of a child, also where the request of another caller comes in meanwhile.
--- run
awk 'BEGIN {
    print "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    print "0us <0.9.0> s1 spawn child=<0.20.0> mfa=shop:sup/0"
    for (c = 0; c < 2; c++) printf "0us <0.9.0> s1 spawn child=<0.2%d.0> mfa=shop:caller/0\n", c + 1
    for (i = 0; i < 30; i++) { # a start takes 10 ms, the other caller asks in its middle
        t = i * 10000; c = 21 + i % 2; d = 22 - i % 2; child = 30 + i
        printf "%dus <0.%d.0> s2 in mfa=gen:do_call/4\n", t + (i > 0 ? -5000 : 1), c
        if (i > 1) printf "%dus <0.%d.0> s2 receive words=3 hash=%x\n", t - 4999, c, 500 + i - 2
        printf "%dus <0.%d.0> s2 send to=<0.20.0> words=3 hash=%x\n%dus <0.%d.0> s2 out mfa=gen:do_call/4\n", t + (i > 0 ? -4998 : 2), c, 100 + i, t + (i > 0 ? -4997 : 3), c
        if (i > 0) printf "%dus <0.20.0> s1 in mfa=proc_lib:sync_start_link/2\n%dus <0.20.0> s1 out mfa=proc_lib:sync_start_link/2\n", t - 4990, t - 4989
        if (i > 0) printf "%dus <0.20.0> s1 in mfa=proc_lib:sync_start_link/2\n%dus <0.20.0> s1 receive words=3 hash=%x\n%dus <0.20.0> s1 send to=<0.%d.0> words=3 hash=%x\n", t + 2, t + 3, 300 + i - 1, t + 4, d, 500 + i - 1
        else printf "%dus <0.20.0> s1 in mfa=gen_server:loop/7\n", t + 4
        printf "%dus <0.20.0> s1 receive words=3 hash=%x\n%dus <0.20.0> s1 spawn child=<0.%d.0> mfa=shop:init/1\n%dus <0.20.0> s1 out mfa=proc_lib:sync_start_link/2\n", t + 5, 100 + i, t + 6, child, t + 7
        printf "%dus <0.%d.0> s2 in mfa=shop:init/1\n%dus <0.%d.0> s2 send to=<0.20.0> words=3 hash=%x\n%dus <0.%d.0> s2 out mfa=shop:loop/0\n", t + 9990, child, t + 9995, child, 300 + i, t + 9996, child
    }
    print "300000us <0.20.0> s1 in mfa=shop:sup/0\n300001us <0.20.0> s1 exit reason=normal"
}' | awk '/^@/ { print; next } { print | "sort -ns" }' > T.txt
COLUMNS=100 $STROBE report T.txt servers
--- out
Servers, by the time that they were occupied
server      utilisation  occupied  clients  requests  service p50  mailbox p50  round trip p50
shop:sup/0       0.06 %   96.66 %        2        30      10.0 ms      5.00 ms         20.0 ms
