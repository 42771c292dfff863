What a finding counts: events for the logger are what the program sent, not what the output device replied to it.
--- run
# 600 events, of 1 us of work each; the logger writes each line, and user replies
trace() {
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    echo "0 <0.42.0> s1 register name=logger"
    echo "0 <0.43.0> s1 register name=user"
    echo "0 <0.9.0> s1 spawn child=<0.20.0> mfa=shop:work/0"
    awk 'BEGIN {
        for (i = 0; i < 600; i++) {
            t = 1000 + i * 10000
            printf "%d <0.20.0> s1 in mfa=shop:work/0\n%d <0.20.0> s1 send to=<0.42.0> words=9 hash=%x\n%d <0.20.0> s1 out mfa=shop:work/0\n", t, t + 1000, 3 * i + 1, t + 1010
            printf "%d <0.42.0> s2 in mfa=logger_std_h:loop/1\n%d <0.42.0> s2 receive words=9 hash=%x\n", t + 2000, t + 2010, 3 * i + 1
            printf "%d <0.42.0> s2 send to=<0.43.0> words=9 hash=%x\n%d <0.42.0> s2 out mfa=io:wait_io_mon_reply/2\n", t + 5000, 3 * i + 2, t + 5010
            printf "%d <0.43.0> s1 in mfa=user:server_loop/2\n%d <0.43.0> s1 receive words=9 hash=%x\n", t + 6000, t + 6010, 3 * i + 2
            printf "%d <0.43.0> s1 send to=<0.42.0> words=3 hash=%x\n%d <0.43.0> s1 out mfa=user:server_loop/2\n", t + 6500, 3 * i + 3, t + 6510
            printf "%d <0.42.0> s2 in mfa=io:wait_io_mon_reply/2\n%d <0.42.0> s2 receive words=3 hash=%x\n%d <0.42.0> s2 out mfa=logger_std_h:loop/1\n", t + 7000, t + 7010, 3 * i + 3, t + 7100
        }
    }'
    echo "6010000 <0.20.0> s1 in mfa=shop:work/0"
    echo "6010100 <0.20.0> s1 exit reason=normal"
}
trace > T.txt
COLUMNS=100 $STROBE report T.txt findings | grep -A2 logging
--- out
1. logging: a cure saves at most 2.47 ms; confidence medium
   1 process sent 600 events to the logger, shop:work/0 <0.20.0> most; formatting and writing them
   took 1.87 ms to 2.47 ms of work
