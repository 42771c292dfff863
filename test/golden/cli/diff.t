Two folders of runs: process m:b/0 takes a tenth more in B, and all else varies without a cause. With one run on a side
nothing can be told from noise. Of one side alone: the mean of its runs and their spread, by group and lane.
--- trace
@meta node=n@h schedulers=1 recorded=procs,running
0 <0.9.0> s1 spawned parent=<0.1.0> mfa=m:start/0
--- run
make() { # FILE, run, and what m:b/0 takes, in millionths
    awk -v run="$2" -v b="$3" 'BEGIN {
        print "@meta node=n@h schedulers=1 recorded=procs,running"
        for (i = 0; i < 20; i++) {
            p = i + 10; f = i % 2 ? "b" : "a"
            t += 1000; printf "%d <0.%d.0> s1 spawned parent=<0.1.0> mfa=m:%s/0\n", t, p, f
            printf "%d <0.%d.0> s1 in mfa=m:%s/0\n", t, p, f
            t += 1000000 + (run * 7919 + i * 104729) % 20000 + (f == "b" ? b : 0)
            printf "%d <0.%d.0> s1 out_exited\n%d <0.%d.0> s1 exit reason=normal\n", t, p, t, p
        }
    }' > "$1"
}
mkdir a b && for i in 1 2 3 4; do make a/$i.txt $i 0; make b/$i.txt $((i + 4)) 100000; done
for f in a b; do for i in 1 2 3 4; do $STROBE analyze $f/$i.txt -o $f/$i.sbp > log 2>&1; done; done
COLUMNS=100 $STROBE diff a b
$STROBE diff --format csv a b | grep -c ',1.$'
$STROBE diff a b --fail-over 5% > log; echo $?
$STROBE diff a b --fail-over 20% > log; echo $?
$STROBE diff b a --fail-over 1% > log; echo $?
for s in "a b" "a/1.sbp b/1.sbp" a; do # a page: its texts, and how many rows differ beyond the noise
    $STROBE diff $s --format html > page.html
    python3 -c 'import sys, html.parser
class Page(html.parser.HTMLParser):
    open, rows, outside, bars = [], 0, 0, 0
    def handle_starttag(self, tag, attrs):
        if tag == "meta": return
        self.open.append(tag); self.rows += tag == "tr"; self.outside += tag == "tr" and "details" not in self.open
        self.bars += tag == "i"
    def handle_endtag(self, tag):
        while self.open.pop() != tag: pass
p = Page(); p.feed(open("page.html").read()); print(p.rows, p.outside, p.bars, p.open)'
done
COLUMNS=100 $STROBE diff a
$STROBE diff a --format json --limit 0 | grep -A7 '"subject": "scheduler 1"'
$STROBE diff a --fail-over 5%; echo $?
COLUMNS=100 $STROBE diff a/1.sbp b/1.sbp --limit 3
$STROBE diff a/1.sbp b/1.sbp --fail-over 5% 2>&1 > log; echo $?
mkdir none; $STROBE diff a none; echo $?
$STROBE diff a no.sbp; echo $?
$STROBE diff a b --fail-over 5; echo $?
--- out
Differences from A (4 runs) to B (4 runs)
The run is longer: 21.2 ms, was 20.2 ms (+4.8 % to +5.0 %)
kind     subject        A        B        change  between
length   the run        20.2 ms  21.2 ms  +4.9 %  +4.8 % to +5.0 %
work     all processes  20.2 ms  21.2 ms  +4.9 %  +4.8 % to +5.1 %
account  work           20.2 ms  21.2 ms  +4.9 %  +4.8 % to +5.1 %
group    m:b/0          10.1 ms  11.1 ms  +9.9 %  +9.7 % to +10.0 %
lane     scheduler 1    20.2 ms  21.2 ms  +4.9 %  +4.8 % to +5.1 %
2 other figures do not differ beyond the noise; --limit 0 shows all
5
3
0
0
9 6 7 []
8 8 7 []
8 8 0 []
Mean and spread (standard deviation) of 4 runs
kind     subject        mean and spread
length   the run        20.2 ms ± 11.7 us
work     all processes  20.2 ms ± 11.7 us
account  outside        19.0 us ± 0 ns
account  work           20.2 ms ± 11.7 us
group    m:a/0          10.1 ms ± 11.6 us
group    m:b/0          10.1 ms ± 10.8 us
lane     scheduler 1    20.2 ms ± 11.7 us
    "subject": "scheduler 1",
    "unit": "ns",
    "a": 20199460,
    "b": null,
    "difference": null,
    "a_share": 1,
    "b_share": null,
    "a_spread": 11695.04168440626,
2
Differences from A (1 run) to B (1 run)
One run on a side: a change cannot be told from noise, so these are sizes
only. Compare folders of runs (strobe record --runs 5) to tell.
kind     subject        A        B        change  between
length   the run        20.2 ms  21.2 ms  +4.9 %  --
work     all processes  20.2 ms  21.2 ms  +4.9 %  --
account  work           20.2 ms  21.2 ms  +4.9 %  --
4 other figures; --limit 0 shows all
strobe: --fail-over did not look: so few runs cannot tell a change from noise
0
1
1
2
--- err
strobe: --fail-over needs two things to compare, A and B: see strobe diff --help
strobe: none: has no traces and no profiles
strobe: no.sbp: cannot open it: No such file or directory: check the name
strobe: --fail-over takes a percentage such as 5%, not '5': see strobe diff --help
