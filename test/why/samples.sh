#!/bin/bash
# Findings that use samples of the CPU: the rule, and the function of Erlang that it names, for programs that have one.
root=$(cd "$(dirname "$0")/../.." && pwd)
STROBE=$(realpath "${STROBE:-$root/build/strobe}")
dir=$(mktemp -d) && cd "$dir" || exit 1
trap 'rm -rf "$dir"' EXIT
erlc "$root/test/why/programs/sampled.erl" || exit 1

titles() { # KIND RULE: the titles of its findings, a line each
    "$STROBE" record --report never --trace all,cpu -o "$1.sbt" -- \
        erl +S 2 -noshell -eval "sampled:main([\"$1\"]), halt()." 2> log
    "$STROBE" query "$1.sbt" "SELECT title FROM finding WHERE rule LIKE '$2'" --format csv 2>> log | sed 1d
}
check() { # KIND RULE FUNCTION
    got=$(titles "$1" "$2")
    case $got in
    *"$3"*) echo "ok $1 is $2 by $3" ;;
    *) echo "not ok $1 is $2 by $3: ${got:-no finding}; $(tail -n 1 log)" ;;
    esac
}
got=$(titles twin '%')
if grep -q "no samples of the CPU" log; then echo "ok samples # SKIP $(grep 'no samples' log)"; exit; fi
case $got in
*"locks of the VM took"* | *"of the CPU time of processes; the caller"*)
    echo "not ok a program without such work: $got" ;;
*) echo "ok a program without such work" ;;
esac
check lookup builtin_heavy sampled:lookup/2
check external builtin_heavy sampled:external/1
check regex builtin_heavy sampled:regex/1
check find builtin_heavy sampled:find/1
check join builtin_heavy sampled:join/1
check copy message_copying sampled:copy/2
if [ "$(nproc)" -lt 2 ]; then echo "ok locks # SKIP needs two cores"; exit; fi
check key lock_contention sampled:key/3
check counter lock_contention sampled:counter/2
