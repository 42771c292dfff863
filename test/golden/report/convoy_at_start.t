A server that loads at its start holds all its callers once. It was not in its loop yet, so noreply would not help them, and of 99 in 100 calls this says nothing.
--- run
awk 'BEGIN {
    print "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    print "0us <0.9.0> s1 in mfa=shop:main/0"
    print "1us <0.9.0> s1 spawn child=<0.30.0> mfa=shop:init/1"
    for (c = 0; c < 2; c++) printf "1us <0.9.0> s1 spawn child=<0.2%d.0> mfa=shop:c%d/0\n", c, c
    print "2us <0.9.0> s1 out mfa=shop:main/0"
    for (i = 0; i < 20; i++)
        printf "%dus <0.30.0> s1 in mfa=timer:sleep/1\n%s%dus <0.30.0> s1 out mfa=timer:sleep/1\n", 10 + i * 10000, i ? sprintf("%dus <0.30.0> s1 receive words=1 timeout\n", 10 + i * 10000) : "", 12 + i * 10000
    print "200010us <0.30.0> s1 in mfa=timer:sleep/1\n200010us <0.30.0> s1 receive words=1 timeout"
    for (c = 0; c < 2; c++)
        printf "%dus <0.2%d.0> s2 in mfa=gen:do_call/4\n%dus <0.2%d.0> s2 send to=<0.30.0> words=4 hash=%x\n%dus <0.2%d.0> s2 out mfa=gen:do_call/4\n", 20 + 10 * c, c, 21 + 10 * c, c, 1 + c, 22 + 10 * c, c
    for (i = 0; i < 60; i++) {
        t = 200100 + 200 * i; c = i % 2
        if (i > 1) printf "%dus <0.30.0> s1 in mfa=gen_server:loop/7\n", t
        printf "%dus <0.30.0> s1 receive words=4 hash=%x\n%dus <0.30.0> s1 send to=<0.2%d.0> words=4 hash=%x\n", t + 1, 1 + i, t + 2, c, 1000 + i
        if (i > 0) printf "%dus <0.30.0> s1 out mfa=gen_server:loop/7\n", t + 3
        printf "%dus <0.2%d.0> s2 in mfa=gen:do_call/4\n%dus <0.2%d.0> s2 receive words=4 hash=%x\n", t + 10, c, t + 11, c, 1000 + i
        printf "%dus <0.2%d.0> s2 send to=<0.30.0> words=4 hash=%x\n%dus <0.2%d.0> s2 out mfa=gen:do_call/4\n", t + 12, c, 3 + i, t + 13, c
    }
}' | awk '/^@/ { print; next } { print | "sort -ns" }' > T.txt
COLUMNS=100 $STROBE report T.txt findings | sed -n '/^[0-9]. convoy/,/cure/p' | grep -v cure:
--- out
1. convoy: a cure saves at most 190 ms; confidence medium
   shop:init/1 <0.30.0> kept its 2 callers in a queue for 190 ms while it waited itself, mostly in
   timer:sleep/1; it had just started and not yet waited for a request (init or handle_continue)
