#!/bin/sh
# What a recording costs: the start and the idle time of a node, and each event beside an empty tracer in C, a tracer
# process and OTP's file port. Times hardly depend on the neighbours where real-time priority is allowed, as for root:
# nothing else gets the two cores then for minutes. The instructions of the tracer (bench/tracer.c) never do.
#     bench/capture.sh [ROUNDS]
set -e
cd "$(dirname "$0")/.."
root=$PWD dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
include=$(erl -noshell -eval 'io:put_chars(filename:join(code:root_dir(), "usr/include")), halt().')
for tracer in noop_tracer store_tracer; do
    cc -O2 -shared -fPIC -I"$include" -o "$dir/$tracer.so" bench/noop/$tracer.c
done
cc -O2 -o "$dir/spent" bench/noop/spent.c
erlc -o "$dir" bench/noop/*.erl
if command -v valgrind > /dev/null; then
    bench/tracer.sh "$dir" | sed 's/ \(.*\)/, instructions of the tracer | \1 | | | |/'
fi
python3 bench/noop/whole.py "${BUILD:-$root/build}/strobe" "${1:-15}" "$dir"
cd "$dir"
first=
chrt -r 1 true 2> /dev/null && first="chrt -r 1"
# schedulers that wait do not spin: how long they do depends on the neighbours
# shellcheck disable=SC2086
$first erl -noshell +S 2 +sbwt none +sbwtdcpu none +sbwtdio none \
    -pa "$dir" -pa "${BUILD:-$root/build}/erlang/strobe/ebin" \
    -eval "capture_bench:main([\"${1:-15}\", \"$dir\"])."
