A supervisor that starts children one after the other counts each child once: a message of an earlier child and the request of a caller wake it too. Several with one entry are one finding;
in a suite the cure is to start one for all tests.
--- run
# each child takes 2 ms to start, of 4; a child tells of itself 1 ms after the next one was spawned, and a caller asks 0.5 ms later
start() {
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    echo "0 <0.9.0> s1 spawn child=<0.20.0> mfa=shop:sup/0"
    echo "0 <0.9.0> s1 spawn child=<0.21.0> mfa=shop:caller/0"
    awk 'BEGIN {
        for (i = 0; i < 4; i++) {
            t = 1000 + i * 2000000; c = 30 + i
            printf "%d <0.20.0> s1 in mfa=shop:sup/0\n", t
            if (i > 0) printf "%d <0.20.0> s1 receive words=3 hash=%x\n", t + 1, c - 1
            printf "%d <0.20.0> s1 spawn child=<0.%d.0> mfa=shop:init/1\n", t + 10, c
            printf "%d <0.20.0> s1 out mfa=proc_lib:sync_start_link/2\n", t + 20
            if (i > 0) {
                printf "%d <0.%d.0> s2 in mfa=shop:loop/0\n%d <0.%d.0> s2 send to=<0.20.0> words=3 hash=%x\n%d <0.%d.0> s2 out mfa=shop:loop/0\n", t + 1000000, c - 1, t + 1000050, c - 1, 200 + c, t + 1000100, c - 1
                printf "%d <0.20.0> s1 in mfa=proc_lib:sync_start_link/2\n%d <0.20.0> s1 receive words=3 hash=%x\n%d <0.20.0> s1 out mfa=proc_lib:sync_start_link/2\n", t + 1000300, t + 1000310, 200 + c, t + 1000400
            }
            printf "%d <0.21.0> s2 in mfa=shop:caller/0\n%d <0.21.0> s2 send to=<0.20.0> words=3 hash=%x\n%d <0.21.0> s2 out mfa=shop:caller/0\n", t + 1500000, t + 1500010, 100 + i, t + 1500020
            printf "%d <0.20.0> s1 in mfa=proc_lib:sync_start_link/2\n%d <0.20.0> s1 receive words=3 hash=%x\n%d <0.20.0> s1 out mfa=proc_lib:sync_start_link/2\n", t + 1500100, t + 1500110, 100 + i, t + 1500200
            printf "%d <0.%d.0> s2 in mfa=shop:init/1\n%d <0.%d.0> s2 send to=<0.20.0> words=3 hash=%x\n%d <0.%d.0> s2 out mfa=shop:loop/0\n", t + 1999000, c, t + 1999900, c, c, t + 1999990, c
        }
    }'
    echo "8001000 <0.20.0> s1 in mfa=shop:sup/0"
    echo "8001010 <0.20.0> s1 exit reason=normal"
}
start > T.txt
COLUMNS=100 $STROBE report T.txt findings | sed -n 1,3p
echo "each child crashes before the next one is spawned:"
start | awk '{ print } / <0.20.0> s1 in mfa=shop:sup/ && n++ > 0 { printf "%d <0.%d.0> - exit reason=bad_job\n", $1, 28 + n }' > C.txt
COLUMNS=100 $STROBE report C.txt findings | grep -c serial_start
echo "one of them does, the last but one:"
start | awk '{ print } / <0.20.0> s1 in mfa=shop:sup/ && n++ == 3 { printf "%d <0.%d.0> - exit reason=bad_job\n", $1, 28 + n }' > O.txt
COLUMNS=100 $STROBE report O.txt findings | sed -n 1,3p
# the trace of each one, 20 ms after the one before, beside a process that has the entry $1
again() {
    start | head -1
    for k in 0 1 2; do
        start | sed "/@meta/d; /child=<0.20.0>/d; s/<0\\.\\([23]\\)\\(.\\)\\.0>/<0.\\1$k\\2.0>/g; s/hash=/hash=$k/" |
            awk -v k=$k -v entry="$1" 'NR == 1 {
                printf "%d <0.9.0> s1 spawn child=<0.4%d.0> %s\n%d <0.4%d.0> s2 in %s\n", k * 2e7, k, entry, k * 2e7 + 1, k, entry
                printf "%d <0.4%d.0> s2 spawn child=<0.2%d0.0> mfa=shop:sup/0\n%d <0.4%d.0> s2 out mfa=proc_lib:sync_start_link/2\n", k * 2e7 + 2, k, k, k * 2e7 + 3, k
            } { $1 += k * 2e7; print } END {
                printf "%d <0.4%d.0> s2 in mfa=shop:add/1\n%d <0.4%d.0> s2 exit reason=normal\n%d <0.4%d.0> s2 out_exited\n", k * 2e7 + 9e6, k, k * 2e7 + 9000100, k, k * 2e7 + 9000101, k
            }'
    done
}
for entry in mfa=shop:client/0 "mfa=test_server:'-run_test_case_eval_fun/9-fun-0-'/9"; do
    echo "three of them, each started by $entry:"
    again "$entry" | sort -n -s > A.txt
    COLUMNS=100 $STROBE report A.txt findings | grep -A4 serial_start
done
--- out
1. serial_start: a cure saves at most 6.00 ms; confidence high
   shop:sup/0 <0.20.0> started 4 processes one after the other and waited 8.00 ms for their init, up
   to 2.00 ms for one
each child crashes before the next one is spawned:
0
one of them does, the last but one:
1. serial_start: a cure saves at most 4.00 ms; confidence high
   shop:sup/0 <0.20.0> started 3 processes one after the other and waited 6.00 ms for their init, up
   to 2.00 ms for one
three of them, each started by mfa=shop:client/0:
1. serial_start: a cure saves at most 18.0 ms; confidence high
   3 supervisors started alike, such as shop:sup/0 <0.200.0>, started 12 processes one after the
   other and waited 24.0 ms for their init, up to 2.00 ms for one
   cure: return {ok, State, {continue, load}} from init/1 and do the slow part in handle_continue/2
   in Elixir: return {:ok, state, {:continue, :load}} from init/1 and do the slow part in
three of them, each started by mfa=test_server:'-run_test_case_eval_fun/9-fun-0-'/9:
1. serial_start: a cure saves at most 16.0 ms; confidence high
   3 supervisors started alike, such as shop:sup/0 <0.200.0>, started 12 processes one after the
   other and waited 24.0 ms for their init, up to 2.00 ms for one; 3 tests, or their setup, began
   one each
   cure: start it once for all tests, in init_per_suite of Common Test or a setup fixture around
