A built-in function costs the collections of its garbage too, so the bound has them, and the finding about the heap is only a bound that names it. Of no process it is more than that worked.
--- run
trace() { # WORK: work of a process beside it, in us of each 1000
    awk -v beside="$1" 'BEGIN {
        print "@meta node=a@h creation=1 recorded=procs,running,messages,gc,cpu schedulers=2"
        for (s = 1; s < 3; s++) printf "0us - - thread name=\"%d_scheduler\" tid=%d cpu=0 queue=0\n", s, 40 + s
        print "0us - - cpu_frame name=\"shop:add/2\" number=1 caller=0 kind=0"
        print "0us - - cpu_frame name=\"beam.smp:append_2\" number=2 caller=1 kind=1"
        print "0us - - cpu_frame name=\"beam.smp:erts_garbage_collect\" number=3 caller=1 kind=1"
        print "0us - - cpu_frame name=\"shop:other/0\" number=4 caller=0 kind=0"
        for (p = 20; p < 22; p++) printf "0us <0.9.0> s1 spawn child=<0.%d.0> mfa=shop:p%d/0\n", p, p
        for (i = 0; i < 120; i++) {
            t = i * 1000
            printf "%dus <0.20.0> s1 in mfa=shop:add/2\n%dus - - cpu_sample tid=41 stack=2\n", t, t + 200
            printf "%dus <0.20.0> s1 gc_minor_start heap=10000 block=20000 bin=0 old=0 mbuf=0 need=1\n", t + 400
            printf "%dus - - cpu_sample tid=41 stack=3\n", t + 700
            printf "%dus <0.20.0> s1 gc_minor_end heap=9000 block=20000 bin=0 old=0 mbuf=0\n%dus <0.20.0> s1 %s\n", t + 900, t + 901, i < 119 ? "out mfa=shop:add/2" : "exit reason=normal"
            if (beside) printf "%dus <0.21.0> s2 in mfa=shop:other/0\n", t
            if (beside && i % 4 == 0) printf "%dus - - cpu_sample tid=42 stack=4\n", t + 500
            if (beside) printf "%dus <0.21.0> s2 %s\n", t + beside, i < 119 ? "out mfa=shop:other/0" : "exit reason=normal"
        }
    }'
}
for beside in 0 990; do
    trace $beside > T$beside.txt
    COLUMNS=100 $STROBE report T$beside.txt findings | grep -A3 '^[0-9]. [bg][uc]' | grep -v 'cure:\|^--'
done
--- out
2. builtin_heavy: a cure saves at most 108 ms; confidence high
   built-in functions of lists (search, ++, --, length) took 50 % of the CPU time of processes; the
   caller, where known, was shop:add/2; the bound includes the collections of these processes,
   60.0 ms, which may be of its garbage
3. gc_heavy: a cure saves at most 60.0 ms; confidence high
   shop:p20/0 <0.20.0> collected garbage for 60.0 ms, 55 % of its work, and copied its live data 120
   times over; garbage of built-in functions of lists (search, ++, --, length) may be the cause
   (builtin_heavy)
1. builtin_heavy: a cure saves at most 108 ms; confidence high
   built-in functions of lists (search, ++, --, length) took 44 % of the CPU time of processes; the
   caller, where known, was shop:add/2; the bound includes the collections of these processes,
   60.0 ms, which may be of its garbage
2. gc_heavy: a cure saves at most 60.0 ms; confidence high
   shop:p20/0 <0.20.0> collected garbage for 60.0 ms, 55 % of its work, and copied its live data 120
   times over; garbage of built-in functions of lists (search, ++, --, length) may be the cause
   (builtin_heavy)
