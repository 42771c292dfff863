Collections that copy live data count for all processes that were started alike, and a process that works alone is said to,
beside its collections. Where nearly all of them are full ones, a larger heap is no cure.
--- run
# three workers collect 80 us of each 100 us and keep all of a heap of 1,000 words; main then works alone for 20 ms, and
# collects for half of them
trace() {
    echo "@meta node=a@h creation=1 recorded=procs,running,messages,gc schedulers=3"
    for c in 0 1 2; do echo "$c <0.9.0> s1 spawn child=<0.2$c.0> mfa=shop:index/0"; done
    awk 'BEGIN {
        heap = "heap=1000 block=2000 bin=0 old=0 mbuf=0 need=1"
        for (i = 0; i < 100; i++)
            for (c = 0; c < 3; c++) {
                t = 1000 + i * 100000 + c
                printf "%d <0.2%d.0> s%d in mfa=shop:index/0\n", t, c, c + 1
                printf "%d <0.2%d.0> s%d gc_major_start %s\n%d <0.2%d.0> s%d gc_major_end %s\n", t + 10000, c, c + 1, heap, t + 90000, c, c + 1, heap
                printf "%d <0.2%d.0> s%d %s\n", t + 99000, c, c + 1, i < 99 ? "out mfa=shop:index/0" : "exit reason=normal"
            }
        for (i = 0; i < 20; i++) {
            t = 10100000 + i * 1000000
            printf "%d <0.9.0> s1 in mfa=shop:main/0\n", t
            printf "%d <0.9.0> s1 gc_major_start %s\n%d <0.9.0> s1 gc_major_end %s\n", t + 400000, heap, t + 900000, heap
            printf "%d <0.9.0> s1 %s\n", t + 999000, i < 19 ? "out mfa=shop:main/0" : "exit reason=normal"
        }
    }'
}
trace | sort -n -s > T.txt
$STROBE query T.txt "SELECT rule, subject, title, gain_ns FROM finding" --format csv
# without main only the three of them are left
trace | grep -v " <0.9.0> s1 [iogx]" | sort -n -s > group.txt
$STROBE query group.txt "SELECT rule, subject, title, gain_ns FROM finding" --format csv
# and without the workers main
trace | grep -v "<0.2[012].0>" > alone.txt
$STROBE query alone.txt "SELECT rule, subject, gain_ns FROM finding" --format csv
# a heap that grows is copied by minor collections, and seldom by a full one
awk '!/gc_major/ || NR % 20 == 0 { print; next } { sub(/gc_major/, "gc_minor"); print }' group.txt > minor.txt
for f in group minor; do
    $STROBE query $f.txt "SELECT substr(title, instr(title, 'and copied')) AS copied, substr(fix, 1, 40) AS fix FROM finding
                          WHERE rule = 'gc_heavy'" --format csv
done
--- out
rule,subject,title,gain_ns
serial_phase,<0.9.0>,"<0.9.0> was the only process at work for 20.0 ms, 66 % of the program's time; a good part of its work is garbage collection",13320000
gc_heavy,shop:index/0 <0.20.0>,"3 processes started alike, such as shop:index/0 <0.20.0>, collected garbage for 24.0 ms, 81 % of their work, and copied their live data 99 times over; all 300 collections were full ones",7991919
rule,subject,title,gain_ns
gc_heavy,shop:index/0 <0.20.0>,"3 processes started alike, such as shop:index/0 <0.20.0>, collected garbage for 24.0 ms, 81 % of their work, and copied their live data 99 times over; all 300 collections were full ones",7991919
saturated,schedulers,"the work at hand would fill the 3 schedulers for 99 % of their time; 3 processes started alike, such as shop:index/0 <0.20.0>, did 100 % of the work; 81 % of the work was garbage collection; work includes waits for locks of the VM and for memory, which a trace does not show",
rule,subject,gain_ns
serial_phase,<0.9.0>,13320000
gc_heavy,<0.9.0>,9990000
copied,fix
and copied their live data 99 times over; all 300 collections were full ones,"leave fullsweep_after at its default, do"
copied,fix
and copied their live data 99 times over,"keep the data in ETS or persistent_term,"
