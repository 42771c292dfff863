Timers set the length of a run: of a process that sleeps between its steps, and of a behaviour that gets a message of no process in its
loop. A program with a wait that is less than half of it has no such note. The path begins with the process that stopped the node.
In a service whose recording ends while it runs, no process set the length. A sleep that something interrupts is one wait.
Who waits for connections waits for no timer, with a timeout or without.
--- run
trace() { # SLEEP in ms, FUNCTION, RECEIVE
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    echo "0 <0.0.0> - exists name=init"
    echo "0 <0.9.0> - exists entry=erlang:apply/2"
    echo "0 <0.30.0> - exists name=global_name_server entry=global:init/1"
    echo "0 <0.9.0> s1 in mfa=shop:main/0"
    awk -v sleep="$1" -v f="$2" -v get="$3" 'BEGIN {
        for (i = 0; i < 20; i++) {
            printf "%d <0.9.0> s1 out mfa=shop:step/1\n%d <0.9.0> s1 in mfa=shop:step/1\n", t + 400000, t + 410000
            printf "%d <0.9.0> s1 out mfa=%s\n", t += 500000, f
            printf "%d <0.9.0> s1 in mfa=%s\n%d <0.9.0> s1 receive %s\n", t += sleep * 1000000, f, t + 1000, get
        }
        printf "%d <0.9.0> s1 send to=<0.0.0> words=3 hash=9\n%d <0.9.0> s1 out mfa=shop:main/0\n", t += 100000, t + 1000
        printf "%d <0.0.0> s2 in mfa=init:boot_loop/2\n%d <0.0.0> s2 receive words=3 hash=9\n", t += 2000, t + 1000
        printf "%d <0.0.0> s2 out mfa=init:global_prepare_shutdown/0\n", t + 5000
        printf "%d <0.30.0> s1 in mfa=gen_server:loop/7\n%d <0.30.0> s1 out mfa=gen_server:loop/7\n", t + 100000, t + 200000
    }'
}
trace 60 timer:sleep/1 "words=0 timeout" > sleeps.txt
trace 60 gen_server:loop/7 "words=1 hash=5" > ticks.txt
trace 0.1 timer:sleep/1 "words=0 timeout" > short.txt
awk '{ print } /out mfa=timer:sleep/ {
    printf "%d <0.9.0> s1 in mfa=timer:sleep/1\n%d <0.9.0> s1 out mfa=timer:sleep/1\n", $1 + 30000000, $1 + 30001000
}' sleeps.txt > woken.txt
trace 60 prim_inet:accept0/3 "words=1 hash=5" > accepts.txt
trace 60 prim_inet:accept0/3 "words=0 timeout" > timeouts.txt
grep -v "<0.0.0>\|<0.30.0>" ticks.txt > service.txt
for t in sleeps woken ticks short service accepts timeouts; do
    echo "== $t"
    COLUMNS=100 $STROBE report $t.txt | sed -n '/^Worth/,/^$/p' | grep -v '^  *strobe'
    $STROBE query $t.txt "SELECT kind, who(process), function, count(*) AS n, sum(dur) AS ns FROM critical GROUP BY 1, 2, 3 ORDER BY 5 DESC LIMIT 2" --format csv
done
--- out
== sleeps
Worth looking at
shop <0.9.0> waited for a timer in timer:sleep/1, 20 times, 60.0 ms each on average: these waits
were 1.20 s of the program's 1.21 s
- nothing was at work or ready for 1.20 s of 1.21 s of the program: all waited for requests, replies
  or timers
- most work was in shop <0.9.0> (9.90 ms)

kind,who(process),function,n,ns
timer,shop,timer:sleep/1,20,1199960000
run,shop,timer:sleep/1,20,7701000
== woken
Worth looking at
shop <0.9.0> waited for a timer in timer:sleep/1, 20 times, 60.0 ms each on average: these waits
were 1.20 s of the program's 1.21 s
- nothing was at work or ready for 1.20 s of 1.21 s of the program: all waited for requests, replies
  or timers
- most work was in shop <0.9.0> (9.92 ms)

kind,who(process),function,n,ns
timer,shop,timer:sleep/1,40,1199900000
run,shop,timer:sleep/1,40,7721000
== ticks
Worth looking at
shop <0.9.0> waited for a message that no process sent, such as that of a timer, in
gen_server:loop/7, 20 times, 60.0 ms each on average: these waits were 1.20 s of the program's
1.21 s
- nothing was at work or ready for 1.20 s of 1.21 s of the program: all waited for requests, replies
  or timers
- most work was in shop <0.9.0> (9.90 ms)

kind,who(process),function,n,ns
outside,shop,gen_server:loop/7,20,1199960000
run,shop,gen_server:loop/7,20,7701000
== short
Worth looking at
1. shop <0.9.0> was the only process at work for 9.90 ms, 82 % of the program's time: a cure saves
   at most 9.90 ms
   cure: make the functions with most of its work cheaper (section cpu of the report), or divide the
         work among processes, unless its steps need each other's results, which a trace does not
         show; if most of it is garbage collection, cure that first (gc_heavy in FINDINGS.md)

kind,who(process),function,n,ns
run,shop,timer:sleep/1,20,7701000
timer,shop,timer:sleep/1,20,1960000
== service
Worth looking at
no cause was found whose cure would save 5 % of the program's time
- nothing was at work or ready for 1.20 s of 1.21 s of the program: all waited for requests, replies
  or timers
- most work was in shop <0.9.0> (9.90 ms)

kind,who(process),function,n,ns
outside,shop,gen_server:loop/7,20,1199960000
run,shop,gen_server:loop/7,20,7701000
== accepts
Worth looking at
no cause was found whose cure would save 5 % of the program's time
- nothing was at work or ready for 1.20 s of 1.21 s of the program: all waited for requests, replies
  or timers
- most work was in shop <0.9.0> (9.90 ms)

kind,who(process),function,n,ns
outside,shop,prim_inet:accept0/3,20,1199960000
run,shop,prim_inet:accept0/3,20,7701000
== timeouts
Worth looking at
no cause was found whose cure would save 5 % of the program's time
- nothing was at work or ready for 1.20 s of 1.21 s of the program: all waited for requests, replies
  or timers
- most work was in shop <0.9.0> (9.90 ms)

kind,who(process),function,n,ns
timer,shop,prim_inet:accept0/3,20,1199960000
run,shop,prim_inet:accept0/3,20,7701000
