Requests that are processes of their own make calls one after the other, each as many; and servers that are alike, which
bear names, keep them in queues. Each of both is one finding. Calls of one server alone are told by what that one does.
--- run
# requests SERVERS MS: 20 requests, one every MS ms, of 12 calls each to the servers in turn, which sleep 3 ms for each call
requests() {
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=26"
    awk -v servers="$1" -v ms="$2" 'BEGIN {
        for (s = 1; s <= servers; s++) {
            printf "0 <0.9.0> s1 spawn child=<0.%d.0> mfa=conn:init/1\n", 10 + s
            printf "1 <0.%d.0> s1 register name=conn_%d\n", 10 + s, s
            printf "2 <0.%d.0> s%d in mfa=conn:init/1\n3 <0.%d.0> s%d out mfa=gen_server:loop/7\n", 10 + s, 1 + s, 10 + s, 1 + s
        }
        print "4 - - waits mfa=gen_server:loop/7 kind=1\n4 - - waits mfa=gen:do_call/4 kind=1\n4 - - waits mfa=timer:sleep/1 kind=1"
        for (r = 0; r < 20; r++) {
            at[r] = 1000000 + r * ms * 1000000
            printf "%d <0.9.0> s1 spawn child=<0.%d.0> mfa=shop:request/1\n", at[r], 100 + r
            printf "%d <0.%d.0> s%d in mfa=shop:request/1\n", at[r] + 10, 100 + r, 6 + r
            at[r] += 20
        }
        for (n = 0; n < 20 * 12; n++) {
            r = -1
            for (i = 0; i < 20; i++) if (calls[i] < 12 && (r < 0 || at[i] < at[r])) r = i
            s = 11 + (r + calls[r]++) % servers; p = 100 + r; t = at[r]
            begin = t + 100 > free[s] ? t + 100 : free[s] + 100
            end = begin + 3000000
            printf "%d <0.%d.0> s%d send to=<0.%d.0> words=3 hash=%x\n%d <0.%d.0> s%d out mfa=gen:do_call/4\n", t, p, 6 + r, s, 2 * n, t + 10, p, 6 + r
            printf "%d <0.%d.0> s%d in mfa=gen_server:loop/7\n%d <0.%d.0> s%d receive words=3 hash=%x\n", begin, s, s - 9, begin + 1, s, s - 9, 2 * n
            printf "%d <0.%d.0> s%d out mfa=timer:sleep/1\n%d <0.%d.0> s%d in mfa=timer:sleep/1\n", begin + 10, s, s - 9, end, s, s - 9
            printf "%d <0.%d.0> s%d send to=<0.%d.0> words=3 hash=%x\n%d <0.%d.0> s%d out mfa=gen_server:loop/7\n", end + 10, s, s - 9, p, 2 * n + 1, end + 20, s, s - 9
            printf "%d <0.%d.0> s%d in mfa=gen:do_call/4\n%d <0.%d.0> s%d receive words=3 hash=%x\n", end + 30, p, 6 + r, end + 31, p, 6 + r, 2 * n + 1
            free[s] = end + 20; at[r] = end + 50
            if (calls[r] == 12) printf "%d <0.%d.0> s%d exit reason=normal\n", at[r], p, 6 + r
        }
        printf "%d <0.9.0> s1 in mfa=shop:main/0\n%d <0.9.0> s1 exit reason=normal\n", 700000000, 700000010
    }' | sort -n -s -k1,1
}
for n in "4 30" "2 12" "1 30"; do
    requests $n > T.txt
    echo "== $n"
    COLUMNS=100 $STROBE report T.txt findings | grep -A3 -E "^[0-9]+\."
done
--- out
== 4 30
1. sequential_calls: a cure saves at most 366 ms; confidence medium
   20 processes started alike, such as shop:request/1 <0.119.0>, made 12 calls each one after the
   other and waited 3.00 ms for each on average; nothing was at work for 603 ms of that
   cure: send all requests first (gen_server:send_request/2, erpc:send_request/4) and take the
== 2 12
1. convoy: a cure saves at most 339 ms, of a call at most 18.0 ms (p99); confidence medium
   conn_1 <0.11.0> and 1 more like it kept callers in queues while they waited themselves, at least
   one of them for 339 ms, mostly in timer:sleep/1
   cure: return {noreply, State} and answer with gen_server:reply/2 when the result is there, or let
== 1 30
1. convoy: a cure saves at most 659 ms, of a call at most 21.0 ms (p99); confidence medium
   conn_1 <0.11.0> kept its 20 callers in a queue for 659 ms while it waited itself, mostly in
   timer:sleep/1
   cure: return {noreply, State} and answer with gen_server:reply/2 when the result is there, or let
