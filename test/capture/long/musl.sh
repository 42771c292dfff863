#!/bin/bash
# The tracer and the drain in the node compile with musl. Nothing is run: the distribution has no OTP that uses musl.
cd "$(dirname "$0")/../../.." || exit 1
command -v musl-gcc >/dev/null || { echo "ok musl # SKIP musl-gcc is not installed: tools/deps long"; exit 0; }
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
# headers that do not depend on the C library
mkdir "$dir/include"
machine=$(cc -dumpmachine)
cd /usr/include && ln -s "$PWD"/{linux,asm-generic,"$machine"/asm,zstd.h,zstd_errors.h,xxhash.h} "$dir/include"
cd - >/dev/null || exit 1
for library in strobe_nif strobe_drain_nif; do
    if make -s -C beam STRICT=1 CC="musl-gcc -isystem $dir/include" CFLAGS=-O2 OUT="$dir/out" \
        "$dir/out/priv/$library.so" >"$dir/log" 2>&1 && [ -s "$dir/out/priv/$library.so" ]; then
        echo "ok musl: $library compiles"
    else
        echo "not ok musl: $library:"; tail -n 10 "$dir/log"
    fi
done
