What spawn copied is a lower bound: the heap before the first collection of the process, less a word a nanosecond of its
work and less its messages; the parent must have had the time for the copy.
--- run
run() { # work of the parent before each spawn, of the process before its collection; words of a message to it
    echo "@meta node=a@h creation=1 schedulers=2 recorded=procs,running,messages,gc"
    awk -v copy="$1" -v own="$2" -v words="$3" 'BEGIN {
        for (i = 0; i < 25; i++) {
            t = 10000 + i * 2000000; p = "<0." (20 + i) ".0>"; s = t + copy
            printf "%d <0.9.0> s1 in mfa=shop:main/0\n%d <0.9.0> s1 spawn child=%s mfa=shop:job/1\n", t, s, p
            printf "%d %s s1 spawned parent=<0.9.0> mfa=shop:job/1\n%d <0.9.0> s1 send to=%s words=%d hash=%x\n", s, p, s + 10, p, words, i + 1
            printf "%d <0.9.0> s1 out mfa=shop:main/0\n%d %s s2 in mfa=shop:job/1\n", s + 100, s + 200, p
            heap = "block=60000 bin=0 old=0 mbuf=0 need=1"; g = s + 200 + own
            printf "%d %s s2 gc_minor_start heap=50000 %s\n%d %s s2 gc_minor_end heap=1000 %s\n", g, p, heap, g + 1000, p, heap
            printf "%d %s s2 exit reason=normal\n%d %s s2 out_exited\n", g + 1100, p, g + 1200, p
        }
    }'
    echo "52000000 <0.9.0> s1 in mfa=shop:main/0"
    echo "52001000 <0.9.0> s1 exit reason=normal"
}
for case in "400000 10000 5" "400000 48000 5" "400000 10000 45000" "30000 10000 5"; do
    run $case > T.txt
    $STROBE query T.txt "SELECT rule, gain_ns, gain_high_ns, title FROM finding WHERE rule = 'spawn_copying'" --format csv
done
--- out
rule,gain_ns,gain_high_ns,title
spawn_copying,4999375,10025000,"<0.9.0> started 25 processes, such as shop:job/1 <0.44.0>, that began with at least 39,995 words on average: spawn copies the arguments and what a fun holds"
rule,gain_ns,gain_high_ns,title
rule,gain_ns,gain_high_ns,title
rule,gain_ns,gain_high_ns,title
