A loop of cheap calls uses up its reductions in a few microseconds: that is work which can be divided, and no yield.
--- run
{
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    echo "0 <0.9.0> s1 spawn child=<0.20.0> mfa=shop:fib/1"
    awk 'BEGIN {
        for (i = 0; i < 20000; i++) {
            t = 1000 + i * 9500
            printf "%d <0.20.0> s1 in mfa=shop:fib/1\n%d <0.20.0> s1 out mfa=shop:fib/1\n", t, t + 9000
        }
    }'
    echo "190002000 <0.20.0> s1 in mfa=shop:fib/1"
    echo "190003000 <0.20.0> s1 exit reason=normal"
} > T.txt
$STROBE query T.txt "SELECT rule, title, gain_ns FROM finding" --format csv
--- out
rule,title,gain_ns
serial_phase,"shop:fib/1 <0.20.0> was the only process at work for 180 ms, 95 % of the program's time",90000500
