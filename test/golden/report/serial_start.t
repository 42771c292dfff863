A supervisor that starts children one after the other counts each child once: a message of an earlier child and the request of a caller wake it too.
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
