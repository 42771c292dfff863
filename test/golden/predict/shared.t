Samples of the CPU say what processes share: it bounds the time on more cores, and is low where there are enough of them and
few are in it. What one process does alone, or while no other could run, costs no more. Locks at two schedulers are measured.
--- run
export XDG_CACHE_HOME=$PWD # no constants of this machine
# shared CALL EACH N [SCHEDULERS]: N samples, of which one in EACH is in CALL; two processes take turns
shared() {
    awk -v call=$1 -v each=$2 -v n=$3 -v schedulers=${4:-1} 'BEGIN {
        print "@meta node=a@h creation=1 recorded=procs,running,messages,cpu schedulers=" schedulers
        print "0us - - thread name=\"1_scheduler\" tid=41 cpu=0 queue=0 voluntary=0 involuntary=0"
        print "0us - - cpu_frame name=\"shop:count/1\" number=1 caller=0 kind=0"
        print "0us - - cpu_frame name=\"beam.smp:" call "\" number=2 caller=1 kind=1"
        print "0us - - cpu_frame name=\"beam.smp\" number=3 caller=2 kind=1"
        print "0us <0.19.0> s1 in mfa=m:main/0"
        print "0us <0.19.0> s1 waits mfa=m:wait/0 kind=1"
        for (p = 20; p < 22; p++) printf "0us <0.19.0> s1 spawn child=<0.%d.0> mfa=shop:count/1\n", p
        print "0us <0.19.0> s1 out_exited\n0us <0.19.0> s1 exit reason=normal"
        for (i = 0; i < n; i++) {
            printf "%dus <0.%d.0> s1 in mfa=shop:count/1\n", i * 1000, 20 + i % 2
            printf "%dus - - cpu_sample tid=41 stack=%d\n", i * 1000 + 500, int(i / 2) % each ? 1 : 3
            printf "%dus <0.%d.0> s1 %s\n", i * 1000 + 1000, 20 + i % 2, i < n - 2 ? "out mfa=shop:count/1" : "exit reason=normal"
        }
    }' > T.txt
}
ask() { # NAME [SED]
    sed -i "${2:-}" T.txt
    rm -f T.sbp*
    echo "== $1"
    $STROBE query T.txt "SELECT low_ns, ns, high_ns, exposure, note FROM forecast('2')" --format csv 2>&1 | sed -n '2s/[ |"]*the cost of tracing.*//p'
}
shared ets_update_counter_3 2 400;  ask "half in writes"
shared ets_lookup_2 2 400;          ask "half in reads"
shared atomics_add_3 2 400;         ask "half in counters"
shared whereis_1 2 400;             ask "half in names"
shared ets_insert_2 20 400;         ask "a twentieth in writes"
shared ets_lookup_2 12 400;         ask "a twelfth in reads"
shared lists_reverse_2 2 400;       ask "nothing shared"
shared ets_insert_2 100 400;        ask "a few in writes are too few to tell"
shared ets_update_counter_3 2 38;   ask "too few samples"
shared ets_update_counter_3 2 400;  ask "one process alone has samples" '/500us - - cpu_sample/{N;/0.20.0/!s/stack=3/stack=1/}'
shared ets_update_counter_3 2 400;  ask "lost events" '$a 2us - - drop events=1200 class=1 until=1000'
shared sched_yield 2 400 2;         ask "locks at two schedulers"
shared ets_lookup_2 2 400 2;        ask "ETS without locks at two schedulers"
--- out
== half in writes
180898200,,7101744612,high,"ETS took 50 % of the CPU time of processes (by 400 samples); on more cores it may cost up to 30 times as much where they use the same data, which only the upper end has in it
== half in reads
180898200,,1138517375,high,"ETS took 50 % of the CPU time of processes (by 400 samples); on more cores it may cost up to 4 times as much where they use the same data, which only the upper end has in it
== half in counters
180898200,,1138517375,high,"atomics and counters took 50 % of the CPU time of processes (by 400 samples); on more cores it may cost up to 4 times as much where they use the same data, which only the upper end has in it
== half in names
180898200,,1138517375,high,"looking up names of processes took 50 % of the CPU time of processes (by 400 samples); on more cores it may cost up to 4 times as much where they use the same data, which only the upper end has in it
== a twentieth in writes
180898200,,1126052341,high,"ETS took 5 % of the CPU time of processes (by 400 samples); on more cores it may cost up to 30 times as much where they use the same data, which only the upper end has in it
== a twelfth in reads
180898200,,408426438,some,"ETS took 8 % of the CPU time of processes (by 400 samples); on more cores it may cost up to 4 times as much where they use the same data, which only the upper end has in it
== nothing shared
180898200,200998000,221097800,low,
== a few in writes are too few to tell
180898200,200998000,221097800,,
== too few samples
17998200,19998000,21997800,,"the longest chain has waits of which the trace does not show what ended them; where other cores end them sooner, the run is shorter than the estimate
== one process alone has samples
180898200,200998000,221097800,low,
== lost events
199501000,,,,"events are lost, so the order of work is unknown; record again with a larger --buffer
== locks at two schedulers
,,,high,"waits for locks of the VM took 50 % of the CPU time of processes (by 400 samples), and may take more on other numbers of cores
== ETS without locks at two schedulers
180898200,200998000,221097800,low,
