A collection that lasts when the trace ends has no row in table gc. Table state shows it, on a dirty scheduler as on a normal one, and the times of the process count it.
--- run
trace() { # $1: the scheduler that it collects on
    cat << EOF
@meta node=a@h creation=1 recorded=procs,running,messages,gc schedulers=1 dirty_cpu=1
0us    <0.5.0> s1 in mfa=m:f/0
10us   <0.5.0> s1 gc_minor_start heap=500
20us   <0.5.0> s1 gc_minor_end heap=100
30us   <0.6.0> - link to=<0.5.0>
100us  <0.5.0> s1 out mfa=m:f/0
120us  <0.5.0> $1 in mfa=m:f/0
130us  <0.5.0> $1 gc_major_start heap=500
200us  <0.6.0> - link to=<0.7.0>
EOF
}
for on in s1 d1; do
    trace $on > $on.txt
    $STROBE query $on.txt "SELECT state, start, dur FROM state WHERE process = 1" --format csv
    $STROBE query $on.txt "SELECT run_ns, gc_ns, dirty_ns, dirty_gc_ns FROM process WHERE id = 1" --format csv
done
--- out
state,start,dur
running,0,10000
gc,10000,10000
running,20000,80000
unknown,100000,20000
running,120000,10000
gc,130000,70000
run_ns,gc_ns,dirty_ns,dirty_gc_ns
180000,80000,0,0
state,start,dur
running,0,10000
gc,10000,10000
running,20000,80000
handover,100000,20000
dirty,120000,10000
gc,130000,70000
run_ns,gc_ns,dirty_ns,dirty_gc_ns
170000,80000,10000,70000
