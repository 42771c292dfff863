The loader of code reads many small files on dirty schedulers. Nobody who loads code can change how, so that is no finding of its own.
Of several processes the function named is that of most jobs together, if there is one.
A way of 30 ms is no way but a queue; without the job it is none either, so what a cure saves at most contains it.
--- run
trace() { # NAME of the process with the jobs
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    echo "1 <0.20.0> s1 register name=$1"
    echo "1 <0.9.0> s1 spawn child=<0.21.0> mfa=shop:main/0"
    echo "2 <0.21.0> s1 in mfa=shop:main/0"
    echo "3 <0.21.0> s1 out mfa=shop:main/0"
    awk -v both="${2:-0}" 'BEGIN {
        for (i = 0; i < 4000; i++) {
            t = 1000 + i * 50000
            printf "%d <0.20.0> s1 in mfa=prim_file:read/1\n%d <0.20.0> s1 out mfa=prim_file:read/1\n", t, t + 2000
            printf "%d <0.20.0> i1 in mfa=prim_file:read_nif/1\n%d <0.20.0> i1 out mfa=prim_file:read_nif/1\n", t + 22000, t + 30000
            if (both) {
                p = "<0." 22 + i % 2 ".0>"
                printf "%d %s s2 in mfa=prim_file:stat/1\n%d %s s2 out mfa=prim_file:stat/1\n", t, p, t + 2000, p
                printf "%d %s i2 in mfa=prim_file:stat_nif/1\n%d %s i2 out mfa=prim_file:stat_nif/1\n", t + 22000, p, t + 30000, p
            }
        }
    }'
    echo "200001000 <0.21.0> s1 in mfa=shop:main/0"
    echo "200002000 <0.21.0> s1 exit reason=normal"
}
for name in reader erl_prim_loader; do
    trace $name > $name.txt
    $STROBE query $name.txt "SELECT rule, title FROM finding WHERE rule = 'short_dirty_jobs'" --format csv
done
trace reader both > both.txt
$STROBE query both.txt "SELECT rule, title FROM finding WHERE rule = 'short_dirty_jobs'" --format csv
sed 's/^199973000/229973000/; s/^199981000/229981000/; s/^20000/23000/' reader.txt > queue.txt
for t in reader queue; do
    $STROBE query $t.txt "SELECT gain_high_ns FROM finding WHERE rule = 'short_dirty_jobs'" --format csv
done
--- out
rule,title
short_dirty_jobs,"reader <0.20.0> did 4,000 short jobs on dirty schedulers, mostly prim_file:read_nif/1: each took 8.00 us there, and the way there and back 40.0 us"
rule,title
rule,title
short_dirty_jobs,"3 processes, reader <0.20.0> most, did 8,000 short jobs on dirty schedulers: each took 8.00 us there, and the way there and back 65.0 us"
gain_high_ns
159980000
gain_high_ns
189980000
