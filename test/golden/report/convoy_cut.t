A server that sleeps, or asks another one, within each request gets the requests of others meanwhile. It gives no turns,
also where the recording ends before the program: the callers wait in its queue. Nor do they answer it. What
interrupts a sleep is said. Of those that wait for one process none would gain by more calls at once.
--- run
trace() { # FUNCTION in which <0.30.0> waits, TIMEOUT or the end of the line that ends the wait
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    echo "0 <0.9.0> s1 spawn child=<0.30.0> mfa=shop:init/1"
    echo "0 <0.9.0> s1 spawn child=<0.31.0> mfa=shop:stock/0"
    for c in 0 1 2 3; do echo "1 <0.9.0> s1 spawn child=<0.2$c.0> mfa=shop:client/0"; done
    for c in 0 1 2 3; do
        echo "1${c}0 <0.2$c.0> s1 in mfa=shop:client/0"
        echo "1${c}1 <0.2$c.0> s1 send to=<0.30.0> words=9 hash=a$c"
        echo "1${c}5 <0.2$c.0> s1 out mfa=gen:do_call/4"
    done
    awk -v f="$1" -v asks="$2" 'BEGIN {
        print "500 <0.30.0> s2 in mfa=gen_server:loop/7"
        for (c = 0; c < 4; c++) printf "501 <0.30.0> s2 receive words=9 hash=a%d\n", c
        if (asks) print "520 <0.30.0> s2 send to=<0.31.0> words=9 hash=b0"
        printf "530 <0.30.0> s2 out mfa=%s\n", f
        for (i = 1; i <= 80; i++) {
            t = i * 5000000; c = (i - 1) % 4
            u = i == 1 ? 540 : t - 5000000 + 70
            if (asks) printf "%d <0.31.0> s1 in mfa=shop:stock/0\n%d <0.31.0> s1 receive words=9 hash=b%d\n%d <0.31.0> s1 out mfa=timer:sleep/1\n", u, u + 1, i - 1, u + 9
            if (asks) printf "%d <0.31.0> s1 in mfa=timer:sleep/1\n%d <0.31.0> s1 receive words=1 timeout\n", t - 90, t - 89
            if (asks) printf "%d <0.31.0> s1 send to=<0.30.0> words=9 hash=c%d\n%d <0.31.0> s1 out mfa=shop:stock/0\n", t - 10, i, t - 5
            printf "%d <0.30.0> s2 in mfa=%s\n", t, f
            if (asks) printf "%d <0.30.0> s2 receive words=9 hash=c%d\n", t, i
            else printf "%d <0.30.0> s2 receive words=1 timeout\n", t
            printf "%d <0.30.0> s2 send to=<0.2%d.0> words=9 hash=d%d\n", t + 5, c, i
            if (asks) printf "%d <0.30.0> s2 send to=<0.31.0> words=9 hash=b%d\n", t + 8, i
            printf "%d <0.30.0> s2 out mfa=%s\n", t + 10, f
            printf "%d <0.2%d.0> s1 in mfa=gen:do_call/4\n%d <0.2%d.0> s1 receive words=9 hash=d%d\n", t + 20, c, t + 21, c, i
            printf "%d <0.2%d.0> s1 send to=<0.30.0> words=9 hash=e%d\n%d <0.2%d.0> s1 out mfa=gen:do_call/4\n", t + 30, c, i, t + 40, c
            printf "%d <0.30.0> s2 in mfa=%s\n%d <0.30.0> s2 receive words=9 hash=e%d\n%d <0.30.0> s2 out mfa=%s\n", t + 50, f, t + 51, i, t + 60, f
        }
    }'
}
trace timer:sleep/1 > sleeps.txt
trace gen_statem:loop_receive/3 > parks.txt
trace gen:do_call/4 asks > asks.txt
for t in sleeps asks; do COLUMNS=120 $STROBE report $t.txt findings | grep -A2 '^[0-9]'; done
$STROBE report asks.txt servers --format csv | cut -d, -f1-5
COLUMNS=120 $STROBE report sleeps.txt summary | grep -A1 ^waiting
COLUMNS=120 $STROBE report parks.txt findings | grep -A2 '^[0-9]'
--- out
1. convoy: a cure saves at most 395 ms, of a call at most 20.0 ms (p99); confidence medium
   shop:init/1 <0.30.0> kept its 4 callers in a queue for 395 ms while it waited itself, mostly in timer:sleep/1
   cure: return {noreply, State} and answer with gen_server:reply/2 when the result is there, or let the caller ask the
1. convoy: a cure saves at most 395 ms, of a call at most 20.0 ms (p99); confidence medium
   shop:init/1 <0.30.0> kept its 4 callers in a queue for 395 ms while it waited itself, mostly for shop:stock/0
   <0.31.0>
server,utilisation,occupied,clients,requests
shop:init/1,4,999998,4,84
shop:stock/0,18,999982,1,80
waiting           for 400 ms of the program nothing was at work or ready; shop:init/1 <0.30.0> waited 400 ms in
                  timer:sleep/1, in 160 waits, since messages interrupted its sleeps
1. convoy: a cure saves at most 395 ms, of a call at most 20.0 ms (p99); confidence low
   shop:init/1 <0.30.0> kept its 4 callers in a queue for 395 ms while it waited itself, mostly for messages and timers:
   it answered one at a time, each 5.00 ms after the one before, which may be on purpose
