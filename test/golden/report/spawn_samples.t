Samples tell that spawn copies much, also where no child lives until a collection. Then its children are not too small.
--- run
trace() { # FRAME that the samples are in
    echo "@meta node=a@h creation=1 recorded=procs,running,cpu schedulers=2"
    echo "0 - - thread name=\"1_scheduler\" tid=41 cpu=0 queue=0"
    echo "0 - - cpu_frame name=\"shop:serve/3\" number=1 caller=0 kind=0"
    echo "0 - - cpu_frame name=\"erlang:spawn/1\" number=2 caller=1 kind=0"
    echo "0 - - cpu_frame name=\"beam.smp:copy_struct_x\" number=3 caller=2 kind=1"
    echo "0 <0.20.0> s1 spawned parent=<0.9.0> mfa=shop:serve/3"
    echo "0 <0.20.0> s1 in mfa=shop:serve/3"
    awk -v frame="$1" 'BEGIN {
        for (i = 0; i < 1200; i++) {
            t = 1000 + i * 1000000; p = "<0." 30 + i ".0>"
            if (i % 5 == 0) printf "%d - - cpu_sample tid=41 stack=%d\n", t, frame
            printf "%d <0.20.0> s1 spawn child=%s mfa=shop:one/1\n%d %s s2 spawned parent=<0.20.0> mfa=shop:one/1\n", t + 900000, p, t + 900001, p
            printf "%d %s s2 in mfa=shop:one/1\n%d %s s2 exit reason=normal\n%d %s s2 out_exited\n", t + 900010, p, t + 910000, p, t + 910001, p
        }
    }'
    echo "1200002000 <0.20.0> s1 exit reason=normal"
    echo "1200002001 <0.20.0> s1 out_exited"
}
for frame in 3 1; do
    trace $frame > $frame.txt
    COLUMNS=120 $STROBE report $frame.txt findings | grep -A2 '^[0-9]'
done
--- out
1. spawn_copying: a cure saves at most 1.20 s; confidence high
   shop:serve/3 <0.20.0> starts processes: copying what they begin with, their arguments and what a fun holds, took
   100 % of the CPU time of processes
1. fine_grained: a cure saves about 1.19 s (594 ms to 1.20 s); confidence medium
   1,200 processes of shop:one/1 worked 9.99 us each; shop:serve/3 <0.20.0> worked 1.20 s to start them and to take
   their results
