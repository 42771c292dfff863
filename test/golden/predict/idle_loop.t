A server that gets a message from outside of the trace while it waits for requests would take a request that came earlier first: a faster client does not wait for that message. Where the server sends something after it, the order stays.
--- run
trace() { # $1: what the server does after the message from outside, $2: what the client receives of it
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=1"
    cat << EOF
0us    <0.5.0> s1 in mfa=m:client/0
0us    <0.5.0> s1 waits mfa=m:loop/0 kind=1
0us    <0.5.0> s1 waits mfa=m:call/0 kind=1
0us    <0.5.0> s1 spawn child=<0.6.0> mfa=m:server/0
10us   <0.5.0> s1 out mfa=m:client/0
10us   <0.6.0> s1 in mfa=m:server/0
20us   <0.6.0> s1 out mfa=m:loop/0
20us   <0.5.0> s1 in mfa=m:client/0
800us  <0.5.0> s1 out mfa=m:client/0
801us  <0.6.0> s1 in mfa=m:loop/0
802us  <0.6.0> s1 receive words=3 hash=1
$1
810us  <0.6.0> s1 out mfa=m:loop/0
811us  <0.5.0> s1 in mfa=m:client/0
1000us <0.5.0> s1 send to=<0.6.0> words=3 hash=2
1001us <0.5.0> s1 out mfa=m:call/0
1002us <0.6.0> s1 in mfa=m:loop/0
1003us <0.6.0> s1 receive words=3 hash=2
1050us <0.6.0> s1 send to=<0.5.0> words=3 hash=3
1051us <0.6.0> s1 out mfa=m:loop/0
1052us <0.5.0> s1 in mfa=m:call/0
$2
1053us <0.5.0> s1 receive words=3 hash=3
1100us <0.5.0> s1 exit reason=normal
EOF
}
export XDG_CACHE_HOME=$PWD # no constants of this machine
trace "" "" > silent.txt
trace "805us  <0.6.0> s1 send to=<0.5.0> words=3 hash=4" "1053us <0.5.0> s1 receive words=3 hash=4" > sends.txt
for t in silent sends; do
    for change in 1 2 10; do
        $STROBE predict $t.txt --cores 2 --faster "<0.5.0>=$change" --format csv 2>/dev/null | tail -1 | cut -d, -f3
    done
done
--- out
1075000
561500
150700
1074000
869500
850700
