Where a recording left processes out, their work is unknown: no finding and no part of the account claims that schedulers were idle, and a gain is an upper bound.
--- run
profile() { # status of <0.30.0>: 6 is not recorded
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    echo "0 <0.30.0> s1 exists name=driver entry=shop:driver/0 status=$1"
    awk 'BEGIN {
        print "0 <0.9.0> s1 waits mfa=shop:rates/0 kind=1"
        print "0 <0.9.0> s1 waits mfa=shop:client/0 kind=1"
        print "0 <0.9.0> s1 waits mfa=gen:do_call/4 kind=1"
        print "0 <0.9.0> s1 exists name=rates entry=shop:rates/0 status=0"
        for (c = 1; c <= 4; c++) print "0 <0.2" c ".0> s1 exists entry=shop:client/0 status=0"
        for (i = 0; i < 40; i++) {
            t = 1000 + i * 1000000; c = i % 4 + 1
            printf "%d <0.2%d.0> s2 in mfa=shop:client/0\n%d <0.2%d.0> s2 send to=<0.9.0> words=3 hash=%x\n", t, c, t + 100, c, i * 2 + 1
            printf "%d <0.2%d.0> s2 out mfa=gen:do_call/4\n", t + 1000, c
            printf "%d <0.9.0> s1 in mfa=shop:rates/0\n%d <0.9.0> s1 receive words=3 hash=%x\n", t + 2000, t + 2010, i * 2 + 1
            printf "%d <0.9.0> s1 send to=<0.2%d.0> words=3 hash=%x\n%d <0.9.0> s1 out mfa=shop:rates/0\n", t + 980000, c, i * 2 + 2, t + 981000
            printf "%d <0.2%d.0> s2 in mfa=gen:do_call/4\n%d <0.2%d.0> s2 receive words=3 hash=%x\n%d <0.2%d.0> s2 out mfa=shop:client/0\n", t + 982000, c, t + 982100, c, i * 2 + 2, t + 983000, c
        }
    }'
}
for status in 0 6; do
    echo "driver's status $status"
    profile $status > T.txt
    COLUMNS=110 $STROBE report T.txt
    $STROBE query T.sbp "SELECT rule, gain_low_ns, gain_ns, gain_high_ns, confidence FROM finding" --format csv
    $STROBE query T.sbp "SELECT part, sum(ns) AS ns FROM account GROUP BY 1" --format csv
done
--- out
driver's status 0
Worth looking at
1. 4 processes waited for rates <0.9.0>, which serves one at a time: it was at work 100 % of the time that
   somebody waited for it: a cure saves about 19.0 ms in a replay, of a call at most 982 us (p99)
   cure: do the work in the caller, with the data in ETS or persistent_term; or start several servers and
         choose one by key
   strobe report T.sbp findings

What ran
node              a@h, 2 schedulers
length            40.0 ms, 6 processes, 409 events
messages          80 sent, 80 received; 240 words in all

How parallel
parallelism       0.98 processes at work on average, on 2 schedulers
serial            unknown (between 2 and 98 %) of the time one was at work and nobody else was ready, most
                  often rates <0.9.0>
idle              1.9 % of the time nothing was at work on any scheduler
too few to run    unknown (between 2 and 100 %) of the time there was less to run than schedulers
ready beside idle unknown (between 0 and 98 %) of the time a process was ready while a scheduler ran none

Where the time went
ran               39.2 ms summed over processes
was ready         at most 2.87 processes at a time on average
rule,gain_low_ns,gain_ns,gain_high_ns,confidence
single_server,17574166,18966427,19560000,high
part,ns
elsewhere,81900
gc,0
process,1958200
switching,154100
unknown,38533800
work,39240000
driver's status 6
What is missing
NOT RECORDED      1 process existed and was not recorded: the figures below are of the others, and whether a
                  scheduler was idle is unknown

Worth looking at
1. 4 processes waited for rates <0.9.0>, which serves one at a time: it was at work 100 % of the time that
   somebody waited for it: a cure saves at most 19.6 ms, of a call at most 982 us (p99)
   cure: do the work in the caller, with the data in ETS or persistent_term; or start several servers and
         choose one by key
   strobe report T.sbp findings

What ran
node              a@h, 2 schedulers
length            40.0 ms, 6 processes, 409 events
messages          80 sent, 80 received; 240 words in all

How parallel
parallelism       0.98 recorded processes at work on average, on 2 schedulers
serial            unknown (between 2 and 98 %) of the time one recorded process was at work and no other of
                  them was ready, most often rates <0.9.0>
idle              1.9 % of the time none of the recorded processes was at work
too few to run    -- (not all processes were recorded)

Where the time went
ran               39.2 ms summed over processes
was ready         at most 2.87 processes at a time on average
rule,gain_low_ns,gain_ns,gain_high_ns,confidence
single_server,0,,19560000,low
part,ns
elsewhere,0
gc,0
switching,0
unknown,40728000
work,39240000
