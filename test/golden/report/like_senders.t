Processes started alike that send the same large messages are one cause: one finding with the copies of all, and with the collections of the receivers in its bound. One that sends most of it is told alone.
--- run
trace() { # WORDS of a message of all but the first
    awk -v words="$1" 'BEGIN {
        print "@meta node=a@h creation=1 recorded=procs,running,messages,gc schedulers=2"
        print "0us <0.9.0> s1 in mfa=shop:main/0"
        for (p = 20; p < 24; p++) printf "0us <0.9.0> s1 spawn child=<0.%d.0> mfa=shop:client/0\n0us <0.%d.0> s1 spawned parent=<0.9.0> mfa=shop:client/0\n", p, p
        print "0us <0.9.0> s1 spawn child=<0.30.0> mfa=shop:subscriber/0\n1us <0.9.0> s1 out mfa=shop:main/0"
        for (i = 0; i < 20; i++) {
            for (p = 0; p < 4; p++) {
                t = i * 10000 + 10 + p * 2500
                printf "%dus <0.%d.0> s1 in mfa=shop:client/0\n%dus <0.%d.0> s1 send to=<0.30.0> words=%d hash=%x\n", t, 20 + p, t + 2000, 20 + p, p ? words : 100000, 4 * i + p + 1
                printf "%dus <0.%d.0> s1 %s\n", t + 2001, 20 + p, i < 19 ? "out mfa=shop:client/0" : "exit reason=normal"
                printf "%dus <0.30.0> s2 in mfa=shop:subscriber/0\n%dus <0.30.0> s2 receive words=%d hash=%x\n", t + 2002, t + 2003, p ? words : 100000, 4 * i + p + 1
                printf "%dus <0.30.0> s2 gc_minor_start heap=10000 block=20000 bin=0 old=0 mbuf=0 need=1\n", t + 2010
                printf "%dus <0.30.0> s2 gc_minor_end heap=10 block=20000 bin=0 old=0 mbuf=0\n%dus <0.30.0> s2 out mfa=shop:subscriber/0\n", t + 2310, t + 2320
            }
        }
    }'
}
for words in 100000 1000; do
    trace $words > $words.txt
    COLUMNS=120 $STROBE report $words.txt findings | grep -A2 'message_copying'
done
--- out
1. message_copying: a cure saves at most 184 ms; confidence medium
   4 processes started alike, such as shop:client/0 <0.20.0>, sent 80 messages of 100,000 words on average: a message to
   another process is a copy, which takes some 2 to 25 ns a word
1. message_copying: a cure saves at most 50.0 ms; confidence medium
   shop:client/0 <0.20.0> sent 20 messages of 100,000 words on average: a message to another process is a copy, which
   takes some 2 to 25 ns a word
