# Shared by the tests of the flight recorder: a program that is recorded, and what its traces must hold. To be sourced.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
STROBE=${STROBE:-$root/build/strobe}
unset RELEASE_COOKIE
dir=$(mktemp -d) && cd "$dir" || exit 1
erlc "$root/test/flight/lib/shop.erl" || exit 1
recorder='' vm='' began=0
cleanup() {
    [ -z "$vm" ] || kill -9 "$vm" 2>/dev/null
    [ -z "$recorder" ] || { wait "$recorder"; } 2>/dev/null
    umount "$dir/small" 2>/dev/null
    rm -rf "$dir"
}
trap cleanup EXIT
test_area=$(basename "$0" .sh)
check() { # NAME, then a command that must succeed
    local name=$1; shift
    if "$@" >out.log 2>&1; then echo "ok $test_area: $name"
    else echo "not ok $test_area: $name: $(tail -n 5 out.log | tr '\n' ' ')"; fi
}
wait_for() { # a minute, on a busy machine, for a command to succeed
    local end=$((SECONDS + 60))
    while [ $SECONDS -lt $end ]; do "$@" >/dev/null 2>&1 && return; sleep 0.02; done
    echo "a minute has passed: $*"; return 1
}
begin() { # options of record; $pause: of the program, in ms; $traces: the folder of the traces
    rm -f pid record.err ./*.sbt ./*.sbp
    "$STROBE" record -o "${traces:+$traces/}f.sbt" "$@" -- \
        erl -noshell -pa . -pause "${pause:-1}" -s shop start 2> record.err & recorder=$!
    wait_for test -s pid && vm=$(cat pid) && began=$(date +%s%N)
}
lasted() { echo $((($(date +%s%N) - began) / 1000000)); } # ms of the recording so far: a trace of its end is shorter
stop() { kill -9 "$vm"; wait "$recorder" 2>/dev/null; vm='' recorder=''; }
snapshot() { "$STROBE" snapshot "$vm" "$@" > path 2> snapshot.err || { cat snapshot.err; return 1; }; }
query() { "$STROBE" query "$1" "$2" --format tsv | tail -n +2; }

# Of the counter's marks in a trace the numbers of the first and the last; the messages between them must be as many.
counts_hold() { # TRACE
    "$STROBE" dump "$1" | sort -s -n -k 1,1 > dump.txt
    awk '/ exists .*name=counter / { who = $2 }
         $4 == "mark" && $2 == who { sub(/.*text="/, ""); last = $0 + 0
                                     if (!first) { first = last; sent = 0 }; at_last = sent }
         $4 == "send" && $2 == who { sent++ }
         END { print "marks " first " to " last ", " at_last " messages"
               exit !(last > first && at_last == last - first) }' dump.txt
}
loses_nothing() { "$STROBE" info --format json "$1" | grep -q '"loss": *{}'; }
spans() { # TRACE LEAST MOST, in ms
    local ms
    ms=$("$STROBE" info --format json "$1" | grep -o '"span_ns": *[0-9]*' | grep -o '[0-9]*$')
    ms=$((${ms:-0} / 1000000))
    echo "$ms ms"; [ "$ms" -ge "$2" ] && [ "$ms" -le "$3" ]
}
has_mark() {
    query "$1" "SELECT text FROM mark WHERE process IS NULL" > marks.txt
    grep -q "$2" marks.txt || { cat marks.txt; return 1; }
}
