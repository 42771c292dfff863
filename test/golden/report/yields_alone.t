A process that yields over and over while nothing else is at work keeps no other one from it: no gain is stated, and its
work is nothing that could be divided. Its function also waits in a receive, so a turn may look like the end of a wait.
--- run
{
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    echo "0 <0.9.0> s1 spawn child=<0.20.0> mfa=shop:watch/0"
    awk 'BEGIN {
        for (i = 0; i < 20000; i++) {
            t = 1000 + i * 2000
            printf "%d <0.20.0> s1 in mfa=shop:watch/0\n", t
            if (i % 1000 == 999)
                printf "%d <0.20.0> s1 receive words=3 hash=%d\n", t + 10, i
            printf "%d <0.20.0> s1 out mfa=shop:watch/0\n", t + 1000
        }
    }' | sort -n -s
    echo "40002000 <0.20.0> s1 exit reason=normal"
} > T.txt
$STROBE query T.txt "SELECT rule, title, gain_ns FROM finding" --format csv
--- out
rule,title,gain_ns
busy_wait,"shop:watch/0 <0.20.0> yielded 19,999 times without waiting and used 20.0 ms of a scheduler; it was alone at work for 20.0 ms, and that is no work to divide",
