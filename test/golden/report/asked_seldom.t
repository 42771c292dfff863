A process that works alone for a small part of the time, while the program stands still for far longer, has work when somebody asks
it: that is no serial phase. Where the program stands still for less, it may be one.
--- run
trace() { # $1: from one request to the next, in us
    awk -v each=$1 'BEGIN {
        print "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
        print "0us <0.9.0> s1 spawn child=<0.20.0> mfa=shop:serve/1\n0us <0.9.0> s1 out mfa=shop:wait/0"
        print "1us <0.20.0> s2 in mfa=shop:serve/1\n2us <0.20.0> s2 out mfa=shop:serve/1"
        for (i = 0; i < 10; i++) {
            t = 1000 + i * each
            printf "%dus <0.9.0> s1 in mfa=shop:wait/0\n%dus <0.9.0> s1 send to=<0.20.0> words=3 hash=%x\n%dus <0.9.0> s1 out mfa=shop:wait/0\n", t, t + 1, i, t + 2
            printf "%dus <0.20.0> s2 in mfa=shop:serve/1\n%dus <0.20.0> s2 receive words=3 hash=%x\n%dus <0.20.0> s2 out mfa=shop:serve/1\n", t + 5, t + 6, i, t + 30000
        }
        printf "%dus <0.9.0> s1 in mfa=shop:wait/0\n%dus <0.9.0> s1 exit reason=normal\n", 1000 + 10 * each, 1001 + 10 * each
    }' > T.txt
    rm -f T.sbp*
}
for each in 200000 140000; do
    trace $each
    $STROBE query T.txt "SELECT count(*) FROM finding WHERE rule = 'serial_phase'" --format csv | tail -n 1
done
--- out
0
1
