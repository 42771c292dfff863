Where nearly all of the schedulers' time is used, a server that others wait for gains no more than what is free, and the
summary says that the schedulers are full. Where other programs took cores, that is no more than a hint.
--- run
# of each ms, <0.20.0> works 0.8 ms on s1 and rests; <0.21.0> and <0.22.0> work 0.62 ms on s2 in turn, call <0.30.0>, which
# works 0.35 ms there, and rest
trace() {
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    for p in 20 21 22 30; do echo "0 <0.9.0> s1 spawn child=<0.$p.0> mfa=shop:p$p/0"; done
    awk 'BEGIN {
        for (i = 0; i < 60; i++) {
            t = 1000 + i * 1000000; c = 21 + i % 2
            printf "%d <0.20.0> s1 in mfa=shop:p20/0\n", t
            if (i) printf "%d <0.20.0> s1 receive words=1 timeout\n", t + 10
            printf "%d <0.20.0> s1 out mfa=timer:sleep/1\n", t + 800000
            printf "%d <0.%d.0> s2 in mfa=timer:sleep/1\n", t, c
            if (i > 1) printf "%d <0.%d.0> s2 receive words=1 timeout\n", t + 10, c
            printf "%d <0.%d.0> s2 send to=<0.30.0> words=3 hash=%x\n%d <0.%d.0> s2 out mfa=gen:do_call/4\n", t + 610000, c, 2 * i + 256, t + 620000, c
            printf "%d <0.30.0> s2 in mfa=gen_server:loop/7\n%d <0.30.0> s2 receive words=3 hash=%x\n", t + 630000, t + 630010, 2 * i + 256
            printf "%d <0.30.0> s2 send to=<0.%d.0> words=3 hash=%x\n%d <0.30.0> s2 out mfa=gen_server:loop/7\n", t + 980000, c, 2 * i + 257, t + 985000
            printf "%d <0.%d.0> s2 in mfa=gen:do_call/4\n%d <0.%d.0> s2 receive words=3 hash=%x\n%d <0.%d.0> s2 out mfa=timer:sleep/1\n", t + 985100, c, t + 985200, c, 2 * i + 257, t + 986000, c
        }
    }'
    echo "60001000 <0.9.0> s1 in mfa=shop:main/0"
    echo "60002000 <0.9.0> s1 exit reason=normal"
}
trace | sort -n -s > T.txt
$STROBE query T.txt "SELECT rule, gain_ns, gain_high_ns, title FROM finding" --format csv
{
    cat T.txt
    for n in 1 2; do
        echo "0 - - thread name=\"${n}_scheduler\" tid=1$n cpu=0 queue=0"
        echo "60001500 - - thread name=\"${n}_scheduler\" tid=1$n cpu=30000000 queue=30000000"
    done
} | awk '/^@/ { print; next } { print | "sort -n -s" }' > taken.txt
$STROBE query taken.txt "SELECT confidence, substr(title, 1, 110) FROM finding WHERE rule = 'saturated'" --format csv
--- out
rule,gain_ns,gain_high_ns,title
single_server,5310000,6173000,"2 processes waited for shop:p30/0 <0.30.0>, which serves one at a time: it was at work 97 % of the time that somebody waited for it; other schedulers were free for 5.31 ms of it"
saturated,,,"the work at hand would fill the 2 schedulers for 90 % of their time; shop:p20/0 <0.20.0> did 45 % of the work; work includes waits for locks of the VM and for memory, which a trace does not show"
confidence,"substr(title, 1, 110)"
low,the work at hand would fill the 2 schedulers for 90 % of their time (less if other programs left them the core
