A process that sleeps, looks and sometimes finds something polls; a behaviour takes messages while its timer runs, so its ticks are no polls.
--- run
run() { # where it waits for 10 ms, 24 times; after each eighth it has news
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    echo "0 <0.9.0> s1 spawn child=<0.20.0> mfa=shop:watch/0"
    awk -v in_="$1" 'BEGIN {
        for (i = 0; i < 24; i++) {
            t = 1000 + i * 10000000
            printf "%d <0.20.0> s1 in mfa=%s\n", t, in_
            if (i > 0) printf "%d <0.20.0> s1 receive words=1 timeout\n", t + 1
            if (i % 8 == 7) printf "%d <0.20.0> s1 send to=<0.9.0> words=3\n", t + 400
            printf "%d <0.20.0> s1 out mfa=%s\n", t + 2500, in_
        }
    }'
    echo "240001000 <0.20.0> s1 in mfa=shop:watch/0"
    echo "240001001 <0.20.0> s1 receive words=1 timeout"
    echo "240001100 <0.20.0> s1 exit reason=normal"
}
for f in timer:sleep/1 gen_server:loop/7; do
    run $f > T.txt
    $STROBE analyze T.txt -o T.sbp > /dev/null
    echo "== $f"; $STROBE query T.sbp "SELECT rule, subject FROM finding" --format csv
done
--- out
== timer:sleep/1
rule,subject
polling,shop:watch/0 <0.20.0>
== gen_server:loop/7
rule,subject
timers,shop:watch/0 <0.20.0>
