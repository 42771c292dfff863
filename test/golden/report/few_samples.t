Of few samples a share counts if it is large enough though it is as far too large as it may be. Where no function stands
out, the one of the program does that called the functions of OTP.
--- run
export XDG_CACHE_HOME=$PWD # no constants of this machine
# work N OF: a process works alone for N ms, with a sample in each; of three, OF are in what shop:rule/1 called, which
# are ten functions of OTP
work() {
    awk -v n=$1 -v of=$2 'BEGIN {
        print "@meta node=a@h creation=1 recorded=procs,running,messages,cpu schedulers=2"
        print "0us - - thread name=\"1_scheduler\" tid=41 cpu=0 queue=0 voluntary=0 involuntary=0"
        print "0us - - cpu_frame name=\"shop:main/0\" number=1 caller=0 kind=0"
        print "0us - - cpu_frame name=\"shop:rule/1\" number=2 caller=1 kind=0"
        for (i = 3; i < 13; i++) printf "0us - - cpu_frame name=\"lists:f%d/1\" number=%d caller=2 kind=0\n", i, i
        for (i = 13; i < 23; i++) printf "0us - - cpu_frame name=\"beam.smp\" number=%d caller=0 kind=1\n", i
        print "0us <0.19.0> s1 spawn child=<0.20.0> mfa=shop:main/0"
        print "0us <0.20.0> s1 in mfa=shop:main/0"
        for (i = 0; i < n; i++)
            printf "%dus - - cpu_sample tid=41 stack=%d\n", i * 1000 + 500, i % 3 < of ? 3 + i % 10 : 13 + i % 10
        printf "%dus <0.20.0> s1 exit reason=normal\n", n * 1000
    }' > T.txt
    echo "== $1 samples, $2 of 3"
    $STROBE query T.txt "SELECT title FROM finding WHERE rule = 'serial_phase'" --format csv 2>&1 | tail -n +2 | cut -d';' -f2-
}
work 60 2
work 60 1
work 300 1
work 30 2
--- out
== 60 samples, 2 of 3
 shop:rule/1, with what it called of OTP or Elixir, took at least 67 % of the CPU time of that process; with what it calls, shop:rule/1 is in 54 to 100 % of all samples: twice as fast, that function saves 14.0 ms to 31.5 ms of 60.0 ms in a replay, which may be 5 % off (strobe predict --faster)"
== 60 samples, 1 of 3
"shop:main/0 <0.20.0> was the only process at work for 60.0 ms, 100 % of the program's time"
== 300 samples, 1 of 3
 shop:rule/1, with what it called of OTP or Elixir, took at least 33 % of the CPU time of that process; with what it calls, shop:rule/1 is in 28 to 100 % of all samples: twice as fast, that function saves 29.5 ms to 157 ms of 300 ms in a replay, which may be 5 % off (strobe predict --faster)"
== 30 samples, 2 of 3
"shop:main/0 <0.20.0> was the only process at work for 30.0 ms, 100 % of the program's time"
