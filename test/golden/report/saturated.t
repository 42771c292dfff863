Where all schedulers are at work the function with most samples is named, and what the run takes with it twice as fast, as
`strobe predict --faster` says it. A gain that is too small, or unknown, is left out.
--- run
export XDG_CACHE_HOME=$PWD # no constants of this machine
# busy N HOT: four processes take turns of 1 ms on two schedulers, N each, with a sample; in hot/1 in HOT of 10 turns
busy() {
    awk -v n=$1 -v hot=$2 'BEGIN {
        print "@meta node=a@h creation=1 recorded=procs,running,messages,cpu schedulers=2"
        for (s = 1; s <= 2; s++) printf "0us - - thread name=\"%d_scheduler\" tid=%d cpu=0 queue=0 voluntary=0 involuntary=0\n", s, 40 + s
        print "0us - - cpu_frame name=\"shop:work/0\" number=1 caller=0 kind=0"
        print "0us - - cpu_frame name=\"shop:hot/1\" number=2 caller=1 kind=0"
        print "0us - - cpu_frame name=\"shop:cold/1\" number=3 caller=1 kind=0"
        print "0us <0.19.0> s1 in mfa=shop:main/0\n0us <0.19.0> s1 waits mfa=shop:wait/0 kind=1"
        for (p = 20; p < 24; p++) printf "0us <0.19.0> s1 spawn child=<0.%d.0> mfa=shop:work/0\n", p
        print "0us <0.19.0> s1 out mfa=shop:wait/0"
        for (i = 0; i < 2 * n; i++) {
            for (s = 1; s <= 2; s++) printf "%dus <0.%d.0> s%d in mfa=shop:work/0\n", i * 1000, 18 + 2 * s + i % 2, s
            for (s = 1; s <= 2; s++) printf "%dus - - cpu_sample tid=%d stack=%d\n", i * 1000 + 500, 40 + s, int(i / 2) * 7 % 10 < hot ? 2 : 3
            for (s = 1; s <= 2; s++) printf "%dus <0.%d.0> s%d %s\n", i * 1000 + 1000, 18 + 2 * s + i % 2, s, i < 2 * n - 2 ? "out mfa=shop:work/0" : "exit reason=normal"
        }
        for (p = 20; p < 24; p++) printf "%dus <0.19.0> s1 in mfa=shop:wait/0\n%dus <0.19.0> s1 receive words=6 hash=%x down=<0.%d.0>\n%dus <0.19.0> s1 %s\n", \
            2 * n * 1000 + p, 2 * n * 1000 + p, p, p, 2 * n * 1000 + p, p < 23 ? "out mfa=shop:wait/0" : "exit reason=normal"
    }' > T.txt
}
title() { echo "== $1"; $STROBE query T.txt "SELECT title FROM finding WHERE rule = 'saturated'" --format csv 2>&1 | sed '1d; s/.*; the function/the function/'; }
busy 200 8; title "eight of ten"
$STROBE predict T.txt --cores 2 --faster shop:hot/1=2 2>&1 | head -n 2
$STROBE report T.sbp findings --format json | grep -c '"gain_ns": null'
busy 9 8; title "too few samples"
--- out
== eight of ten
the function to make faster is shop:hot/1: it, and what the VM did for it, took 80 % of the CPU time of processes; with what it calls, shop:hot/1 is in 77 to 83 % of all samples: twice as fast, that function saves 141 ms to 177 ms of 400 ms in a replay, which may be 5 % off (strobe predict --faster)"
cores          at least    estimate     at most  speed-up
    2            212 ms      240 ms      271 ms      2.00
1
== too few samples
"the work at hand would fill the 2 schedulers for 100 % of their time; 4 processes started alike, such as shop:work/0 <0.20.0>, did 100 % of the work; work includes waits for locks of the VM and for memory, which a trace does not show"
