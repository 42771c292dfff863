A node that runs applications of OTP alone: its processes that answer requests are servers, and causes are looked for. The bound has
the work and the waits of both sides, and other programs that take cores do not lower it. file_server_2 is not like the process of a file, which has its own figures.
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
    print "1000000 <0.50.0> s1 spawn child=<0.80.0> mfa=file_io_server:do_start/4"
    for (i = 0; i < n; i++) { # each 400 us of the file server's work
        t = 102000000 + i * 1000000; to = i < 60 ? 50 : 80
        printf "%d <0.70.0> s2 in mfa=file:call/2\n", t
        if (i > 0) printf "%d <0.70.0> s2 receive words=3 hash=%x\n", t, 1000 + i - 1
        printf "%d <0.70.0> s2 send to=<0.%d.0> words=3 hash=%x\n%d <0.70.0> s2 out mfa=file:call/2\n", t + 100000, to, 100 + i, t + 100100
        printf "%d <0.%d.0> s1 in mfa=gen_server:loop/7\n%d <0.%d.0> s1 receive words=3 hash=%x\n", t + 101000, to, t + 101000, to, 100 + i
        printf "%d <0.%d.0> s1 send to=<0.70.0> words=3 hash=%x\n%d <0.%d.0> s1 out mfa=gen_server:loop/7\n", t + 501000, to, 1000 + i, t + 501100, to
    }
    t = 102000000 + n * 1000000
    printf "%d <0.10.0> s1 in mfa=gen_server:loop/7\n%d <0.10.0> s1 out mfa=gen_server:loop/7\n", t, t + 1000000
}
AWK
awk -v n=60 -f make.awk > T.txt
COLUMNS=80 $STROBE report T.txt servers
COLUMNS=80 $STROBE report T.txt findings | head -3
sed '/^@/n; 1a 0 - - thread name="1_scheduler" tid=11 cpu=0 queue=0' T.txt > taken.txt
echo '163000000 - - thread name="1_scheduler" tid=11 cpu=50000000 queue=50000000' >> taken.txt
COLUMNS=80 $STROBE report taken.txt findings 2>/dev/null | grep 'file_bound:'
awk -v n=160 -f make.awk > files.txt
COLUMNS=120 $STROBE report files.txt findings | grep -A2 'file_bound:'
--- out
Servers, by the time that they were occupied
server         utilisation  occupied  requests  service p50  mailbox p50
file_server_2      38.10 %   38.10 %        60       400 us      1.00 us
1. file_bound: a cure saves at most 61.0 ms, of a call at most 900 us (p99);
   confidence high
   1 process waited for the file service, file_server_2 <0.50.0>, in 60
1. file_bound: a cure saves at most 61.0 ms, of a call at most 900 us (p99);
1. file_bound: a cure saves at most 101 ms, of a call at most 900 us (p99); confidence high
   1 process waited for the file service, file_io_server:do_start/4 <0.80.0>, in 100 requests: somebody waited for
   40.1 ms, 25 % of the time; with the work of both sides that is 101 ms
--
2. file_bound: a cure saves at most 60.0 ms, of a call at most 900 us (p99); confidence high
   1 process waited for the file service, file_server_2 <0.50.0>, in 60 requests: somebody waited for 24.1 ms, 15 % of
   the time; with the work of both sides that is 60.0 ms
