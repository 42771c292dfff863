#!/bin/bash
# The tracer, the drain in the node and the sources of the program compile with musl. Nothing is linked or run: the
# distribution has neither an OTP nor libraries that use musl.
cd "$(dirname "$0")/../../.." || exit 1
command -v musl-gcc >/dev/null || { echo "ok musl # SKIP musl-gcc is not installed: tools/deps long"; exit 0; }
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
# headers that do not depend on the C library
mkdir "$dir/include"
machine=$(cc -dumpmachine)
cd /usr/include && ln -s "$PWD"/{linux,asm-generic,"$machine"/asm,zstd.h,zstd_errors.h,xxhash.h} \
    "$PWD"/{sqlite3.h,microhttpd.h,zlib.h,zconf.h,ncurses.h,curses.h,term.h,unctrl.h,ncurses_dll.h} "$dir/include"
cd - >/dev/null || exit 1
for library in strobe_nif strobe_drain_nif; do
    if make -s -C beam STRICT=1 CC="musl-gcc -isystem $dir/include" CFLAGS=-O2 OUT="$dir/out" \
        "$dir/out/priv/$library.so" >"$dir/log" 2>&1 && [ -s "$dir/out/priv/$library.so" ]; then
        echo "ok musl: $library compiles"
    else
        echo "not ok musl: $library:"; tail -n 10 "$dir/log"
    fi
done

# ei is a part of OTP, and its header has nothing of the C library's
headers=$(erl -noshell -eval 'io:put_chars(filename:join(code:root_dir(), "usr/include")), halt().')
warnings=(-Wall -Wextra -Wno-missing-field-initializers -Werror)
if find src -name '*.c' -print0 |
    xargs -0 -n 40 -P "$(nproc)" musl-gcc -std=gnu11 -D_GNU_SOURCE -DSB_VERSION='"0"' -Isrc -Ibuild \
        -isystem "$dir/include" -isystem "$headers" "${warnings[@]}" -fsyntax-only >"$dir/log" 2>&1; then
    echo "ok musl: the sources of strobe compile"
else
    echo "not ok musl: the sources of strobe: $(grep -m 5 -E 'error' "$dir/log" | tr '\n' ' ')"
fi
