A trace begins while three processes talk: the first message may be a request or a reply, so nobody is said to make calls one after the other. Where the sender was born in the trace, it asks.
--- run
talk() { # PID AT: the client takes a reply and asks again; the next reply comes 900 us later
    echo "$2us <0.9.0> s1 in mfa=m:ask/1"
    [ "$2" = "$first" ] || echo "$2us <0.9.0> s1 receive words=1"
    echo "$(($2 + 1))us <0.9.0> s1 send to=<0.$1.0> words=3"
    echo "$(($2 + 2))us <0.9.0> s1 out mfa=m:ask/1"
    reply "$1" $(($2 + 900))
}
reply() { # PID AT: the server has slept before
    echo "$(($2 - 890))us <0.$1.0> s2 in mfa=m:answer/0"
    echo "$(($2 - 890))us <0.$1.0> s2 receive words=3"
    echo "$(($2 - 889))us <0.$1.0> s2 out mfa=timer:sleep/1"
    echo "$2us <0.$1.0> s2 in mfa=timer:sleep/1"
    echo "$(($2 + 1))us <0.$1.0> s2 send to=<0.9.0> words=1"
    echo "$(($2 + 2))us <0.$1.0> s2 out mfa=m:answer/0"
}
trace() { # the birth of the client
    echo "@meta node=a@h creation=1 schedulers=2 recorded=procs,running,messages"
    for p in 5 6; do echo "0 <0.$p.0> s1 exists entry=m:answer/0 status=0"; done
    for f in m:answer/0 m:ask/1; do echo "0 <0.5.0> s1 waits mfa=$f kind=1"; done
    echo "0 <0.5.0> s1 waits mfa=timer:sleep/1 kind=2"
    echo "$1"
    for i in $(seq 24); do talk $((5 + i % 2)) $((1000 * i)); done
}
first=1000
trace "0 <0.9.0> s1 exists entry=m:main/0 status=0" > A.txt
trace "900us <0.9.0> s1 spawned parent=<0.1.0> mfa=m:main/0" > B.txt
for t in A B; do
    $STROBE analyze $t.txt -o $t.sbp > log 2>&1
    echo "== $t"; $STROBE report $t.sbp findings --format json | grep -o '"title": "[^"]*"'
done
--- out
== A
== B
"title": "m:main/0 <0.9.0> made 24 calls one after the other and waited 899 us for each on average; nothing was at work for 20.4 ms of that"
