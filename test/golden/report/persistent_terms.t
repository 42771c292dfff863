A persistent term that is changed again and again has every process looked through each time. A few changes are no fault.
--- run
# changes N: 20 processes are looked through N times, 20 us each, and answer no process that is in the trace
changes() {
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    awk -v n="$1" 'BEGIN {
        print "0 <0.9.0> s1 spawn child=<0.2.0> mfa=erts_literal_area_collector:start/0"
        print "1 - - waits mfa=session:wait/1 kind=1"
        for (p = 0; p < 20; p++) printf "0 <0.9.0> s1 spawn child=<0.%d.0> mfa=session:init/1\n", 20 + p
        for (i = 0; i < n; i++)
            for (p = 0; p < 20; p++) {
                t = 100000 + (i * 20 + p) * 40000
                printf "%d <0.%d.0> s1 in mfa=session:wait/1\n%d <0.%d.0> s1 out mfa=session:wait/1\n", t, 20 + p, t + 20000, 20 + p
                printf "%d <0.2.0> s2 in mfa=erts_literal_area_collector:msg_loop/4\n%d <0.2.0> s2 receive words=3 hash=%x\n", t + 21000, t + 21010, i * 20 + p
                printf "%d <0.2.0> s2 out mfa=erts_literal_area_collector:msg_loop/4\n", t + 25000
            }
        printf "%d <0.9.0> s1 in mfa=shop:main/0\n%d <0.9.0> s1 exit reason=normal\n", t + 100000, t + 100010
    }'
}
for n in 60 10; do
    changes $n > T.txt
    echo "== $n"
    COLUMNS=100 $STROBE report T.txt findings | grep -A6 persistent_terms: || true
done
--- out
== 60
2. persistent_terms: a cure saves at most 28.4 ms; confidence medium
   processes were looked through 1,200 times for terms that were replaced: a persistent term was
   changed or erased, or code purged, while 20 processes lived; the process of the VM that does it
   worked 4.80 ms, the others at most 23.6 ms
   cure: keep in persistent terms what hardly ever changes, and in ETS what does; many terms that
   change together are better one of them, which is changed once
   see: strobe query T.sbp "SELECT who(id), receives, run_ns FROM process WHERE id = 1"
== 10
