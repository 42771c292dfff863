A server that mostly waits works for 20 ms at a time, eight times, while five clients ask it: what they wait for is no
request. Where one had asked before that work began, and is answered after it, it may be the work of this request.
--- run
cat > make.awk <<'AWK'
function of(c, at, what) { printf "%d <0.%d.0> s2 %s\n", at, 100 + c, what }
function server(at, what) { printf "%d <0.20.0> s1 %s\n", at, what }
function ask(c, at) {
    hash[c] = ++id
    of(c, at - 20, "in mfa=shop:client/1"); of(c, at, "send to=<0.20.0> words=3 hash=" id); of(c, at + 20, "out mfa=shop:ask/1")
}
function fetch(c, at) { server(at, "receive words=3 hash=" hash[c]) }
function answer(c, at) {
    server(at, "send to=<0." 100 + c ".0> words=3 hash=" 50000 + hash[c])
    of(c, at + 100, "in mfa=shop:ask/1"); of(c, at + 120, "receive words=3 hash=" 50000 + hash[c]); of(c, at + 140, "out mfa=shop:client/1")
}
BEGIN {
    print "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    print "0 <0.9.0> s1 spawn child=<0.20.0> mfa=shop:carts/0\n0 <0.20.0> s1 register name=carts"
    print "5 - - waits mfa=shop:carts/0 kind=1\n5 - - waits mfa=shop:ask/1 kind=1\n5 - - waits mfa=shop:sweep/1 kind=0\n5 - - waits mfa=shop:client/1 kind=1"
    for (c = 0; c < 6; c++) print "10 <0.9.0> s2 spawn child=<0." 100 + c ".0> mfa=shop:client/1"
    for (k = 0; k < 8; k++) {
        for (j = 0; j < 20; j++) { # requests one by one
            at = k * 100000000 + 1000000 + j * 2000000
            ask(j % 5, at)
            server(at + 1000, "in mfa=shop:carts/0"); fetch(j % 5, at + 1000); answer(j % 5, at + 5000); server(at + 6000, "out mfa=shop:carts/0")
        }
        at = k * 100000000 + 50000000
        if (early) ask(5, at - 1000)
        server(at, "in mfa=shop:carts/0")
        if (early) fetch(5, at + 10)
        for (m = 0; m < told; m++) server(at + 20 + m, "receive words=2 hash=" 90000 + m + 100 * k)
        server(at + 9000000, "out mfa=shop:sweep/1"); server(at + 9000100, "in mfa=shop:sweep/1")
        for (c = 0; c < 5; c++) ask(c, at + 1000000 * (c + 1))
        at += 20000000
        if (early) answer(5, at - 1000)
        for (c = 0; c < 5; c++) { fetch(c, at + c * 5000); answer(c, at + c * 5000 + 4000) }
        server(at + 30000, "out mfa=shop:carts/0")
    }
    if (told) print "20 <0.9.0> s2 spawn child=<0.99.0> mfa=shop:news/0"
    for (k = 0; told && k < 8; k++) {
        at = k * 100000000 + 49000000
        print at - 100 " <0.99.0> s2 in mfa=shop:news/0\n" at " <0.99.0> s2 out mfa=shop:news/0"
        for (m = 0; m < told; m++) print at - 90 + m " <0.99.0> s2 send to=<0.20.0> words=2 hash=" 90000 + m + 100 * k
    }
    print "800000000 <0.9.0> s2 in mfa=shop:main/0\n800001000 <0.9.0> s2 out mfa=shop:main/0"
}
AWK
for early in 0 1; do
    awk -v early=$early -f make.awk | sort -n -s > $early.txt
    COLUMNS=100 $STROBE report $early.txt findings
    COLUMNS=100 $STROBE report $early.txt | sed -n '/^1\./,/^$/p'
done
echo "other messages in reach with a request: what the work was for is unknown"
awk -v early=1 -v told=30 -f make.awk | sort -n -s > told.txt
$STROBE report told.txt findings | grep -c "of its .* requests" || true
--- out
1. own_work: a cure saves at most 19.0 ms of a call (p99); confidence medium
   40 of 200 requests to carts <0.20.0> waited 17.0 ms each on average while it did work that
   answers none of them, 8 times, 20.0 ms each on average, seen most in shop:sweep/1; half of its
   replies take at most 5.12 us
   cure: do that work in a process of its own, or in pieces: a message to itself after each lets
   requests between
   in Elixir: do that work in a process of its own, such as a Task, or in pieces: a message to
   itself after each lets requests between
   see: strobe query 0.sbp "SELECT out_function, count(*) AS slices, sum(dur) AS ns, max(dur) AS
   longest FROM slice WHERE process = 2 GROUP BY 1 ORDER BY 3 DESC"
1. 40 of 200 requests to carts <0.20.0> waited 17.0 ms each on average while it did work that
   answers none of them, 8 times, 20.0 ms each on average, seen most in shop:sweep/1; half of its
   replies take at most 5.12 us: a cure saves at most 19.0 ms of a call (p99)
   cure: do that work in a process of its own, or in pieces: a message to itself after each lets
         requests between
   strobe report 0.sbp findings

1. single_server: a cure saves about 80.4 ms (40.2 ms to 80.4 ms), of a call at most 20.0 ms
   (p99); confidence medium
   6 processes waited for carts <0.20.0>, which serves one at a time: it was at work 100 % of the
   time that somebody waited for it; 8 of its 208 requests, 20.0 ms each on average, were 100 % of
   its work; other schedulers were free for 80.4 ms of it
   cure: do the work in the caller, with the data in ETS or persistent_term; or start several
   servers and choose one by key
   in Elixir: do the work in the caller, with the data in ETS or :persistent_term; or use
   PartitionSupervisor with one server a key
   see: strobe query 1.sbp "SELECT * FROM server WHERE process = 2"
1. 6 processes waited for carts <0.20.0>, which serves one at a time: it was at work 100 % of the
   time that somebody waited for it; 8 of its 208 requests, 20.0 ms each on average, were 100 % of
   its work; other schedulers were free for 80.4 ms of it: a cure saves about 80.4 ms, of a call at
   most 20.0 ms (p99)
   cure: do the work in the caller, with the data in ETS or persistent_term; or start several
         servers and choose one by key
   strobe report 1.sbp findings

other messages in reach with a request: what the work was for is unknown
0
