A program that starts as many processes at a time as there are schedulers may start more where there are more, so no chain
of these starts bounds the run. One that starts fewer does not ask for their number.
--- run
tasks() { # AT_A_TIME on two schedulers
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    awk -v most="$1" 'BEGIN {
        print "0 <0.9.0> s1 in mfa=shop:all/0"
        for (i = 0; i < 24; i += most) {
            t = 1000 + i / most * 10000000
            if (i) printf "%d <0.9.0> s1 in mfa=shop:all/0\n%d <0.9.0> s1 receive words=3 hash=%x\n", t - 500, t - 490, i
            for (k = 0; k < most; k++) printf "%d <0.9.0> s1 spawn child=<0.%d.0> mfa=shop:one/1\n%d <0.%d.0> s1 spawned parent=<0.9.0> mfa=shop:one/1\n", t + k, 20 + i + k, t + k, 20 + i + k
            printf "%d <0.9.0> s1 out mfa=shop:all/0\n", t + 10
            for (k = 0; k < most; k++) {
                printf "%d <0.%d.0> s%d in mfa=shop:one/1\n", t + 20, 20 + i + k, k + 1
                if (k == most - 1) printf "%d <0.%d.0> s%d send to=<0.9.0> words=3 hash=%x\n", t + 9990000, 20 + i + k, k + 1, i + most
                printf "%d <0.%d.0> s%d exit reason=normal\n%d <0.%d.0> s%d out_exited\n", t + 9990010, 20 + i + k, k + 1, t + 9990011, 20 + i + k, k + 1
            }
        }
        t = 1000 + 24 / most * 10000000
        printf "%d <0.9.0> s1 in mfa=shop:all/0\n%d <0.9.0> s1 receive words=3 hash=%x\n%d <0.9.0> s1 exit reason=normal\n%d <0.9.0> s1 out_exited\n", t, t + 1, 24, t + 10, t + 11
    }'
}
for most in 2 1; do
    tasks $most | sort -s -n -k1,1 > $most.txt
    COLUMNS=120 $STROBE predict $most.txt --cores 1,2,4 | sed -n '1,4p;/^longest/,/^par/p;/many processes/p'
done
--- out
cores          at least    estimate     at most  speed-up
    1            216 ms      240 ms      264 ms      1.00
    2            108 ms      120 ms      132 ms      2.00
    4           53.9 ms          --      132 ms        --
longest chain  120 ms as recorded, 120 ms with the cost of messages between cores
parallelism    2.00: work divided by the longest chain
note           as many processes were started at a time as there were schedulers; if the program asks for their number,
cores          at least    estimate     at most  speed-up
    1            216 ms      240 ms      264 ms      1.00
    2            216 ms      240 ms      264 ms      1.00
    4            216 ms      240 ms      264 ms      1.00
longest chain  240 ms: no number of cores is faster; 240 ms with the cost of messages between cores
parallelism    1.00: work divided by the longest chain
