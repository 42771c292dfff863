#!/bin/sh
# What a recording costs: the start and the idle time of a node, and each event beside an empty tracer in C, a tracer
# process and OTP's file port.
#     bench/capture.sh [ROUNDS]
set -e
cd "$(dirname "$0")/.."
root=$PWD dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
include=$(erl -noshell -eval 'io:put_chars(filename:join(code:root_dir(), "usr/include")), halt().')
cc -O2 -shared -fPIC -I"$include" -o "$dir/noop_tracer.so" bench/noop/noop_tracer.c
erlc -o "$dir" bench/noop/*.erl
python3 bench/noop/whole.py "${BUILD:-$root/build}/strobe" "${1:-15}" "$dir"
cd "$dir"
# schedulers that wait do not spin: how long they do depends on the neighbours
erl -noshell +S 2 +sbwt none +sbwtdcpu none +sbwtdio none -pa "$dir" -pa "${BUILD:-$root/build}/erlang/strobe/ebin" \
    -eval "capture_bench:main([\"${1:-15}\", \"$dir\"])."
