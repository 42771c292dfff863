Nothing is gained by dividing the requests of a connection, since they come when its client sends them; the work for one long request can be divided.
--- run
# <0.20.0> accepted socket <0.5> ("accepted") or opened none ("none"); N pieces of work of NS each, 50 us apart, for a
# message of unknown origin each
trace() { # PORT N NS
    echo "@meta node=a@h creation=1 recorded=procs,running,messages,ports schedulers=2"
    echo "0 <0.9.0> s1 spawn child=<0.20.0> mfa=shop:connection/1"
    if [ "$1" = accepted ]; then echo "10 #Port<0.5> s1 getting_linked by=<0.20.0>"; fi
    awk -v n="$2" -v ns="$3" 'BEGIN {
        for (t = 1000; i++ < n; t += ns + 50000) {
            printf "%d <0.20.0> s1 in mfa=shop:connection/1\n%d <0.20.0> s1 receive words=9 hash=%x\n", t, t + 10, i
            printf "%d <0.20.0> s1 out mfa=shop:connection/1\n", t + ns
        }
        printf "%d <0.20.0> s1 in mfa=shop:connection/1\n%d <0.20.0> s1 exit reason=normal\n", t, t + 1000
    }'
}
trace accepted 100 200000 > accepted.txt
trace none 100 200000 > none.txt
trace accepted 2 10000000 > long.txt
for t in accepted none long; do
    echo $t; COLUMNS=100 $STROBE report $t.txt findings | grep -A 2 serial_phase || true
done
# a process for each request, which the connection <0.30.0> started
{
    echo "@meta node=a@h creation=1 recorded=procs,running,messages,ports schedulers=2"
    echo "0 <0.9.0> s1 spawn child=<0.30.0> mfa=shop:connection/1"
    echo "10 #Port<0.5> s1 getting_linked by=<0.30.0>"
    awk 'BEGIN {
        for (; i < 100; i++) {
            t = 1000 + i * 250000
            printf "%d <0.30.0> s1 in mfa=shop:connection/1\n%d <0.30.0> s1 receive words=9 hash=%x\n", t, t + 10, i
            printf "%d <0.30.0> s1 spawn child=<0.%d.0> mfa=shop:request/1\n", t + 20, i + 40
            printf "%d <0.30.0> s1 out mfa=prim_inet:recv0/3\n", t + 1000
            printf "%d <0.%d.0> s2 in mfa=shop:request/1\n%d <0.%d.0> s2 exit reason=normal\n%d <0.%d.0> s2 out_exited\n", t + 2000, i + 40, t + 200000, i + 40, t + 200000, i + 40
        }
    }'
    echo "25002000 <0.30.0> s1 in mfa=shop:connection/1"
    echo "25003000 <0.30.0> s1 exit reason=normal"
} > each.txt
for t in accepted none; do
    [ $t = accepted ] || sed -i /Port/d each.txt
    echo "a process for each, $t"; COLUMNS=100 $STROBE report each.txt findings | grep -A 2 serial_phase || true
done
--- out
accepted
none
1. serial_phase: a cure saves at most 20.0 ms; confidence low
   shop:connection/1 <0.20.0> was the only process at work for 20.0 ms, 80 % of the program's time
   cure: make the functions with most of its work cheaper (section cpu of the report), or divide the
long
1. serial_phase: a cure saves at most 20.0 ms; confidence low
   shop:connection/1 <0.20.0> was the only process at work for 20.0 ms, 99 % of the program's time
   cure: make the functions with most of its work cheaper (section cpu of the report), or divide the
a process for each, accepted
a process for each, none
1. serial_phase: a cure saves at most 19.8 ms; confidence medium
   100 processes started alike, such as shop:request/1 <0.40.0>, worked one after the other: one of
   them was the only process at work for 19.8 ms, 79 % of the program's time
