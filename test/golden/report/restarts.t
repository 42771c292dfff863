A process that crashes 12 times in a row and is started again each time is a loop of restarts; one that ends with a result, or normally, is none.
One that its parent has killed, as the cleanup of tests does, did not crash. A cure saves what was waited for the init of those
that were started again, whatever names they register.
--- run
start() { # REASON [busy]: no pause in the work of a process; [kills]: the parent runs when it ends
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    echo "0 <0.9.0> s1 spawn child=<0.20.0> mfa=shop:sup/0"
    awk -v reason="$1" -v busy="$2" -v kills="$3" 'BEGIN {
        for (i = 0; i < 13; i++) {
            t = 1000 + i * 2000000; c = 30 + i
            printf "%d <0.20.0> s1 in mfa=shop:sup/0\n%d <0.20.0> s1 spawn child=<0.%d.0> mfa=shop:conn/1\n", t, t + 10, c
            printf "%d <0.20.0> s1 out mfa=shop:sup/0\n", t + 1000
            printf "%d <0.%d.0> s2 in mfa=shop:conn/1\n", t + 2000, c
            if (!busy) printf "%d <0.%d.0> s2 out mfa=shop:conn/1\n%d <0.%d.0> s2 in mfa=shop:conn/1\n", t + 3000, c, t + 1500000, c
            if (kills) printf "%d <0.20.0> s1 in mfa=shop:sup/0\n", t + 1500000
            if (i < 12) printf "%d <0.%d.0> s2 exit reason=%s\n", t + 1500010, c, reason
            printf "%d <0.%d.0> s2 out mfa=shop:conn/1\n", t + 1500020, c
            if (kills) printf "%d <0.20.0> s1 out mfa=shop:sup/0\n", t + 1500030
        }
    }'
    echo "26001000 <0.20.0> s1 in mfa=shop:sup/0"
    echo "26001010 <0.20.0> s1 exit reason=normal"
}
start econnrefused > T.txt
COLUMNS=100 $STROBE report T.txt findings | sed -n 1,3p
for reason in normal '"{ok,1}"'; do
    start "$reason" > T2.txt
    COLUMNS=100 $STROBE report T2.txt findings | grep -c restarts || true
done
# the compiler's processes end with its result, errors included
start '"{error,[]}"' | sed 's/shop:conn/compile:do_compile/' > T3.txt
COLUMNS=100 $STROBE report T3.txt findings | grep -c restarts || true
# and those of erpc with the result of the call
start '"{...,return,ok}"' | sed 's/shop:conn.1/erpc:execute_call\/4/' > T5.txt
COLUMNS=100 $STROBE report T5.txt findings | grep -c restarts || true
# processes that are restarted while they work alone are not parts of one work
start econnrefused busy > T4.txt
COLUMNS=100 $STROBE report T4.txt findings | grep -c serial_phase || true
echo "killed by another process, by the parent:"
start killed > K.txt
COLUMNS=100 $STROBE report K.txt findings | grep -c restarts || true
start killed "" kills > P.txt
COLUMNS=100 $STROBE report P.txt findings | grep -c restarts || true
echo "after an init of 1.5 ms:"
start econnrefused | awk '{ sub("sup/0", "sup/1") } / spawn .*conn/ { print; c = $5; sub("child=", "", c); printf "%d %s s2 register name=conn_%d\n", $1 + 5, c, ++n; next }
    / s1 out / { sub("shop:sup/1", "proc_lib:sync_start_link/2"); print; t = $1; next }
    / s2 out / && $1 < t + 10000 { sub("shop:conn/1", "timer:sleep/1"); print; next }
    / s2 in / && $1 > t + 100000 { sub("shop:conn/1", "timer:sleep/1"); print; printf "%d %s s2 send to=<0.20.0> words=3 hash=%x\n", $1 + 5, $2, 256 + n; if (n < 13) printf "%d <0.20.0> s1 in mfa=proc_lib:sync_start_link/2\n%d <0.20.0> s1 receive words=3 hash=%x\n%d <0.20.0> s1 out mfa=gen_server:loop/7\n", $1 + 6, $1 + 7, 256 + n, $1 + 20; next }
    { print }' > I.txt
COLUMNS=100 $STROBE report I.txt findings | sed -n 1,3p
--- out
1. restarts: what a cure saves is unknown; confidence high
   shop:sup/0 <0.20.0> started shop:conn/1 again 12 times after a crash, such as econnrefused; each
   had lived 1.50 ms on average
0
0
0
0
0
killed by another process, by the parent:
1
0
after an init of 1.5 ms:
1. restarts: a cure saves at most 18.0 ms; confidence high
   shop:sup/1 <0.20.0> started shop:conn/1 again 12 times after a crash, such as econnrefused; each
   had lived 1.50 ms on average, of which its init took 1.50 ms
