A server gets 40 requests at once, three times: its callers wait, while the run idles. Requests that come one by one, requests behind one slow one, a single burst, many of one client, and a server that is busy most of the time are no bursts. Neither are requests that wait while the server waits for a scheduler.
--- run
cat > make.awk <<'AWK'
# `apart` ns between requests, `service` ns each, `slow` ns more for the first of a burst, which is taken `late`, `bursts` of them `every` ns
BEGIN {
    print "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    print "0 <0.9.0> s1 spawn child=<0.20.0> mfa=shop:prices/0\n0 <0.20.0> s1 register name=prices"
    for (b = 0; b < bursts; b++) {
        free = 0
        for (c = 30; c < 70; c++) {
            at = 1000000 + b * every + (c - 30) * apart
            begin = at + 1000 > free ? at + 1000 + (c == 30) * late : free
            free = begin + service + (c == 30) * slow
            id = one ? 130 : 100 + 100 * b + c
            if (!one || b + c == 30) printf "%d <0.9.0> s2 spawn child=<0.%d.0> mfa=shop:client/1\n", at - 10, id
            printf "%d <0.%d.0> s2 in mfa=shop:client/1\n%d <0.%d.0> s2 send to=<0.20.0> words=3 hash=%x\n%d <0.%d.0> s2 out mfa=shop:ask/1\n", at, id, at + 100, id, id, at + 200, id
            printf "%d <0.20.0> s1 in mfa=shop:prices/0\n%d <0.20.0> s1 receive words=3 hash=%x\n", begin, begin, id
            printf "%d <0.20.0> s1 send to=<0.%d.0> words=3 hash=%x\n%d <0.20.0> s1 out mfa=shop:prices/0\n", free - 200, id, 10000 + id, free - 100
            printf "%d <0.%d.0> s2 in mfa=shop:ask/1\n%d <0.%d.0> s2 receive words=3 hash=%x\n%d <0.%d.0> s2 %s\n", free, id, free + 10, id, 10000 + id, free + 20, id, one ? "out mfa=shop:ask/1" : "exit reason=normal"
        }
    }
    printf "%d <0.9.0> s2 in mfa=shop:main/0\n%d <0.9.0> s2 out mfa=shop:main/0\n", bursts * every, bursts * every + 1000
}
AWK
findings() { awk $2 -f make.awk | sort -n -s > $1.txt; COLUMNS=100 $STROBE report $1.txt findings > $1.out; }
findings at_once "-v bursts=3 -v every=50000000 -v apart=300 -v service=50000 -v slow=0"
cat at_once.out
$STROBE query at_once.sbp "$($STROBE query at_once.sbp "SELECT evidence FROM finding WHERE rule = 'burst'" --format tsv | tail -1)" --format csv
findings one_by_one "-v bursts=3 -v every=50000000 -v apart=60000 -v service=50000 -v slow=0"
findings slow_one "-v bursts=3 -v every=50000000 -v apart=300 -v service=5000 -v slow=2000000"
findings once "-v bursts=1 -v every=50000000 -v apart=300 -v service=50000 -v slow=0"
findings busy "-v bursts=3 -v every=3000000 -v apart=300 -v service=50000 -v slow=0"
findings of_one "-v bursts=3 -v every=50000000 -v apart=300 -v service=50000 -v slow=0 -v one=1"
findings not_scheduled "-v bursts=3 -v every=50000000 -v apart=300 -v service=5000 -v late=2000000"
grep -c 'burst:' not_scheduled.out of_one.out one_by_one.out slow_one.out once.out busy.out; true
--- out
1. burst: a cure saves at most 1.99 ms of a call (p99); confidence medium
   callers of prices <0.20.0> waited up to 1.94 ms in its mailbox (99th percentile) for 49.8 us of
   service (median): 120 of its 120 requests came in 3 bursts, which took 4 % of the time
   cure: answer reads in the caller, from ETS or persistent_term; share the requests among several
   servers, chosen by key; take several requests at a time; or let the callers come at
   different times
   in Elixir: answer reads in the caller, from ETS or :persistent_term; share the requests with
   PartitionSupervisor; take several requests at a time; or let the callers come at
   different times
   see: strobe query at_once.sbp "SELECT path, who(client) AS client, r.clients, count, p50_ns,
   p99_ns, max_ns, mailbox_p99_ns, service_p50_ns FROM request r JOIN server ON process =
   server WHERE server = 2 ORDER BY count DESC"
path,client,clients,count,p50_ns,p99_ns,max_ns,mailbox_p99_ns,service_p50_ns
prices,shop:client/1,120,120,995210,1989210,1989210,1939200,49800
not_scheduled.out:0
of_one.out:0
one_by_one.out:0
slow_one.out:0
once.out:0
busy.out:0
