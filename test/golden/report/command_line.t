The program of a command line begins when the boot is done, which the process that runs it tells init with 4 words; what it
loads or computes in functions of OTP is the program's. Where the command line runs a tool, such as escript, the program
begins after the last slice of the tool or the code server before its own first function.
--- run
# boot until 20 ms, $1 by 10 requests of 2 ms each, 40 ms in a function of OTP, 20 ms of its own
trace() {
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    echo "0 <0.0.0> s1 register name=init"
    echo "1 <0.0.0> s1 spawn child=<0.9.0> mfa=erlang:apply/2"
    echo "2 <0.50.0> s1 register name=code_server"
    echo "3 <0.10.0> s1 spawn child=<0.60.0> mfa=supervisor:kernel/1"
    echo "4 <0.60.0> s1 register name=kernel_safe_sup"
    echo "19999990 <0.9.0> s1 in mfa=gen:do_call/4"
    echo "20000000 <0.9.0> s1 send to=<0.0.0> words=4 hash=abc"
    awk -v in_fn=$1 'BEGIN {
        for (i = 0; i < 10; i++) {
            t = 20000010 + i * 2000000
            if (i > 0) printf "%d <0.9.0> s1 in mfa=%s\n%d <0.9.0> s1 receive words=3 hash=%x\n", t, in_fn, t + 5, 2 * i
            printf "%d <0.9.0> s1 send to=<0.50.0> words=3 hash=%x\n%d <0.9.0> s1 out mfa=%s\n", t + 10, 2 * i + 1, t + 20, in_fn
            printf "%d <0.50.0> s2 in mfa=code_server:loop/1\n%d <0.50.0> s2 receive words=3 hash=%x\n", t + 1000, t + 1010, 2 * i + 1
            printf "%d <0.50.0> s2 send to=<0.9.0> words=3 hash=%x\n%d <0.50.0> s2 out mfa=code_server:loop/1\n", t + 1900000, 2 * i + 2, t + 1901000
        }
    }'
    echo "40000000 <0.9.0> s1 in mfa=$1"
    echo "40000005 <0.9.0> s1 receive words=3 hash=14"
    echo "60000000 <0.9.0> s1 out mfa=binary:copy/2"
    echo "60000010 <0.9.0> s1 in mfa=binary:copy/2"
    echo "80000000 <0.9.0> s1 out mfa=shop:main/1"
    echo "80000010 <0.9.0> s1 in mfa=shop:main/1"
    echo "100000000 <0.9.0> s1 exit reason=normal"
    echo "100000001 <0.9.0> s1 out_exited"
    echo "140000000 <0.50.0> s2 in mfa=code_server:loop/1"
    echo "140010000 <0.50.0> s2 out mfa=code_server:loop/1"
}
for what in code_server:call/1 epp:wait_epp_reply/2; do
    trace $what > T.txt
    rm -f T.sbp
    COLUMNS=140 $STROBE report T.txt | grep ^program
done
--- out
program           80.0 ms, from 20.0 ms on, without start-up and shutdown: 0.99 processes at work on average, serial unknown (between 0 and
program           60.0 ms, from 40.0 ms on, without start-up and shutdown: 1.00 processes at work on average, serial unknown (between 0 and
