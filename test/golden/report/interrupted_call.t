A process in a call that looks at a message of somebody else is still in that call: its callers wait for the whole of it.
--- run
# session <0.30.0> serves two clients and calls account <0.31.0> for each, which calls ledger <0.32.0>: 6 ms. The client that it has just
# answered asks again at once, wakes it in the middle of that call, and it is ready for 3 ms beside another process.
trace() {
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    for p in 20 21 30 31 32 40; do echo "0 <0.9.0> s1 spawn child=<0.$p.0> mfa=shop:p$p/0"; done
    for c in 0 1; do
        echo "1${c}0 <0.2$c.0> s2 in mfa=gen:do_call/4"
        echo "1${c}0 <0.2$c.0> s2 send to=<0.30.0> words=4 hash=f$c"
        echo "1${c}5 <0.2$c.0> s2 out mfa=gen:do_call/4"
    done
    awk 'BEGIN {
        for (i = 0; i < 30; i++) {
            t = 1000 + i * 6000000; x = i % 2; call = 4 * i + 256
            printf "%d <0.30.0> s1 in mfa=%s\n", t, i ? "gen:do_call/4" : "gen_server:loop/7"
            if (i == 0) printf "%d <0.30.0> s1 receive words=4 hash=f0\n%d <0.30.0> s1 receive words=4 hash=f1\n", t + 10, t + 20
            else printf "%d <0.30.0> s1 receive words=3 hash=%x\n%d <0.30.0> s1 send to=<0.2%d.0> words=3 hash=%x\n", t + 10, call - 3, t + 20, 1 - x, call - 2
            printf "%d <0.30.0> s1 send to=<0.31.0> words=4 hash=%x\n%d <0.30.0> s1 out mfa=gen:do_call/4\n", t + 5000, call, t + 10000
            printf "%d <0.31.0> s2 in mfa=gen_server:loop/7\n%d <0.31.0> s2 receive words=4 hash=%x\n%d <0.31.0> s2 send to=<0.32.0> words=4 hash=%x\n%d <0.31.0> s2 out mfa=gen:do_call/4\n", t + 11000, t + 11010, call, t + 13000, call + 4096, t + 14000
            printf "%d <0.32.0> s2 in mfa=gen_server:loop/7\n%d <0.32.0> s2 receive words=4 hash=%x\n%d <0.32.0> s2 out mfa=timer:sleep/1\n", t + 15000, t + 15010, call + 4096, t + 16000
            if (i) printf "%d <0.2%d.0> s2 in mfa=gen:do_call/4\n%d <0.2%d.0> s2 receive words=3 hash=%x\n%d <0.2%d.0> s2 send to=<0.30.0> words=4 hash=%x\n%d <0.2%d.0> s2 out mfa=gen:do_call/4\n", t + 20000, 1 - x, t + 20010, 1 - x, call - 2, t + 30000, 1 - x, call + 2, t + 40000, 1 - x
            if (i) printf "%d <0.40.0> s1 in mfa=shop:other/0\n%d <0.40.0> s1 out mfa=shop:other/0\n%d <0.30.0> s1 in mfa=gen:do_call/4\n%d <0.30.0> s1 receive words=4 hash=%x\n%d <0.30.0> s1 out mfa=gen:do_call/4\n", t + 25000, t + 3000000, t + 3001000, t + 3001010, call + 2, t + 3002000
            u = t + 5900000
            printf "%d <0.32.0> s2 in mfa=timer:sleep/1\n%d <0.32.0> s2 receive words=1 timeout\n%d <0.32.0> s2 send to=<0.31.0> words=3 hash=%x\n%d <0.32.0> s2 out mfa=gen_server:loop/7\n", u - 50000, u - 49990, u - 30000, call + 4097, u - 20000
            printf "%d <0.31.0> s2 in mfa=gen:do_call/4\n%d <0.31.0> s2 receive words=3 hash=%x\n%d <0.31.0> s2 send to=<0.30.0> words=3 hash=%x\n%d <0.31.0> s2 out mfa=gen_server:loop/7\n", u, u + 10, call + 4097, u + 90000, call + 1, u + 95000
        }
    }'
    echo "180001000 <0.9.0> s2 in mfa=shop:main/0"
    echo "180002000 <0.9.0> s2 exit reason=normal"
}
trace > T.txt
COLUMNS=100 $STROBE report T.txt findings
--- out
1. convoy: a cure saves at most 134 ms, of a call at most 12.0 ms (p99); confidence medium
   shop:p30/0 <0.30.0> kept its 2 callers in a queue for 167 ms while it waited itself, mostly for
   shop:p31/0 <0.31.0>, which waited for shop:p32/0 <0.32.0> in turn
   cure: return {noreply, State} and answer with gen_server:reply/2 when the result is there, or let
   the caller ask the last server
   in Elixir: return {:noreply, state} and answer with GenServer.reply/2 when the result is there,
   or let the caller ask the last server
   see: strobe query T.sbp "SELECT function, count, total_ns FROM wait WHERE process = 4"
