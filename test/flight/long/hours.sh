#!/bin/bash
# A flight recorder that runs for long: hours.sh [SECONDS] (ten minutes). The program does little, with a burst and a
# trigger in turn. The memory of the drain and of the node, the rings and the number of traces must stay bounded, and
# each trace must agree with the program's own count. The figures of each round are printed at the end.
. "$(dirname "$0")/../lib/flight.sh"
seconds=${1:-600}
keep=4
pause=20
anon_kb() { awk '/^RssAnon/ { print $2 }' "/proc/$1/status"; }
rings_kb() { du -ck "/dev/shm/strobe-$recorder"-* 2>/dev/null | awk 'END { print $1 }'; }
sizes() { rm -f has_sizes; touch sizes; wait_for test -s has_sizes && cat has_sizes; }
traces() { find . -name 'f.*.sbt' | wc -l; }
fired() { grep -c '^strobe: f' record.err; }
round() { # TRIGGER: what it causes is written before the next one
    local before; before=$(fired)
    touch burst
    case $1 in
    snapshot) snapshot || return 1 ;;
    *) touch "$1" ;;
    esac
    more() { [ "$(fired)" -gt "$before" ]; }
    wait_for more || { tail -n 3 record.err; return 1; }
    [ "$1" != queue ] || touch calm
    [ "$1" != mailbox ] || touch empty
    [ "$(traces)" -le $keep ] || { ls; return 1; }
    echo "$SECONDS $1 $(anon_kb "$drain") $(sizes) $(rings_kb) $(find "/proc/$drain/fd" | wc -l)" >> figures.txt
}
rounds() {
    local end=$((SECONDS + seconds))
    drain=$(pgrep -P "$recorder" -f strobe-drain) || return 1
    while [ $SECONDS -lt $end ]; do
        # a condition fires again when it has not held for as long as the window
        for trigger in mailbox queue snapshot call log; do
            round $trigger || return 1
            sleep 5
        done
    done
}
# The largest figure of a column in the last third of the rounds, less that in the second third.
growth() {
    awk -v c="$1" '{ at[NR] = $c } END { for (i = int(NR / 3) + 1; i <= int(2 * NR / 3); i++) if (at[i] > a) a = at[i]
        for (i = int(2 * NR / 3) + 1; i <= NR; i++) if (at[i] > b) b = at[i]; print b - a }' figures.txt
}
bounded() { # 16 MB are what the drain's allocator may have more at one time than at another
    local most
    most=$(awk '$3 > m { m = $3 } END { print m }' figures.txt)
    echo "the drain's memory $most kB, growth $(growth 3); the node's growth $(growth 4), atoms $(growth 5)," \
        "processes $(growth 6); rings $(growth 7) kB; files of the drain $(growth 8)"
    [ "$most" -lt $((160 * 1024)) ] && [ "$(growth 3)" -lt 16384 ] && [ "$(growth 4)" -lt 1048576 ] &&
        [ "$(growth 5)" -le 20 ] && [ "$(growth 6)" -le 4 ] && [ "$(growth 7)" -le 4 ] && [ "$(growth 8)" -le 1 ]
}
true_to_count() {
    for f in f.*.sbt; do counts_hold "$f" && loses_nothing "$f" || { echo "$f"; return 1; }; done
}
begin --flight 20s --keep $keep --when 'mailbox > 1000' --when 'call stock > 300ms' \
    --when 'log error' --when 'run_queue > 50 for 200ms' || echo "not ok hours: a node starts: $(cat record.err)"
check "each trigger writes a trace, and no more than $keep are kept" rounds
check "the memory of the drain and of the node is bounded" bounded
cat out.log
check "the traces hold what the program counted" true_to_count
[ -z "${FIGURES:-}" ] || cp figures.txt "$FIGURES"
awk '{ print "# " $0 }' figures.txt | tail -n 12
