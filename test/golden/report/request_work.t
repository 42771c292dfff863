The work of a server for a request is the same in all; it is in service for longer where other processes had the scheduler meanwhile.
--- run
awk 'BEGIN {
    print "@meta node=n@h creation=1 recorded=procs,running,messages schedulers=2"
    print "0 <0.4.0> s1 spawn child=<0.9.0> mfa=prices:init/0\n0 <0.4.0> s1 spawn child=<0.5.0> mfa=shop:client/0"
    print "0 <0.9.0> s2 waits mfa=prices:loop/1 kind=1\n0 <0.5.0> s1 waits mfa=shop:wait/1 kind=1"
    print "0 <0.9.0> s2 register name=prices\n0 <0.5.0> s1 in mfa=shop:main/0"
    for (i = 1; i <= 20; i++) {
        printf "%d <0.5.0> s1 send to=<0.9.0> words=5 hash=%x\n%d <0.5.0> s1 out mfa=shop:wait/1\n", t + 1000, i, t + 2000
        printf "%d <0.9.0> s2 in mfa=prices:loop/1\n%d <0.9.0> s2 receive words=5 hash=%x\n", t + 3000, t + 4000, i
        t += 44000; other = i % 4 ? 30000 * i : 0
        if (other) printf "%d <0.9.0> s2 out mfa=prices:find/1\n%d <0.9.0> s2 in mfa=prices:find/1\n", t, t + other
        t += other + 60000
        printf "%d <0.9.0> s2 send to=<0.5.0> words=2 hash=%x\n%d <0.9.0> s2 out mfa=prices:loop/1\n", t, 256 + i, t + 1000
        printf "%d <0.5.0> s1 in mfa=shop:wait/1\n%d <0.5.0> s1 receive words=2 hash=%x\n", t + 2000, t + 3000, 256 + i
        t += 10000
    }
    printf "%d <0.5.0> s1 out mfa=shop:main/0\n", t
}' > T.txt
$STROBE query T.txt "SELECT replies, service_p50_ns / 1000 AS service_us, service_p99_ns / 1000 AS p99_us, work_p50_ns / 1000 AS work_us FROM server"
--- out
replies  service_us  p99_us  work_us
     20         280     670      100
