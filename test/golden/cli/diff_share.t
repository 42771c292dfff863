The machine is up to twice as slow in some runs, so no time differs beyond the noise; the part of a server in the work of both does.
--- run
make() { # FILE SPEED PRICES: what a request takes in one server, in us; the other one takes 100 of a machine of speed 1
    awk -v speed="$2" -v prices="$3" 'BEGIN {
        print "@meta node=n@h creation=1 recorded=procs,running,messages schedulers=2"
        print "0 <0.4.0> s1 spawn child=<0.9.0> mfa=prices:init/0\n0 <0.4.0> s1 spawn child=<0.8.0> mfa=stock:init/0"
        print "0 <0.4.0> s1 spawn child=<0.5.0> mfa=shop:client/0\n0 <0.9.0> s2 waits mfa=prices:loop/1 kind=1"
        print "0 <0.8.0> s2 waits mfa=stock:loop/1 kind=1\n0 <0.5.0> s1 waits mfa=shop:wait/1 kind=1"
        print "0 <0.9.0> s2 register name=prices\n0 <0.8.0> s2 register name=stock\n0 <0.5.0> s1 in mfa=shop:main/0"
        for (i = 1; i <= 40; i++) {
            name = i % 2 ? "prices" : "stock"; pid = i % 2 ? 9 : 8; t += 10000
            printf "%d <0.5.0> s1 send to=<0.%d.0> words=5 hash=%x\n%d <0.5.0> s1 out mfa=shop:wait/1\n", t, pid, i, t + 1000
            printf "%d <0.%d.0> s2 in mfa=%s:loop/1\n%d <0.%d.0> s2 receive words=5 hash=%x\n", t + 3000, pid, name, t + 3000, pid, i
            t += 3000 + int((i % 2 ? prices : 100) * 1000 * speed * (1 + (i % 7) / 1000))
            printf "%d <0.%d.0> s2 send to=<0.5.0> words=2 hash=%x\n%d <0.%d.0> s2 out mfa=%s:loop/1\n", t, pid, 256 + i, t + 1000, pid, name
            printf "%d <0.5.0> s1 in mfa=shop:wait/1\n%d <0.5.0> s1 receive words=2 hash=%x\n", t + 2000, t + 3000, 256 + i
        }
        printf "%d <0.5.0> s1 exit reason=normal\n", t + 20000
    }' > "$1"
}
mkdir a b; i=0
for speed in 1.0 1.9 1.3 1.6 1.1; do
    i=$((i + 1)); make $i.txt $speed 200; $STROBE analyze $i.txt -o a/$i.sbp > log 2>&1
    make $i.txt $speed 220; $STROBE analyze $i.txt -o b/$i.sbp > log 2>&1
done
$STROBE diff a b
--- out
Differences from A (5 runs) to B (5 runs)
The run does not differ beyond the noise: 9.40 ms, was 8.84 ms (-31.7 % to +44.2 %)
kind           subject  A        B        change  between
request share  prices   66.67 %  68.75 %  +3.1 %  +3.1 % to +3.1 %
request share  stock    33.33 %  31.25 %  -6.2 %  -6.3 % to -6.2 %
32 other figures do not differ beyond the noise; --limit 0 shows all
--- err
