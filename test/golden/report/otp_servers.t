A node that runs applications of OTP alone: its processes that answer requests are servers, and causes are looked for. The bound has
the work and the waits of both sides, and other programs that take cores do not lower it.
--- run
cat > make.awk <<'AWK'
BEGIN {
    print "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    print "0 <0.0.0> - register name=init\n0 <0.0.0> s1 spawn child=<0.9.0> mfa=erlang:apply/2"
    print "1000000 <0.10.0> s1 spawn child=<0.60.0> mfa=supervisor:kernel/1"
    print "1000000 <0.60.0> s1 register name=kernel_safe_sup"
    print "1000000 <0.10.0> s1 spawn child=<0.50.0> mfa=file_server:init/1"
    print "1000000 <0.50.0> s1 register name=file_server_2"
    print "99000000 <0.9.0> s1 in mfa=gen:do_call/4\n100000000 <0.9.0> s1 send to=<0.0.0> words=4 hash=abc"
    print "101000000 <0.9.0> s1 exit reason=normal\n101000000 <0.9.0> s1 out_exited"
    print "101000000 <0.10.0> s1 spawn child=<0.70.0> mfa=httpd_request_handler:init/1"
    for (i = 0; i < 60; i++) { # each 400 us of the file server's work
        t = 102000000 + i * 1000000
        printf "%d <0.70.0> s2 in mfa=file:call/2\n", t
        if (i > 0) printf "%d <0.70.0> s2 receive words=3 hash=%x\n", t, 1000 + i - 1
        printf "%d <0.70.0> s2 send to=<0.50.0> words=3 hash=%x\n%d <0.70.0> s2 out mfa=file:call/2\n", t + 100000, 100 + i, t + 100100
        printf "%d <0.50.0> s1 in mfa=gen_server:loop/7\n%d <0.50.0> s1 receive words=3 hash=%x\n", t + 101000, t + 101000, 100 + i
        printf "%d <0.50.0> s1 send to=<0.70.0> words=3 hash=%x\n%d <0.50.0> s1 out mfa=gen_server:loop/7\n", t + 501000, 1000 + i, t + 501100
    }
    print "162000000 <0.10.0> s1 in mfa=gen_server:loop/7\n163000000 <0.10.0> s1 out mfa=gen_server:loop/7"
}
AWK
awk -f make.awk > T.txt
COLUMNS=80 $STROBE report T.txt servers
COLUMNS=80 $STROBE report T.txt findings | head -3
sed '/^@/n; 1a 0 - - thread name="1_scheduler" tid=11 cpu=0 queue=0' T.txt > taken.txt
echo '163000000 - - thread name="1_scheduler" tid=11 cpu=50000000 queue=50000000' >> taken.txt
COLUMNS=80 $STROBE report taken.txt findings 2>/dev/null | grep 'file_bound:'
--- out
Servers, by the time that they were occupied
server         utilisation  occupied  requests  service p50  mailbox p50
file_server_2      38.10 %   38.10 %        60       400 us      1.00 us
1. file_bound: a cure saves at most 61.0 ms, of a call at most 900 us (p99);
   confidence high
   1 process waited for the file service, file_server_2 <0.50.0>, in 60
1. file_bound: a cure saves at most 61.0 ms, of a call at most 900 us (p99);
