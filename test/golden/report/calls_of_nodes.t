Calls of another node, one after the other: the trace has neither the request nor who replies. The answers of httpc come from another
process than the one that was asked.
--- run
trace() { # FUNCTION, WAKER
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    echo "0 <0.9.0> - exists entry=erlang:apply/2"
    echo "0 <0.20.0> - exists entry=httpc_handler:init/1"
    echo "0 <0.9.0> s1 in mfa=shop:main/0"
    for of in gen_server:loop/7 erpc:call/5 httpc:handle_answer/3 shop:wait/1; do echo "0 <0.9.0> s1 waits mfa=$of kind=1"; done
    awk -v f="$1" -v waker="$2" 'BEGIN {
        for (i = 1; i <= 20; i++) {
            printf "%d <0.9.0> s1 out mfa=shop:price/1\n%d <0.9.0> s1 in mfa=shop:price/1\n", t + 10000, t + 11000
            printf "%d <0.9.0> s1 out mfa=%s\n", t + 20000, f
            t += 8000000
            if (waker) {
                printf "%d <0.20.0> s2 in mfa=gen_server:loop/7\n%d <0.20.0> s2 send to=<0.9.0> words=5 hash=%x\n", t - 20000, t - 10000, i
                printf "%d <0.20.0> s2 out mfa=gen_server:loop/7\n", t - 9000
            }
            printf "%d <0.9.0> s1 in mfa=%s\n%d <0.9.0> s1 receive words=5 hash=%x\n", t, f, t + 1000, i
        }
        printf "%d <0.9.0> s1 exit reason=normal\n", t + 20000
    }'
}
trace erpc:call/5 "" > erpc.txt
trace httpc:handle_answer/3 1 > httpc.txt
trace shop:wait/1 1 > other.txt
for t in erpc httpc other; do
    $STROBE query $t.txt "SELECT rule, title, gain_low_ns, gain_ns, gain_high_ns FROM finding WHERE rule = 'sequential_calls'" --format csv
done
--- out
rule,title,gain_low_ns,gain_ns,gain_high_ns
sequential_calls,"shop:price/1 <0.9.0> waited 20 times in calls of other nodes, one after the other, 7.98 ms on average; nothing was at work for 152 ms of that",0,143604000,143604000
rule,title,gain_low_ns,gain_ns,gain_high_ns
sequential_calls,shop:price/1 <0.9.0> made 20 calls one after the other and waited 7.97 ms for each on average; nothing was at work for 151 ms of that,0,143280000,143280000
rule,title,gain_low_ns,gain_ns,gain_high_ns
