#!/bin/bash
# A run that is looked at in pieces: two faults, each in a part of it, and none.
root=$(cd "$(dirname "$0")/../.." && pwd)
STROBE=$(realpath "${STROBE:-$root/build/strobe}")
dir=$(mktemp -d) && cd "$dir" || exit 1
trap 'rm -rf "$dir"' EXIT
rounds=550000 # of four slices, or of two slices and two messages

# Four schedulers run eight workers in turn. In the rounds before `early` four clients wait for one server, from `late`
# on four others for another one.
trace() {
    awk -v rounds=$rounds "$@" '
    function ask(i, nth, server, name,    c) { # each client sends its next request when it has its reply
        c = server + 1 + i % 4
        printf "%d <0.%d.0> s2 in mfa=shop:ask/2\n", t, c
        if (nth >= 4) printf "%d <0.%d.0> s2 receive words=3 hash=%x\n", t + 5, c, 2 * i - 1
        printf "%d <0.%d.0> s2 send to=<0.%d.0> words=3 hash=%x\n", t + 10, c, server, 2 * i + 8
        printf "%d <0.%d.0> s2 out mfa=shop:ask/2\n", t + 20, c
        if (nth < 4) return
        printf "%d <0.%d.0> s1 in mfa=shop:%s/0\n", t + 100, server, name
        printf "%d <0.%d.0> s1 receive words=3 hash=%x\n", t + 110, server, 2 * i + 2
        c = server + 1 + (i + 1) % 4
        printf "%d <0.%d.0> s1 send to=<0.%d.0> words=3 hash=%x\n", t + 3300, server, c, 2 * i + 1
        printf "%d <0.%d.0> s1 out mfa=shop:%s/0\n", t + 3400, server, name
    }
    BEGIN {
        print "@meta node=a@h creation=1 recorded=procs,running,messages,cpu schedulers=4"
        print "0 - - thread name=\"1_scheduler\" tid=41 cpu=0 queue=0"
        print "0 - - cpu_frame name=\"shop:work/1\" number=1 caller=0 kind=0"
        for (p = 20; p < 28; p++) printf "0 <0.9.0> s1 spawn child=<0.%d.0> mfa=shop:work/1\n", p
        print "0 <0.9.0> s1 spawn child=<0.50.0> mfa=shop:prices/0"
        print "0 <0.9.0> s1 spawn child=<0.60.0> mfa=shop:rates/0"
        for (p = 51; p < 55; p++) {
            printf "0 <0.9.0> s1 spawn child=<0.%d.0> mfa=shop:client/1\n", p
            printf "0 <0.9.0> s1 spawn child=<0.%d.0> mfa=shop:client/2\n", p + 10
        }
        for (i = 0; i < rounds; i++) {
            t = 1000 + i * 3500
            if (i < early) ask(i, i, 50, "prices")
            else if (i >= late) ask(i, i - late, 60, "rates")
            else for (k = 0; k < 4; k++) {
                if (k == 0 && i % 2000 == 0) printf "%d - - cpu_sample tid=41 stack=1\n", t + 100
                p = 20 + (i * 4 + k) % 8
                printf "%d <0.%d.0> s%d in mfa=shop:work/1\n", t + k, p, k + 1
                printf "%d <0.%d.0> s%d out mfa=shop:work/1\n", t + k + 3400, p, k + 1
            }
        }
    }'
}
check() { # NAME EXPECTED GOT
    if [ "$3" = "$2" ]; then echo "ok $1"; else printf 'not ok %s\n# wanted %s\n# got %s\n' "$1" "$2" "$3"; fi
}
ask() { "$STROBE" query P.sbp "$1" --format tsv | tail -n +2; }
analyze() { "$STROBE" analyze T.txt -o P.sbp > log 2>&1 || cat log; rm -f P.sbp.answers; }

trace -v early=$((rounds / 8)) -v late=$((rounds / 2)) > T.txt
analyze
check "the run is longer than what is looked at" 1 \
    "$(ask 'SELECT (SELECT count(*) FROM slice) + (SELECT count(*) FROM message) > 2 << 20')"
check "both faults are found" "single_server shop:rates/0 <0.60.0>
single_server shop:prices/0 <0.50.0>" "$(ask "SELECT rule || ' ' || subject FROM finding ORDER BY rank")"
# a server is at work for 3300 of 3500 ns, and four schedulers do that in a quarter of the time
true_ns() { echo $((rounds * 3300 * 3 / 4 / $1)); }
check "the bounds of gains hold" 1,1 "$(ask "SELECT group_concat(gain_low_ns < n AND n < gain_high_ns) FROM (SELECT *,
    iif(subject LIKE '%rates%', $(true_ns 2), $(true_ns 8)) AS n FROM finding)")"
check "one estimate is within a tenth" 1 \
    "$(ask "SELECT abs(gain_ns - $(true_ns 2)) < $(true_ns 20) FROM finding WHERE subject LIKE '%rates%'")"
check "titles say where" 2 "$(ask "SELECT count(*) FROM finding WHERE title LIKE
    '4 processes % (from % to %; the same in % of 20 pieces looked at, % of the program''s %,' ||
    ' the first at %, the last at %)%'")"
check "requests and shares are those of the run" "shop:rates/0 471 3190
shop:prices/0 117 3190" \
    "$(ask "SELECT who(process) || ' ' || (utilisation / 1000) || ' ' || service_p50_ns FROM server")"

trace -v late=$rounds > T.txt
analyze
check "a healthy run has no fault" saturated "$(ask 'SELECT rule FROM finding')"
check "each piece has fewer samples than the run" 1 \
    "$(ask "SELECT title LIKE '%the function to make faster is shop:work/1%took 100 %' FROM finding")"
check "the summary says what was looked at" 1 \
    "$("$STROBE" report P.sbp summary --format json | grep -c 'no cause was found .* looked for in 20 pieces of it')"
