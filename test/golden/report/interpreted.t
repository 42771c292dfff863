A script that is interpreted shows functions of erl_eval alone, which then are the program, unless a compiler folds constants by them; without any function of a program no cause is looked for, and the first screen says so.
--- run
run() { # function of the process that works
    echo "@meta node=a@h creation=1 schedulers=2 recorded=procs,running,messages"
    echo "0 <0.9.0> s1 spawned parent=<0.1.0> mfa=escript:main/0"
    echo "1000 <0.9.0> s1 in mfa=$1"
    echo "40000000 <0.9.0> s1 out mfa=$1"
    echo "50000000 <0.9.0> s1 in mfa=$1"
    echo "51000000 <0.9.0> s1 exit reason=normal"
}
for f in "erl_eval:'-expr/6-fun-2-'/1" lists:sort/1 erl_eval:ev_expr/1; do
    run "$f" > T.txt
    COLUMNS=110 $STROBE report T.txt | sed '/^$/,$d'
    $STROBE query T.sbp "SELECT rule, gain_ns FROM finding" --format csv
done
--- out
Worth looking at
1. code was interpreted instead of compiled: 40.0 ms of the program's 41.0 ms of work ended in functions of
   erl_eval and their helpers, most of it in escript:main/0 <0.9.0>: a cure saves at most 40.0 ms
   cure: move the code to a module and compile it; in an escript write -mode(compile)
   strobe report T.sbp findings
rule,gain_ns
interpreted,39999000
Worth looking at
causes were not looked for, since no function outside OTP and Elixir was seen
- one was at work and nobody else was ready for 41.0 ms of 51.0 ms
- most work was in escript:main/0 <0.9.0> (41.0 ms)
rule,gain_ns
Worth looking at
causes were not looked for, since no function outside OTP and Elixir was seen
- one was at work and nobody else was ready for 41.0 ms of 51.0 ms
- most work was in escript:main/0 <0.9.0> (41.0 ms)
rule,gain_ns
