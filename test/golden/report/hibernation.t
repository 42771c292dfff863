A server that hibernates after each request has its heap collected each time, on a dirty scheduler. The slices in which it handles
requests begin and end in hibernate too, and do not count.
--- run
{
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    echo "0 <0.9.0> s1 spawn child=<0.20.0> mfa=shop:prices/0"
    echo "1 <0.20.0> s1 in mfa=shop:prices/0"
    echo "10 <0.20.0> s1 out mfa=erlang:hibernate/3"
    awk 'BEGIN {
        for (i = 0; i < 20; i++) {
            t = 1000 + i * 1000000
            printf "%d <0.20.0> s1 in mfa=erlang:hibernate/3\n%d <0.20.0> s1 receive words=3 hash=%x\n", t, t + 1000, i + 1
            printf "%d <0.20.0> s1 out mfa=erlang:hibernate/3\n", t + 100000
            printf "%d <0.20.0> d1 in mfa=erlang:hibernate/3\n%d <0.20.0> d1 out mfa=erlang:hibernate/3\n", t + 110000, t + 810000
            printf "%d <0.20.0> s1 in mfa=erlang:hibernate/3\n%d <0.20.0> s1 out mfa=erlang:hibernate/3\n", t + 820000, t + 821000
        }
    }'
} > T.txt
$STROBE query T.txt "SELECT rule, title, gain_ns FROM finding" --format csv
--- out
rule,title,gain_ns
hibernation,"shop:prices/0 <0.20.0> hibernated: the whole heap was collected 20 times, for 14.2 ms, the way to a dirty scheduler and back included",14200000
