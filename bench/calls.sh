#!/bin/bash
# Call trees from strobe's own traces: a compilation and a recursion recorded here, and calls of the generator.
# CALLS_EVENTS (10,000,000) of the generator, CALLS_RUNS (3). bench/large takes 200,000,000: 100 million calls.
set -eu
cd "$(dirname "$0")/.."
events=${CALLS_EVENTS:-10000000} runs=${CALLS_RUNS:-3}
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/calls_load.erl" <<'ERL'
-module(calls_load).
-export([fib/0, compile/0]).
fib() -> fib(24).
fib(N) when N < 2 -> N;
fib(N) -> fib(N - 1) + fib(N - 2).
compile() -> {ok, _, _} = compile:file(filename:join([code:lib_dir(stdlib), "src", "queue.erl"]), [binary]).
ERL
erlc -o "$dir" "$dir/calls_load.erl"
record() { # name, what to trace
    local name=$1; shift
    build/strobe record -o "$dir/$name.sbt" --buffer 256M --trace procs,running,calls "$@" -- \
        erl -noshell -pa "$dir" -s calls_load "$name" -s init stop > /dev/null 2>&1
}
record fib --module calls_load
record compile --app compiler --app stdlib
build/strobe-gen --format sbt --mix fprof --events "$events" -o "$dir/generated.sbt"
echo "command: build/strobe analyze T.sbt -o P.sbp --threads 1, $runs runs; the CPU time of the least"
for name in fib compile generated; do
    calls=$(build/strobe info "$dir/$name.sbt" --format json |
        python3 -c 'import json, sys; k = json.load(sys.stdin)["by_kind"]; print(k["call"] + k["return_to"])')
    for _ in $(seq "$runs"); do
        /usr/bin/time -o "$dir/time" -f "%U %S %M" build/strobe analyze "$dir/$name.sbt" -o "$dir/P.sbp" --threads 1 \
            > /dev/null 2>&1
        cat "$dir/time"
    done | awk -v name="$name" -v n="$calls" -v runs="$runs" '
        { cpu = $1 + $2; if (least == "" || cpu < least) least = cpu; if ($3 > rss) rss = $3 }
        END {
            rate = n / least / 1e6
            printf "call trees, %s | %.1f M call events/s per core | | | 8 M | %s | n=%d, the least\n",
                name, rate, (rate >= 8) ? "ok" : "MISSED", runs
            printf "call trees, %s, resident | %.0f MB for %.1f M call events | | | 2,147 MB | %s |  largest of %d\n",
                name, rss / 1e3, n / 1e6, (rss * 1024 <= 2 ^ 31) ? "ok" : "MISSED", runs
        }'
done
