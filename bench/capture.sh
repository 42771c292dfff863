#!/bin/sh
# What a recording costs: the start and the idle time of a node, and each event beside an empty tracer in C, a tracer
# process and OTP's file port. Times depend on the neighbours; the instructions of the tracer (bench/tracer.c) do not.
#     bench/capture.sh [ROUNDS]
set -e
cd "$(dirname "$0")/.."
root=$PWD dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
include=$(erl -noshell -eval 'io:put_chars(filename:join(code:root_dir(), "usr/include")), halt().')
for tracer in noop_tracer store_tracer; do
    cc -O2 -shared -fPIC -I"$include" -o "$dir/$tracer.so" bench/noop/$tracer.c
done
erlc -o "$dir" bench/noop/*.erl
if command -v valgrind > /dev/null; then
    # what it takes from the VM and bench/tracer.c does not give is never called for these events
    # shellcheck disable=SC2010,SC2046
    cc -O2 -g -flto -static -std=gnu11 -D_GNU_SOURCE -w -Isrc -Ibeam/c_src -I"$include" \
        -o "$dir/tracer" bench/tracer.c $(ls beam/c_src/*.c | grep -v strobe_nif.c) \
        src/trace/sbt/ring_write.c -lm -Wl,--unresolved-symbols=ignore-all
    for kind in call return_to in out send receive; do
        valgrind --tool=callgrind --toggle-collect=measured --callgrind-out-file=/dev/null \
            "$dir/tracer" $kind 20000 2>&1 |
            awk -v kind=$kind '/Collected :/ {
                printf "%s, instructions of the tracer | %.0f | | | |\n", kind, $4 / 20000 }'
    done
fi
python3 bench/noop/whole.py "${BUILD:-$root/build}/strobe" "${1:-15}" "$dir"
cd "$dir"
# schedulers that wait do not spin: how long they do depends on the neighbours
erl -noshell +S 2 +sbwt none +sbwtdcpu none +sbwtdio none -pa "$dir" -pa "${BUILD:-$root/build}/erlang/strobe/ebin" \
    -eval "capture_bench:main([\"${1:-15}\", \"$dir\"])."
