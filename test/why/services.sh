#!/bin/bash
# Services that stamp their own requests: servers that let others answer, that are asked several things at once, and
# whose callers give up have the round trips that their callers saw; and no finding is about what a server does not do.
root=$(cd "$(dirname "$0")/../.." && pwd)
STROBE=$(realpath "${STROBE:-$root/build/strobe}")
dir=$(mktemp -d) && cd "$dir" || exit 1
trap 'rm -rf "$dir"' EXIT
erlc "$root/test/why/programs/services.erl" || exit 1
ask() { "$STROBE" query p.sbt "$1" --format csv 2> /dev/null | sed 1d | tr -d '\r'; }

record() { # PROGRAM: its truth in n, p50, most (us), and length (ms); its findings in found
    rm -f p.sb*
    "$STROBE" record --report never -o p.sbt -- erl +S 2 -noshell -eval "services:main([\"$1\"]), halt()." > out 2> log
    read -r n p50 most length <<< "$(sed -n 's/^truth //p' log)"
    found=$(ask "SELECT rule, coalesce(gain_ns, gain_high_ns) / 1000000, title FROM finding
        WHERE rule NOT IN ('serial_phase', 'saturated', 'preempted', 'timers')")
}
verdict() { # TEXT, and whether it holds
    if [ "$2" = 1 ]; then echo "ok $1"; else echo "not ok $1: $3"; fi
}
near() { # A B: within half and twice, or 2 ms
    awk -v a="${1:-0}" -v b="$2" 'BEGIN { print (a > 0 && a <= 2 * b + 2000 && b <= 2 * a + 2000) ? 1 : 0 }'
}
trips() { # the requests to the server are those of the program
    IFS=, read -r replies median longest <<< "$(ask "SELECT sum(count), max(p50_ns) / 1000, max(max_ns) / 1000
        FROM request JOIN process p ON p.id = server WHERE p.name = 'shop' AND count > 1")"
    # each client has one request that the end may cut, and the last one is to wait for the server
    verdict "$1: requests" "$((n > 0 && ${replies:-0} >= n - 8 && ${replies:-0} <= n + 1))" "$replies of $n"
    verdict "$1: median" "$(near "$median" "$p50")" "$median us, the program's $p50"
    verdict "$1: longest" "$(near "$longest" "$most")" "$longest us, the program's $most"
}
gains() { # nothing saves more than the load took
    much=$(awk -F, -v most="$length" '$2 > 1.3 * most + 10' <<< "$found")
    verdict "$1: no gain is more than the load" "$([ -n "$length" ] && [ -z "$much" ] && echo 1)" "$length ms: $much"
}
has() { # PROGRAM RULE COUNT
    verdict "$1: $2 is told $3 times" "$(($(grep -c "^$2," <<< "$found") == $3))" "${found//$'\n'/ }"
}

for program in deferred parked at_once given_up; do
    record $program
    trips $program
    gains $program
    has $program polling 0
done
has given_up call_timeouts 1
record parked
part=$(ask "SELECT mailbox_p50_ns < service_p50_ns FROM server JOIN process p ON p.id = process WHERE name = 'shop'")
verdict "parked: requests are no longer in the mailbox" "${part:-0}" "$(ask "SELECT * FROM server")"
record hibernates
gains hibernates
has hibernates hibernation 1
has hibernates single_server 0
record logs
gains logs
has logs logging 1
has logs broker 0
# all that the server does is to log, so most of its work is below the upper of the two figures
work=$(ask "SELECT run_ns / 1000000 FROM process WHERE name = 'shop'")
high=$(sed -n 's/.*took .* to \([0-9.]* m\?s\) of work.*/\1/p' <<< "$found")
verdict "logs: most work of the server is in the title" "$(awk -v work="${work:-0}" '{
    print (work > 0 && 2 * $1 * ($2 == "s" ? 1000 : 1) >= work) ? 1 : 0 }' <<< "$high")" "$high of $work ms"
