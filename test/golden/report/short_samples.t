Where many processes live for less time than two samples are apart, most have none. What a built-in function took is its share of
all samples then, not of those processes that have one. What has no name may be of it: the bound has it.
--- run
# 200 processes of 1 ms each, one of four with a sample: all in ETS, or one of two in a function without a name
trace() {
    awk -v nameless=$1 'BEGIN {
        print "@meta node=a@h creation=1 recorded=procs,running,messages,cpu schedulers=1"
        print "0us - - thread name=\"1_scheduler\" tid=41 cpu=0 queue=0 voluntary=0 involuntary=0"
        print "0us - - cpu_frame name=\"shop:quote/1\" number=1 caller=0 kind=0"
        print "0us - - cpu_frame name=\"beam.smp:ets_lookup_2\" number=2 caller=1 kind=1"
        print "0us - - cpu_frame name=\"beam.smp\" number=3 caller=0 kind=1"
        print "0us <0.9.0> s1 in mfa=shop:main/0"
        for (i = 0; i < 200; i++) printf "%dus <0.9.0> s1 spawn child=<0.%d.0> mfa=shop:quote/1\n", i, 100 + i
        print "900us <0.9.0> s1 out mfa=shop:wait/0"
        for (i = 0; i < 200; i++) {
            t = 1000 + i * 1000
            printf "%dus <0.%d.0> s1 in mfa=shop:quote/1\n", t, 100 + i
            if (i % 4 == 0) printf "%dus - - cpu_sample tid=41 stack=%d\n", t + 500, nameless && i % 8 ? 3 : 2
            printf "%dus <0.%d.0> s1 exit reason=normal\n%dus <0.%d.0> s1 out_exited\n", t + 990, 100 + i, t + 991, 100 + i
        }
    }' > T.txt
    rm -f T.sbp*
}
for nameless in 0 1; do
    trace $nameless
    $STROBE query T.txt "SELECT rule, title, gain_high_ns FROM finding WHERE rule = 'builtin_heavy'" --format csv
done
--- out
rule,title,gain_high_ns
builtin_heavy,"ETS took 100 % of the CPU time of processes; the caller, where known, was shop:quote/1",198900000
rule,title,gain_high_ns
builtin_heavy,"ETS took at least 50 % of the CPU time of processes; the caller, where known, was shop:quote/1",198900000
