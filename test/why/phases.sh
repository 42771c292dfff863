#!/bin/bash
# Programs that do five kinds of work in turn: what a cure of one of them saves is no more than its phase took.
root=$(cd "$(dirname "$0")/../.." && pwd)
STROBE=$(realpath "${STROBE:-$root/build/strobe}")
dir=$(mktemp -d) && cd "$dir" || exit 1
trap 'rm -rf "$dir"' EXIT
echo '-module(late).' > late.erl
erlc late.erl "$root/test/why/programs/phases.erl" || exit 1
ask() { "$STROBE" query p.sbt "$1" --format csv 2> /dev/null | sed 1d | tr -d '\r'; }

check() { # PROGRAM RULES: those that its phases show, and that have to be there
    rm -f p.sb*
    "$STROBE" record --report never -o p.sbt -- erl +S 2 -noshell -eval "phases:main([\"$1\"]), halt()." > out 2> log
    longest=$(sed -n 's/^longest //p' log)
    # these rules are about the whole run
    found=$(ask "SELECT rule, coalesce(gain_ns, gain_high_ns) / 1000000 FROM finding WHERE rule NOT IN
        ('serial_phase', 'saturated', 'preempted', 'too_few_processes', 'gc_heavy')")
    much=$(awk -F, -v most="$longest" '$2 > 1.3 * most + 10' <<< "$found")
    if [ -n "$longest" ] && [ -z "$much" ]; then echo "ok $1: no gain is more than its phase"
    else echo "not ok $1: no gain is more than its phase of $longest ms: ${much//$'\n'/ }; $(tail -n 1 log)"; fi
    for rule in $2; do
        if grep -q "^$rule," <<< "$found"; then echo "ok $1: $rule"
        else echo "not ok $1: $rule: only $(tr '\n' ' ' <<< "$found")"; fi
    done
}
check starts "message_copying fine_grained"
check waits "file_bound output_bound"
