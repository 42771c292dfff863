A selective receive is counted once for each message that it waited for: not when the process is scheduled out in between.
Where far more messages were taken than could have been looked for, each was the first one.
--- run
# 30 requests to echo, whose reply each wait ends; 600 other messages lie in the mailbox. In each second one the process goes
# out once more while it looks at them, and comes back without a message.
trace() {
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    echo "0 <0.9.0> s1 spawn child=<0.20.0> mfa=shop:collect/1"
    echo "0 <0.9.0> s1 spawn child=<0.21.0> mfa=shop:echo/0"
    echo "900 - - sample item=mailbox key=\"<0.20.0>\" value=600"
    awk 'BEGIN {
        for (i = 0; i < 30; i++) {
            t = 1000 + i * 10000
            printf "%d <0.20.0> s1 in mfa=shop:collect/1\n", t
            if (i > 0) printf "%d <0.20.0> s1 receive words=3 hash=%x\n", t + 10, 2 * i
            printf "%d <0.20.0> s1 send to=<0.21.0> words=3 hash=%x\n%d <0.20.0> s1 out mfa=shop:collect/1\n", t + 5000, 2 * i + 1, t + 6000
            printf "%d <0.21.0> s2 in mfa=shop:echo/0\n%d <0.21.0> s2 receive words=3 hash=%x\n", t + 6100, t + 6110, 2 * i + 1
            if (i % 2) printf "%d <0.20.0> s1 in mfa=shop:collect/1\n%d <0.20.0> s1 out mfa=shop:collect/1\n", t + 7000, t + 8000
            printf "%d <0.21.0> s2 send to=<0.20.0> words=3 hash=%x\n%d <0.21.0> s2 out mfa=shop:echo/0\n", t + 9000, 2 * i + 2, t + 9100
        }
    }'
    echo "301000 <0.20.0> s1 in mfa=shop:collect/1"
    echo "301010 <0.20.0> s1 receive words=3 hash=3c"
    echo "301100 <0.20.0> s1 exit reason=normal"
    echo "301200 - - sample item=mailbox key=\"<0.20.0>\" value=600"
}
trace > T.txt
COLUMNS=100 $STROBE report T.txt findings | grep -A3 selective_receive
echo "a call of OTP does not look at the other messages:"
trace | sed 's|s1 out mfa=shop:collect/1|s1 out mfa=gen:do_call/4|' > C.txt
$STROBE report C.txt findings | grep -c selective_receive || true
echo "nor does a receive that takes the first message, even if the process waits now and then:"
trace | sed 's|^900 - - sample item=mailbox.*|900 - - sample item=mailbox key="<0.20.0>" value=90600|' > F.txt
$STROBE report F.txt findings | grep -c selective_receive || true
# Bursts of requests, each with a call that waits for a reply; `look` is what a message in the mailbox adds to the work
bursts() {
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    echo "0 <0.9.0> s1 spawn child=<0.20.0> mfa=shop:gate/0"
    echo "0 <0.9.0> s1 spawn child=<0.21.0> mfa=shop:echo/0"
    awk -v look="$1" 'BEGIN {
        for (i = 0; i < 40; i++) {
            t = 1000 + i * 1000000; n = 4000 - 160 * (i % 20)
            printf "%d - - sample item=mailbox key=\"<0.20.0>\" value=%d\n", t - 100, n
            for (k = 0; k < 10; k++) {
                u = t + k * 100000
                printf "%d <0.20.0> s1 in mfa=shop:gate/0\n", u
                if (i + k) printf "%d <0.20.0> s1 receive words=3 hash=%x\n", u + 1, 20 * i + 2 * k
                printf "%d <0.20.0> s1 send to=<0.21.0> words=3 hash=%x\n", u + 2, 20 * i + 2 * k + 1
                w = u + 20000 + n * look + (i * 7 + k * 3) % 5 * 400
                printf "%d <0.20.0> s1 out mfa=shop:gate/0\n%d <0.21.0> s2 in mfa=shop:echo/0\n", w, w + 10
                printf "%d <0.21.0> s2 receive words=3 hash=%x\n", w + 20, 20 * i + 2 * k + 1
                printf "%d <0.21.0> s2 send to=<0.20.0> words=3 hash=%x\n%d <0.21.0> s2 out mfa=shop:echo/0\n", w + 900, 20 * i + 2 * k + 2, w + 950
            }
        }
    }'
    echo "40001000 <0.20.0> s1 in mfa=shop:gate/0"
    echo "40001010 <0.20.0> s1 receive words=3 hash=320"
    echo "40001100 <0.20.0> s1 exit reason=normal"
}
echo "work that grows with the mailbox, and work that does not:"
for look in 10 0; do
    bursts $look > B.txt
    COLUMNS=100 $STROBE report B.txt findings | grep -A2 selective_receive || true
done
--- out
1. selective_receive: a cure saves at most 300 us; confidence medium
   shop:collect/1 <0.20.0> received single messages while up to 600 were in its mailbox, and worked
   195 us in that time: a receive that looks at all of them takes long
   cure: take the other messages first, receive by a reference made just before (as gen_server:call
a call of OTP does not look at the other messages:
0
nor does a receive that takes the first message, even if the process waits now and then:
0
work that grows with the mailbox, and work that does not:
1. selective_receive: a cure saves at most 39.0 ms; confidence high
   shop:gate/0 <0.20.0> received single messages while up to 4,000 were in its mailbox, and worked
   17.9 ms in that time: each receive looks at all of them
