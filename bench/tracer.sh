#!/bin/sh
# Builds bench/tracer.c as FOLDER/tracer and prints the instructions that each kind of event takes in it.
#     bench/tracer.sh FOLDER
set -e
dir=$1
cd "$(dirname "$0")/.."
include=$(erl -noshell -eval 'io:put_chars(filename:join(code:root_dir(), "usr/include")), halt().')
# what it takes from the VM and bench/stand_in.c does not give is never called for these events
# shellcheck disable=SC2010,SC2046
cc -O2 -g -flto -static -std=gnu11 -D_GNU_SOURCE -w -Isrc -Ibeam/c_src -Ibench -I"$include" \
    -o "$dir/tracer" bench/tracer.c bench/stand_in.c $(ls beam/c_src/*.c | grep -v strobe_nif.c) \
    src/trace/sbt/ring_write.c -lm -lpthread -Wl,--unresolved-symbols=ignore-all
for kind in call return_to in out send receive; do
    valgrind --tool=callgrind --toggle-collect=measured --callgrind-out-file=/dev/null "$dir/tracer" $kind 5000 2>&1 |
        awk -v kind=$kind '/Collected :/ { printf "%s %.0f\n", kind, $4 / 5000; got = 1 } END { exit !got }'
done
