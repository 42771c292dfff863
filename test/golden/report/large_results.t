Results of tasks that are large are told of the tasks together: each copies little.
--- run
trace() { # WORDS of a result
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    awk -v words="$1" 'BEGIN {
        for (i = 0; i < 40; i++) {
            t = 1000 + i * 5000000; p = "<0." 20 + i ".0>"
            printf "%d <0.9.0> s1 in mfa=shop:totals/1\n%d <0.9.0> s1 spawn child=%s mfa=shop:total/1\n", t, t + 10, p
            printf "%d %s s2 spawned parent=<0.9.0> mfa=shop:total/1\n%d <0.9.0> s1 out mfa=shop:await/1\n", t + 11, p, t + 20
            printf "%d %s s2 in mfa=shop:total/1\n%d %s s2 send to=<0.9.0> words=%d hash=%x\n", t + 30, p, t + 4000000, p, words, i + 1
            printf "%d %s s2 exit reason=normal\n%d %s s2 out_exited\n", t + 4000010, p, t + 4000020, p
            printf "%d <0.9.0> s1 in mfa=shop:await/1\n%d <0.9.0> s1 receive words=%d hash=%x\n%d <0.9.0> s1 out mfa=shop:totals/1\n", t + 4000100, t + 4000110, words, i + 1, t + 4000200
        }
    }'
}
for words in 50 120000; do
    trace $words > $words.txt
    COLUMNS=120 $STROBE report $words.txt findings | grep -A3 message_copying | sed 1,4\!d
done
--- out
2. message_copying: a cure saves at most 120 ms; confidence medium
   40 processes started alike, such as shop:total/1 <0.20.0>, sent 40 messages of 120,000 words on average: a message to
   another process is a copy, which takes some 2 to 25 ns a word
   cure: send the part that the receiver needs, keep shared data in ETS or persistent_term, or send binaries larger than
