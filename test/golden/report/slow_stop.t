A child that traps exits and does not stop is killed when the supervisor's time is over; another one stops by itself, at once
or late. A supervisor that waits for its own child is not the one to tell of.
--- run
# stops LIVES KILLED: three children in turn are told to stop by a supervisor, and end so many ms later
stops() {
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    awk -v lives="$1" -v killed="$2" 'BEGIN {
        printf "0 <0.9.0> s1 spawn child=<0.10.0> mfa=supervisor:shop/1\n100 <0.10.0> s1 in mfa=supervisor:shop/1\n"
        for (c = 20; c < 23; c++) {
            printf "%d <0.10.0> s1 spawn child=<0.%d.0> mfa=shop:feed/1\n", 1000 + c * 100, c
            printf "%d <0.%d.0> s2 in mfa=shop:feed/1\n%d <0.%d.0> s2 out mfa=shop:loop/3\n", 1010 + c * 100, c, 1050 + c * 100, c
        }
        printf "5000 <0.10.0> s1 out mfa=supervisor:shop/1\n6000 <0.10.0> s1 in mfa=supervisor:shop/1\n"
        for (c = 20; c < 23; c++) {
            t = 10000000 + (c - 20) * 400000000; e = t + lives * 1000000
            printf "%d <0.10.0> s1 out mfa=supervisor:shutdown/1\n", t
            printf "%d <0.%d.0> s2 in mfa=shop:loop/3\n", killed ? e + 2000 : e - 1000, c
            if (!killed) printf "%d <0.%d.0> s2 receive words=1 timeout\n", e - 900, c
            if (killed) printf "%d <0.10.0> s1 in mfa=supervisor:shutdown/1\n%d <0.10.0> s1 receive words=1 timeout\n%d <0.10.0> s1 out mfa=supervisor:shutdown/1\n", e, e + 10, e + 1500
            printf "%d <0.%d.0> s2 exit reason=%s\n", killed ? e + 3000 : e, c, killed ? "killed" : "shutdown"
            printf "%d <0.10.0> s1 in mfa=supervisor:shutdown/1\n%d <0.10.0> s1 receive words=6 hash=%x down=<0.%d.0>\n", e + 5000, e + 5010, c, c
        }
        printf "%d <0.10.0> s1 exit reason=shutdown\n", e + 9000
    }' | sort -n -s -k1,1
}
for of in "300 1" "200 0" "1 0"; do
    stops $of > T.txt
    rm -f T.sb*
    echo "== $of"
    COLUMNS=100 $STROBE report T.txt findings | grep -A4 slow_stop: || true
done
--- out
== 300 1
1. slow_stop: a cure saves at most 900 ms; confidence high
   3 processes started alike, such as shop:feed/1 <0.20.0>, lived on for 300 ms on average in
   shop:loop/3 after a supervisor told them to stop and waited, until it killed them; nothing was at
   work for 900 ms of that
   cure: stop at the supervisor's exit signal: a process that traps exits has to handle {'EXIT',
== 200 0
1. slow_stop: a cure saves at most 600 ms; confidence medium
   3 processes started alike, such as shop:feed/1 <0.20.0>, lived on for 200 ms on average in
   shop:loop/3 after a supervisor told them to stop and waited; nothing was at work for 600 ms of
   that
   cure: stop at the supervisor's exit signal: a process that traps exits has to handle {'EXIT',
== 1 0
