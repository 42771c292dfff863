#!/bin/bash
# What OTP 25's fprof wrote for the traces of the oracle, against what strobe fprof writes: analyses in all variants
# on one and on two threads, dumps, and what was returned. ORACLE names the folder if it is not beside the repository.
cd "$(dirname "$0")/../.." || exit 1
strobe=${STROBE:-$PWD/build/strobe}
oracle=${ORACLE:-../shared/oracle/fprof}
[ -d "$oracle" ] || oracle=../../shared/oracle/fprof
[ -d "$oracle" ] || { echo "ok fprof oracle # SKIP no traces at ../shared/oracle/fprof"; exit 0; }
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT

variants="default
own --sort own
totals --totals
totals_own_nocallers --totals --sort own --no-callers
totals_nodetails --totals --no-details
nocallers --no-callers
nocallers_own --no-callers --sort own
nodetails --no-details
cols132_totals --cols 132 --totals
cols1 --cols 1
cols60_own_totals --cols 60 --sort own --totals"

same() { # name expected got
    if cmp -s "$2" "$3"; then echo "ok $1"; else echo "not ok $1: $(cmp "$2" "$3" 2>&1)"; fi
}

# fprof itself dies on these two; the times are checked by hand below
own_stamps=" mono_ts strict_ts "
for trace in "$oracle"/*.trace; do
    name=$(basename "$trace" .trace)
    [[ $own_stamps == *" $name "* ]] && continue
    while read -r variant options; do
        for threads in 1 2; do
            # shellcheck disable=SC2086
            "$strobe" fprof "$trace" $options --threads $threads >"$work/out" 2>"$work/err"
            same "fprof $name $variant, $threads threads" "$oracle/$name.$variant.analysis" "$work/out"
        done
    done <<<"$variants"
    "$strobe" fprof "$trace" --dump "$work/dump" -o "$work/out" 2>"$work/err"
    code=$?
    same "fprof $name dump" "$oracle/$name.dump" "$work/dump"
    same "fprof $name with dump" "$oracle/$name.default.analysis" "$work/out"
    # the returned term without its blanks, pids and all; one line, exit code 1
    expected=$(tr -d ' \n' <"$oracle/$name.results" | sed 's/^\[{profile,\(.*\)},{analyse,.*/\1/')
    if [ "$expected" = ok ] && grep -q empty_trace "$oracle/$name.results"; then expected="{error,empty_trace}"; fi
    got=$(sed -n 's/.*: fprof returns \({error,.*}\)\(, at byte [0-9]*\)\?: .*/\1/p' "$work/err" | tr -d ' ')
    lines=$(wc -l <"$work/err")
    if [ "$expected" = ok ]; then
        [ "$code $lines" = "0 0" ] && echo "ok fprof $name answer" ||
            echo "not ok fprof $name answer: $code, $(cat "$work/err")"
    elif [ "$code $lines $got" = "1 1 $expected" ]; then
        echo "ok fprof $name answer"
    else
        echo "not ok fprof $name answer: code $code, wanted $expected, got $got"
    fi
done

# monotonic stamps: m:a/1 is called at 1000 ns and calls m:b/1 at 2500 ns, where the trace ends
for name in $own_stamps; do
    "$strobe" fprof "$oracle/$name.trace" --no-callers >"$work/out" 2>"$work/err" &&
        grep -q '^{  {m,a,1}, *1,    0.002,    0.002}' "$work/out" &&
        echo "ok fprof $name" || echo "not ok fprof $name: $(cat "$work/err")"
done
