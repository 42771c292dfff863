A process that yields over and over waits for something without waiting: it is reported like one that looks for
messages. A function of OTP that gives up the scheduler in the middle of its work, such as erlang:md5/1, does not wait.
--- run
# watch yields 20,000 times beside a worker; the worker yields after 1 ms each time, as any process does
trace() {
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    echo "0 <0.9.0> s1 spawn child=<0.20.0> mfa=shop:watch/0"
    echo "10 <0.9.0> s1 spawn child=<0.21.0> mfa=shop:work/0"
    awk 'BEGIN {
        for (i = 0; i < 20000; i++) {
            t = 1000 + i * 2000
            printf "%d <0.20.0> s1 in mfa=shop:watch/0\n%d <0.20.0> s1 out mfa=shop:watch/0\n", t, t + 1900
            if (i % 500 == 0) printf "%d <0.21.0> s2 in mfa=shop:work/0\n%d <0.21.0> s2 out mfa=shop:work/0\n", t, t + 990000
        }
    }' | sort -n -s
    echo "40002000 <0.20.0> s1 in mfa=shop:watch/0"
    echo "40003000 <0.20.0> s1 exit reason=normal"
}
trace > T.txt
COLUMNS=100 $STROBE report T.txt findings
trace | sed '/ out /s|shop:watch/0|erlang:md5_trap/2|' > md5.txt
$STROBE query md5.txt "SELECT rule FROM finding" --format csv
--- out
1. busy_wait: a cure saves at most 38.0 ms; confidence high
   shop:watch/0 <0.20.0> yielded 20,000 times without waiting and used 38.0 ms of a scheduler
   cure: wait in a receive without `after 0`, and let the process that has the news send it: a
   process that waits uses no CPU
   see: strobe query T.sbp "SELECT who(id), timeouts, receives, slices, run_ns FROM process WHERE id
   = 2"

2. saturated: what a cure saves is unknown; confidence high
   the work at hand would fill the 2 schedulers for 97 % of their time; shop:work/0 <0.21.0> did
   51 % of the work; work includes waits for locks of the VM and for memory, which a trace does not
   show
   cure: make the functions with the most work cheaper: strobe record --trace all,cpu names them;
   strobe scale measures whether more cores help
   see: strobe query T.sbp "SELECT entry, processes, run_ns, gc_ns FROM process_group ORDER BY
   run_ns DESC LIMIT 10"
rule
saturated
