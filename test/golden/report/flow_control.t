A process that reads a socket and passes on what comes gets credit from the receiver now and then. It waits for the socket, so the receiver is no server of it; nor is a process that sends something while the receiver waits for the reply to a call.
--- run
# reader <0.20.0>: ten packets a round, each passed on to <0.21.0>, which gives credit for ten and calls <0.22.0>;
# <0.23.0>, which it wrote to before, writes to it before the reply comes
{
    echo "@meta node=a@h creation=1 recorded=procs,running,messages,ports schedulers=2"
    for p in 20 21 22 23; do echo "0 <0.9.0> s1 spawn child=<0.$p.0> mfa=shop:p$p/0"; done
    for f in recv/1 news/0; do echo "0 <0.20.0> s1 waits mfa=shop:$f kind=1"; done
    awk 'function line(at, who, text) { printf "%d <0.%d.0> s%d %s\n", at, who, who == 20 ? 1 : 2, text }
    BEGIN {
        line(10, 20, "in mfa=shop:recv/1"); line(20, 20, "out mfa=shop:recv/1")
        line(30, 21, "in mfa=gen_server:loop/7"); line(40, 21, "out mfa=gen_server:loop/7")
        line(50, 22, "in mfa=gen_server:loop/7"); line(60, 22, "out mfa=gen_server:loop/7")
        line(70, 23, "in mfa=shop:news/0"); line(80, 23, "out mfa=shop:news/0")
        for (i = 1; i <= 120; i++) {
            t = i * 1000000; h = 16 * i
            line(t, 20, "in mfa=shop:recv/1"); line(t + 5, 20, sprintf("receive words=9 hash=%x", h + 6)); line(t + 10, 20, sprintf("send to=<0.21.0> words=4 hash=%x", h)); line(t + 20, 20, "out mfa=shop:recv/1")
            line(t + 1000, 21, "in mfa=gen_server:loop/7"); line(t + 1010, 21, sprintf("receive words=4 hash=%x", h))
            if (i < 3) line(t + 1015, 21, sprintf("send to=<0.23.0> words=3 hash=%x", h + 5))
            if (i % 10 == 0) {
                line(t + 1020, 21, sprintf("send to=<0.20.0> words=3 hash=%x", h + 1))
                line(t + 1030, 21, sprintf("send to=<0.22.0> words=4 hash=%x", h + 2)); line(t + 1040, 21, "out mfa=gen:do_call/4")
                line(t + 2000, 20, "in mfa=shop:recv/1"); line(t + 2010, 20, sprintf("receive words=3 hash=%x", h + 1)); line(t + 2020, 20, "out mfa=shop:recv/1")
                if (i % 20 == 0) { line(t + 2500, 23, "in mfa=shop:news/0"); line(t + 2505, 23, sprintf("receive words=2 hash=%x", h + 7)); line(t + 2510, 23, sprintf("send to=<0.21.0> words=5 hash=%x", h + 4)); line(t + 2520, 23, "out mfa=shop:news/0") }
                line(t + 3000, 22, "in mfa=gen_server:loop/7"); line(t + 3010, 22, sprintf("receive words=4 hash=%x", h + 2))
                line(t + 3020, 22, sprintf("send to=<0.21.0> words=3 hash=%x", h + 3)); line(t + 3030, 22, "out mfa=gen_server:loop/7")
                line(t + 4000, 21, "in mfa=gen:do_call/4"); if (i % 20 == 0) line(t + 4010, 21, sprintf("receive words=5 hash=%x", h + 4))
                line(t + 4015, 21, sprintf("receive words=3 hash=%x", h + 3))
            }
            line(t + 5000, 21, "out mfa=gen_server:loop/7")
        }
    }'
} > T.txt
$STROBE query T.txt "SELECT who(process) AS process, clients, requests, replies FROM server" --format csv
--- out
process,clients,requests,replies
shop:p22/0,1,12,12
