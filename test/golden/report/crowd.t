A server and its clients that work less than 3 us for each message take turns; those that work longer do not.
--- run
# 4 clients ask <0.20.0> 1300 times each, one after the other; each piece of work takes NS
trace() { # NS
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    for p in 20 31 32 33 34; do echo "0 <0.9.0> s1 spawn child=<0.$p.0> mfa=shop:p$p/0"; done
    echo "0 <0.20.0> s1 waits mfa=shop:wait/0 kind=1"
    awk -v ns="$1" 'BEGIN {
        for (i = 0; i < 5200; i++) {
            t = 1000 + i * (2 * ns + 20); c = 31 + i % 4; h = 2 * i
            printf "%d <0.%d.0> s1 in mfa=shop:wait/0\n", t, c
            if (i >= 4) printf "%d <0.%d.0> s1 receive words=3 hash=%x\n", t + 1, c, h - 7
            printf "%d <0.%d.0> s1 send to=<0.20.0> words=3 hash=%x\n%d <0.%d.0> s1 out mfa=shop:wait/0\n", t + ns - 2, c, h, t + ns, c
            printf "%d <0.20.0> s2 in mfa=shop:wait/0\n%d <0.20.0> s2 receive words=3 hash=%x\n", t + ns + 10, t + ns + 11, h
            printf "%d <0.20.0> s2 send to=<0.%d.0> words=3 hash=%x\n%d <0.20.0> s2 out mfa=shop:wait/0\n", t + 2 * ns, c, h + 1, t + 2 * ns + 10
        }
    }'
}
for ns in 1000 5000; do
    trace $ns > $ns.txt
    $STROBE query $ns.txt "SELECT title FROM finding WHERE rule = 'chatty_pair'" --format csv | sed 1d
done
--- out
"shop:p20/0 <0.20.0> and 4 processes exchanged 10,400 messages and took turns, with 1.00 us of work for each message"
