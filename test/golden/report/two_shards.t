Two servers started alike, with their own clients, are a pool on two schedulers, though two processes are no group of the process tree.
--- run
serve() { # server, its two clients, the scheduler, and when it begins: twelve requests of 5 ms
    awk -v s="$1" -v a="$2" -v b="$3" -v on="$4" -v t0="$5" 'BEGIN {
        for (i = 0; i < 2; i++) {
            c = i ? b : a
            printf "%d <0.%d.0> s1 in mfa=shop:buy/1\n%d <0.%d.0> s1 send to=<0.%d.0> words=3\n", t0 + i, c, t0 + i, c, s
            printf "%d <0.%d.0> s1 out mfa=shop:buy/1\n", t0 + i, c
        }
        for (i = 0; i < 12; i++) {
            c = i % 2 ? b : a; t = t0 + 10 + i * 5000000; done = t + 5000000 - 10
            printf "%d <0.%d.0> %s in mfa=shop:serve/1\n%d <0.%d.0> %s receive words=3\n", t, s, on, t, s, on
            printf "%d <0.%d.0> %s send to=<0.%d.0> words=3\n", done, s, on, c
            printf "%d <0.%d.0> %s out mfa=shop:serve/1\n", done, s, on
            if (i > 9) continue
            printf "%d <0.%d.0> %s in mfa=shop:buy/1\n%d <0.%d.0> %s receive words=3\n", done + 1, c, on, done + 1, c, on
            printf "%d <0.%d.0> %s send to=<0.%d.0> words=3\n", done + 2, c, on, s
            printf "%d <0.%d.0> %s out mfa=shop:buy/1\n", done + 2, c, on
        }
    }'
}
run() { # the entry of the second server
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    echo "0 <0.9.0> s1 spawn child=<0.20.0> mfa=shop:serve/1"
    echo "0 <0.9.0> s1 spawn child=<0.30.0> mfa=$1"
    { serve 20 21 22 s1 1000; serve 30 31 32 s2 30001000; } | sort -n -s
}
for second in shop:serve/1 shop:other/1; do
    run $second > T.txt
    $STROBE analyze T.txt -o T.sbp > /dev/null
    echo "== $second"; $STROBE query T.sbp "SELECT rule, subject FROM finding" --format csv
done
--- out
== shop:serve/1
rule,subject
serial_phase,shop:serve/1 <0.30.0>
== shop:other/1
rule,subject
single_server,shop:other/1 <0.30.0>
