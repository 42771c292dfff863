A function without recorded calls is made faster by samples of the CPU: by its share of the work of each process and part of
its time. What samples leave open is in the band. Where C code hides who called a function, other stacks of it tell.
--- run
export XDG_CACHE_HOME=$PWD # no constants of this machine
head() { cat << 'X'
@meta node=a@h creation=1 recorded=procs,running,messages,cpu schedulers=2
0us - - thread name="1_scheduler" tid=41 cpu=0 queue=0 voluntary=0 involuntary=0
0us - - thread name="2_scheduler" tid=42 cpu=0 queue=0 voluntary=0 involuntary=0
0us - - cpu_frame name="m:work/0" number=1 caller=0 kind=0
0us - - cpu_frame name="m:hot/1" number=2 caller=1 kind=0
0us - - cpu_frame name="m:find/1" number=3 caller=2 kind=0
0us - - cpu_frame name="m:cold/1" number=4 caller=1 kind=0
0us - - cpu_frame name="m:find/1" number=5 caller=0 kind=0
0us - - cpu_frame name="beam.smp:ets_lookup_2" number=6 caller=5 kind=1
X
}
# turns N STACK: N slices of 1 ms of <0.20.0> and <0.21.0> in turns, a sample in each; STACK of slice i of process p
turns() {
    head
    awk -v n=$1 'BEGIN {
        print "0us <0.19.0> s1 in mfa=m:main/0\n0us <0.19.0> s1 waits mfa=m:wait/0 kind=1"
        for (p = 20; p < 22; p++) printf "0us <0.19.0> s1 spawn child=<0.%d.0> mfa=m:work/0\n", p
        print "0us <0.19.0> s1 out_exited\n0us <0.19.0> s1 exit reason=normal"
        for (k = 0; k < n; k++) {
            p = 20 + k % 2; i = int(k / 2)
            printf "%dus <0.%d.0> s1 in mfa=m:work/0\n", k * 1000, p
            printf "%dus - - cpu_sample tid=41 stack=%d\n", k * 1000 + 500, '"$2"'
            printf "%dus <0.%d.0> s1 %s\n", k * 1000 + 1000, p, k < n - 2 ? "out mfa=m:work/0" : "exit reason=normal"
        }
    }'
}
# 200 ms in hot/1, then 200 ms in cold/1 beside another process, which takes 300 ms and ends the run
phases() {
    head
    awk 'BEGIN {
        print "0us <0.20.0> s1 in mfa=m:work/0\n0us <0.20.0> s1 waits mfa=m:wait/0 kind=1"
        for (k = 0; k < 200; k++) printf "%dus - - cpu_sample tid=41 stack=2\n", k * 1000 + 500
        print "200000us <0.20.0> s1 spawn child=<0.21.0> mfa=m:other/0\n200000us <0.21.0> s2 in mfa=m:other/0"
        for (k = 0; k < 600; k++) if (k < 400 || k % 2) printf "%dus - - cpu_sample tid=%d stack=4\n", 200000 + k * 500, 41 + k % 2
        print "400000us <0.20.0> s1 out mfa=m:wait/0"
        print "500000us <0.21.0> s2 send to=<0.20.0> words=3 hash=7\n500000us <0.21.0> s2 exit reason=normal"
        print "500000us <0.20.0> s1 in mfa=m:wait/0\n500000us <0.20.0> s1 receive words=3 hash=7"
        print "500010us <0.20.0> s1 exit reason=normal"
    }' | sort -n -s
}
# 300 processes of 1 ms, each of which starts the next one, beside 200 that do other work; a sample in every second one
chain() {
    head
    awk 'BEGIN {
        print "0us <0.19.0> s1 in mfa=m:main/0\n0us <0.19.0> s1 spawn child=<0.1000.0> mfa=m:one/0"
        print "0us <0.19.0> s1 spawn child=<0.5000.0> mfa=m:two/0\n0us <0.19.0> s1 out_exited\n0us <0.19.0> s1 exit reason=normal"
        for (k = 0; k < 300; k++) for (c = 1; c <= (k < 200 ? 2 : 1); c++) {
            p = (c == 1 ? 1000 : 5000) + k; f = c == 1 ? "m:one/0" : "m:two/0"; to = (k + 1) * 1000
            printf "%dus <0.%d.0> s%d in mfa=%s\n", k * 1000, p, c, f
            if (k % 2) printf "%dus - - cpu_sample tid=%d stack=%d\n", k * 1000 + 500, 40 + c, c == 1 ? 2 : 4
            if (k < (c == 1 ? 299 : 199)) printf "%dus <0.%d.0> s%d spawn child=<0.%d.0> mfa=%s\n", to, p, c, p + 1, f
            printf "%dus <0.%d.0> s%d out_exited\n%dus <0.%d.0> s%d exit reason=normal\n", to, p, c, to, p, c
        }
    }' | sort -n -s
}
faster() { # TITLE WHAT
    rm -f T.sbp*
    echo "== $1"
    $STROBE predict T.txt --cores 1,2 --faster "$2" --format csv 2>&1 | cut -d, -f1-4,12 | sed '/^cores/d; s/"\(.*\) | the cost.*/\1/; s/.*,4,.*//'
}
turns 400 'i % 2 ? 2 : 4' > T.txt; faster "half of both, twice as fast" m:hot/1=2
faster "a process goes before a function" '<0.20.0>=2'
turns 400 'p == 20 ? 2 : 4' > T.txt; faster "all of one, beside the other" m:hot/1=2
phases > T.txt; faster "the first part of a process, before the other" m:hot/1=2
chain > T.txt; faster "processes without samples are like those with their entry" m:hot/1=2
turns 400 'i % 4 == 0 ? 3 : i % 2 ? 6 : 4' > T.txt; faster "below C code: half of the samples have no caller" m:hot/1=2
turns 400 'i % 2 ? 2 : 4' | sed "s|m:hot/1|\\\\'Elixir.Shop.Hot\\\\':price/1|" > T.txt; faster "as Elixir writes it" Shop.Hot.price/1=2
turns 400 'i % 2 ? 2 : 4' | sed "s|m:hot/1|shop__escript__1796__24705__3:hot/1|" > T.txt; faster "of an escript, as reports write it" shop:hot/1=2
turns 38 'i % 2 ? 2 : 4' > T.txt; faster "too few" m:hot/1=2
turns 400 4 > T.txt; faster "not there" m:hot/1=2
faster "no such function" 'm:other/1=2'
sed -i '/cpu_/d' T.txt; faster "no samples" m:hot/1=2
--- out
== half of both, twice as fast
1,261467264,300248000,340974937,m:hot/1 was on the stack in 50 % of 400 samples of the CPU (45 to 55 %)
2,131509260,150998000,171462280,m:hot/1 was on the stack in 50 % of 400 samples of the CPU (45 to 55 %)
== a process goes before a function
1,270448200,300498000,330547800,"the cost of tracing is not in the trace
2,180898200,200998000,221097800,"the cost of tracing is not in the trace
== all of one, beside the other
1,268734091,300497575,332631545,m:hot/1 was on the stack in 50 % of 400 samples of the CPU (45 to 55 %)
2,179082900,200873200,220973720,m:hot/1 was on the stack in 50 % of 400 samples of the CPU (45 to 55 %)
== the first part of a process, before the other
1,532125522,600009913,667342214,m:hot/1 was on the stack in 29 % of 700 samples of the CPU (25 to 32 %)
2,358104072,401782872,447539183,m:hot/1 was on the stack in 29 % of 700 samples of the CPU (25 to 32 %)
== processes without samples are like those with their entry
1,311631210,350000200,389172080,m:hot/1 was on the stack in 60 % of 250 samples of the CPU (54 to 66 %)
2,135184410,150240000,169408800,m:hot/1 was on the stack in 60 % of 250 samples of the CPU (54 to 66 %)
== below C code: half of the samples have no caller
1,218168064,250373000,289451149,m:hot/1 was on the stack in 75 % of 400 samples of the CPU (69 to 79 %)
2,109805400,125998000,145635820,m:hot/1 was on the stack in 75 % of 400 samples of the CPU (69 to 79 %)
== as Elixir writes it
1,261467264,300248000,340974937,Shop.Hot.price/1 was on the stack in 50 % of 400 samples of the CPU (45 to 55 %)
2,131509260,150998000,171462280,Shop.Hot.price/1 was on the stack in 50 % of 400 samples of the CPU (45 to 55 %)
== of an escript, as reports write it
1,261467264,300248000,340974937,shop:hot/1 was on the stack in 50 % of 400 samples of the CPU (45 to 55 %)
2,131509260,150998000,171462280,shop:hot/1 was on the stack in 50 % of 400 samples of the CPU (45 to 55 %)
== too few
strobe: no call of 'm:hot/1' is recorded, and fewer than 40 samples of the CPU tell no share: record a longer run (--trace all,cpu), or its calls (--trace all
== not there
strobe: no call of 'm:hot/1' is recorded, and none of 400 samples of the CPU shows it (at most 1 % of the work): strobe report T.sbp cpu shows the functions that have samples
== no such function
strobe: no call of 'm:other/1' is recorded, and none of 400 samples of the CPU shows it (at most 1 % of the work): strobe report T.sbp cpu shows the functions that have samples
== no samples
strobe: no call of 'm:hot/1' is recorded, and fewer than 40 samples of the CPU tell no share: record a longer run (--trace all,cpu), or its calls (--trace all
