A process that began in a function of OTP bears what it runs of the program: the outermost function where whole stacks
of the CPU show it, the one function or else the module in which its slices ended, or nothing, if these were few. A stack that is
cut says nothing of where it began.
--- run
trace() { # BOTTOM FRAME, OUT FUNCTION
    echo "@meta node=a@h creation=2 schedulers=1 recorded=procs,running,cpu"
    cat << END
1000 <0.9.0> s1 spawned parent=<0.1.0> mfa=erlang:apply/2
1000 <0.9.0> s1 in mfa=erlang:apply/2
1000 - - thread name="1_scheduler" tid=41 cpu=0 queue=0 voluntary=0 involuntary=0
1100 - - cpu_frame name="$1" number=1 caller=0 kind=$2
1100 - - cpu_frame name="shop:main/1" number=2 caller=1 kind=0
1100 - - cpu_frame name="lists:foldl/3" number=3 caller=2 kind=0
1100 - - cpu_frame name="shop:sum/2" number=4 caller=3 kind=0
END
    awk 'BEGIN { for (i = 0; i < 60; i++) printf "%d - - cpu_sample tid=41 stack=4\n", 1200 + i * 1000000 }'
    echo "30001000 <0.9.0> s1 out mfa=$3"
    echo "30001100 <0.9.0> s1 in mfa=$3"
    echo "60002000 <0.9.0> s1 out mfa=$4"
    echo "60002100 <0.9.0> s1 in mfa=$4"
    echo "60003000 <0.9.0> s1 out_exited"
    echo "60003000 <0.9.0> s1 exit reason=normal"
}
trace init:start_em/1 0 shop:sum/2 shop:sum/2 > whole.txt
trace beam.smp:beam_jit_call_bif 1 shop:sum/2 shop:max/2 > several.txt
trace beam.smp:beam_jit_call_bif 1 lists:foldl/3 shop:sum/2 > one.txt
trace beam.smp:beam_jit_call_bif 1 lists:foldl/3 lists:foldl/3 > none.txt
# 20 slices more that end in OTP
awk '/<0.9.0> s1 out_exited/ { for (i = 0; i < 20; i++)
    printf "%d <0.9.0> s1 out mfa=lists:foldl/3\n%d <0.9.0> s1 in mfa=lists:foldl/3\n", $1 - 800 + i * 20, $1 - 790 + i * 20 } 1' one.txt > rare.txt
for f in whole several one none rare; do
    $STROBE analyze $f.txt > /dev/null
    COLUMNS=120 $STROBE report $f.sbp | grep 'most work'
done
--- out
- most work was in shop:main/1 <0.9.0> (60.0 ms, of it shop:sum/2 100 % by 60 samples: within 13 points)
- most work was in shop <0.9.0> (60.0 ms, of it shop:sum/2 100 % by 60 samples: within 13 points)
- most work was in shop:sum/2 <0.9.0> (30.0 ms)
- most work was in erlang:apply/2 <0.9.0> (60.0 ms, of it shop:sum/2 100 % by 60 samples: within 13 points)
- most work was in erlang:apply/2 <0.9.0> (30.0 ms)
