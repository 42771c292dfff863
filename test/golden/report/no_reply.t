A wait that nothing ends is no call, and calls that are made at once still take as long as the longest of them.
--- run
# 20 calls of 4 ms, one of them of $1 ns, and a wait of 500 ms that no message ends
start() {
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    echo "0 <0.9.0> s1 waits mfa=shop:loop/1 kind=1"
    echo "0 <0.9.0> s1 spawn child=<0.20.0> mfa=shop:client/0"
    echo "0 <0.9.0> s1 spawn child=<0.30.0> mfa=shop:server/0"
    awk -v long="$1" 'BEGIN {
        at = 1000
        printf "%d <0.20.0> s1 in mfa=shop:client/0\n", at
        for (i = 0; i < 21; i++) {
            printf "%d <0.20.0> s1 send to=<0.30.0> words=3 hash=%x\n", at + 10, i
            printf "%d <0.20.0> s1 out mfa=%s\n", at + 20, i == 20 ? "shop:loop/1" : "gen:do_call/4"
            at += i == 20 ? 500000000 : i == 7 ? long : 4000000
            if (i == 20) break
            printf "%d <0.20.0> s1 in mfa=gen:do_call/4\n%d <0.20.0> s1 receive words=3 hash=%x\n", at, at + 5, 100 + i
        }
        printf "%d <0.9.0> s1 in mfa=shop:main/0\n%d <0.9.0> s1 exit reason=normal\n", at + 10, at + 20
    }'
}
for long in 4000000 300000000; do
    start $long > T.txt
    COLUMNS=100 $STROBE report T.txt findings | sed -n 1,3p
done
--- out
1. sequential_calls: a cure saves at most 72.0 ms; confidence medium
   shop:client/0 <0.20.0> made 20 calls one after the other and waited 4.00 ms for each on average;
   nothing was at work for 76.0 ms of that
1. sequential_calls: a cure saves at most 72.0 ms; confidence medium
   shop:client/0 <0.20.0> made 20 calls one after the other and waited 19.6 ms for each on average;
   nothing was at work for 372 ms of that
