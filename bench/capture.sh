#!/bin/sh
# What an event costs: strobe beside an empty tracer in C, a tracer process and OTP's file port.
#     bench/capture.sh [ROUNDS]
set -e
cd "$(dirname "$0")/.."
root=$PWD dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
include=$(erl -noshell -eval 'io:put_chars(filename:join(code:root_dir(), "usr/include")), halt().')
cc -O2 -shared -fPIC -I"$include" -o "$dir/noop_tracer.so" bench/noop/noop_tracer.c
erlc -o "$dir" bench/noop/*.erl
cd "$dir"
erl -noshell +S 2 -pa "$dir" -pa "${BUILD:-$root/build}/erlang/strobe/ebin" \
    -eval "capture_bench:main([\"${1:-9}\", \"$dir\"])."
