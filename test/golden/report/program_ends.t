The program of a service lasts as long as it runs: until init prepares the shutdown, until its process ends, or until the trace
does. One that was there before the trace runs from the beginning of the trace on. A node without code of its own, such as a release
of applications of OTP, is a program from its boot on.
--- file R.txt
@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2
0 <0.0.0> - register name=init
0 <0.0.0> s1 spawn child=<0.9.0> mfa=erlang:apply/2
1ms <0.10.0> s1 spawn child=<0.60.0> mfa=supervisor:kernel/1
1ms <0.60.0> s1 register name=kernel_safe_sup
99ms <0.9.0> s1 in mfa=gen:do_call/4
100ms <0.9.0> s1 send to=<0.0.0> words=4 hash=abc
101ms <0.9.0> s1 exit reason=normal
101ms <0.9.0> s1 out_exited
1000ms <0.10.0> s1 in mfa=gen_server:loop/7
1001ms <0.10.0> s1 out mfa=gen_server:loop/7
--- run
service() {
    echo "@meta node=a@h creation=1 recorded=procs,running schedulers=2"
    echo "0 <0.0.0> - register name=init"
    echo "1 <0.20.0> - exists name=prices entry=shop:prices/0"
    echo "300ms <0.20.0> s1 in mfa=shop:prices/0"
    echo "303ms <0.20.0> s1 out mfa=gen_server:loop/7"
    [ "$1" = stops ] && echo "600ms <0.0.0> s1 in mfa=init:boot_loop/2"
    [ "$1" = stops ] && echo "601ms <0.0.0> s1 out mfa=init:shutdown_loop/4"
    [ "$1" = runs ] || echo "900ms <0.20.0> s1 in_exiting mfa=gen_server:loop/7"
    [ "$1" = runs ] || echo "900ms <0.20.0> s1 exit reason=killed"
    echo "1000ms <0.9.0> s1 in mfa=init:loop/1"
    echo "1001ms <0.9.0> s1 out mfa=init:loop/1"
}
for how in stops ends runs; do
    service $how > T.txt
    rm -f T.sbp
    COLUMNS=140 $STROBE report T.txt | grep -E '^(length|program)'
done
COLUMNS=140 $STROBE report R.txt | grep -E '^(length|program)'
--- out
length            1.00 s, 3 processes, 10 events
program           600 ms, from 0 ns on, without start-up and shutdown: 0.01 processes at work on average, serial 0.5 %, idle 99.5 %
length            1.00 s, 3 processes, 8 events
program           900 ms, from 0 ns on, without start-up and shutdown: 0.00 processes at work on average, serial 0.3 %, idle 99.7 %
length            1.00 s, 3 processes, 6 events
length            1.00 s, 4 processes, 10 events
program           901 ms, from 100 ms on, without start-up and shutdown: 0.00 processes at work on average, serial 0.2 %, idle 99.8 %
