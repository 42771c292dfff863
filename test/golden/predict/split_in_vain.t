Copies of a server do not shorten a run whose length is one client that asks one request after the other. The forecast says so, and what a speed-up is compared with; where clients ask at once, copies help and nothing is said.
--- run
export XDG_CACHE_HOME=$PWD # no constants of this machine
trace() { # CLIENTS, who ask at once; the server needs 10 ms for each request
    awk -v n="$1" 'BEGIN {
        print "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
        print "0us <0.9.0> s1 spawn child=<0.30.0> mfa=shop:server/0"
        for (c = 0; c < n; c++) printf "0us <0.9.0> s1 spawn child=<0.2%d.0> mfa=shop:client/0\n", c
        for (c = 0; c < n; c++) printf "%dus <0.2%d.0> s2 in mfa=shop:client/0\n%dus <0.2%d.0> s2 send to=<0.30.0> words=3 hash=%x\n%dus <0.2%d.0> s2 out mfa=gen:do_call/4\n", 10 + 3 * c, c, 11 + 3 * c, c, 1 + c, 12 + 3 * c, c
        for (i = 0; i < 20; i++) {
            t = 100 + i * 10000; c = i % n
            printf "%dus <0.30.0> s1 in mfa=gen_server:loop/7\n%dus <0.30.0> s1 receive words=3 hash=%x\n", t, t + 1, 1 + i
            printf "%dus <0.30.0> s1 send to=<0.2%d.0> words=3 hash=%x\n%dus <0.30.0> s1 out mfa=gen_server:loop/7\n", t + 9900, c, 100 + i, t + 9901
            printf "%dus <0.2%d.0> s2 in mfa=gen:do_call/4\n%dus <0.2%d.0> s2 receive words=3 hash=%x\n", t + 9910, c, t + 9911, c, 100 + i
            if (i + n < 20) printf "%dus <0.2%d.0> s2 send to=<0.30.0> words=3 hash=%x\n%dus <0.2%d.0> s2 out mfa=gen:do_call/4\n", t + 9912, c, 1 + i + n, t + 9913, c
            else printf "%dus <0.2%d.0> s2 exit reason=normal\n", t + 9912, c
        }
    }'
}
for n in 1 2; do
    trace $n | awk '/^@/ { print; next } { print | "sort -ns" }' > $n.txt
    COLUMNS=120 $STROBE predict $n.txt --cores 2 --split shop:server/0=2 | sed -n '2p;/^speed-up/,/^recorded/p;/^parallelism/,/^contention/p;/copies/,/length$/p'
done
--- out
    2            178 ms      198 ms      218 ms      1.00
speed-up       compared with one core, with the change on both: to see what the change saves, compare estimates with
               those of the forecast without it
recorded       200 ms on 2 schedulers, with the cost of tracing
parallelism    1.00: work divided by the longest chain
contention     messages cost little beside the work
note           the copies save less than 1 % of this run: waits and work in sequence set its length, such as those of a
               client that asks again when it has its reply; that other callers wait less does not show in the length
    2           89.1 ms     99.0 ms      109 ms      2.00
speed-up       compared with one core, with the change on both: to see what the change saves, compare estimates with
               those of the forecast without it
recorded       200 ms on 2 schedulers, with the cost of tracing
parallelism    2.00: work divided by the longest chain
contention     messages cost little beside the work
