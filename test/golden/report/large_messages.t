A minor collection that finds no room in the old heap gives up and a major one follows, which finds the same message
beside the heap. So each message has 22,503 words, not twice as many. What is found after it is of built-in functions.
--- run
trace() {
    echo "@meta node=a@h creation=1 recorded=procs,running,messages,gc schedulers=2"
    awk 'BEGIN {
        for (i = 0; i < 40; i++) {
            t = 1000 + i * 1000000; r = "<0." 20 + i ".0>"
            printf "%d <0.9.0> s1 in mfa=shop:main/0\n", t
            printf "%d <0.9.0> s1 spawn child=%s mfa=shop:total/0\n", t + 1000, r
            printf "%d <0.9.0> s1 send to=%s words=66 hash=%d at_least\n", t + 600000, r, i
            printf "%d <0.9.0> s1 out mfa=shop:main/0\n", t + 601000
            printf "%d %s s2 in mfa=shop:total/0\n", t + 602000, r
            printf "%d %s s2 receive words=66 hash=%d at_least\n", t + 602000, r, i
            printf "%d %s s2 gc_minor_start heap=23 block=233 bin=0 old=0 mbuf=22503 need=1\n", t + 610000, r
            printf "%d %s s2 gc_minor_end heap=23 block=233 bin=0 old=0 mbuf=22503\n", t + 611000, r
            printf "%d %s s2 gc_major_start heap=23 block=233 bin=0 old=0 mbuf=22503 need=1\n", t + 612000, r
            printf "%d %s s2 gc_major_end heap=22511 block=28690 bin=0 old=0 mbuf=0 need=34\n", t + 800000, r
            printf "%d %s s2 gc_minor_start heap=22600 block=28690 bin=0 old=0 mbuf=90000 need=1\n", t + 810000, r
            printf "%d %s s2 gc_minor_end heap=22511 block=28690 bin=0 old=0 mbuf=0 need=1\n", t + 820000, r
            printf "%d %s s2 exit reason=normal\n", t + 900000, r
        }
        printf "%d <0.9.0> s1 in mfa=shop:main/0\n%d <0.9.0> s1 exit reason=normal\n", t + 910000, t + 920000
    }'
}
trace > T.txt
$STROBE query T.txt "SELECT title, gain_high_ns FROM finding WHERE rule = 'message_copying'" --format csv
--- out
title,gain_high_ns
"<0.9.0> sent 40 messages of at least 22,503 words on average (collections of the receivers show it; the tracer counted 66): a message to another process is a copy, which takes some 2 to 25 ns a word",32000000
