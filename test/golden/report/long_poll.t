A server that parks requests and answers all of them when there is news keeps nobody in a queue.
--- run
{
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    echo "0 <0.9.0> s1 spawn child=<0.30.0> mfa=shop:feed/0"
    for c in 0 1 2 3; do echo "1 <0.9.0> s1 spawn child=<0.2$c.0> mfa=shop:client/0"; done
    awk 'BEGIN {
        for (i = 0; i < 40; i++) {
            t = 1000 + i * 10000000
            for (c = 0; c < 4; c++) {
                u = t + 10 + 20 * c; p = "<0.2" c ".0>"; h = 8 * i + c
                printf "%d %s s1 in mfa=gen:do_call/4\n", u, p
                if (i) printf "%d %s s1 receive words=9 hash=b%d\n", u + 1, p, h - 8
                printf "%d %s s1 send to=<0.30.0> words=9 hash=a%d\n%d %s s1 out mfa=gen:do_call/4\n", u + 2, p, h, u + 3, p
            }
            printf "%d <0.30.0> s2 in mfa=gen_server:loop/7\n", t + 200
            for (c = 0; c < 4; c++) printf "%d <0.30.0> s2 receive words=9 hash=a%d\n", t + 201 + c, 8 * i + c
            printf "%d <0.30.0> s2 out mfa=gen_server:loop/7\n%d <0.30.0> s2 in mfa=gen_server:loop/7\n", t + 210, t + 9999000
            printf "%d <0.30.0> s2 receive words=1 timeout\n", t + 9999001
            for (c = 0; c < 4; c++) printf "%d <0.30.0> s2 send to=<0.2%d.0> words=9 hash=b%d\n", t + 9999010 + 2 * c, c, 8 * i + c
            printf "%d <0.30.0> s2 out mfa=gen_server:loop/7\n", t + 9999100
        }
    }'
} > T.txt
$STROBE report T.txt servers --format csv | cut -d, -f1,4,5
$STROBE report T.txt findings | grep -c convoy || true
--- out
server,clients,requests
shop:feed/0,4,160
0
