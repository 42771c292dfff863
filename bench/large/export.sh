#!/bin/bash
# 100,000,000 spans to Perfetto: seconds of the clock and of the core, and peak memory.
set -u
cd "$(dirname "$0")/../.." || exit 1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
build/synth "$dir/p.sbp" 83333333 1000 8 > /dev/null # and a collection for every fifth stay
/usr/bin/time -f "%e %U %S %M" -o "$dir/time" build/strobe export "$dir/p.sbp" --to perfetto -o - 2>/dev/null |
    wc -c > "$dir/bytes"
read -r seconds user system memory < "$dir/time"
awk -v s="$seconds" -v c="$user" -v k="$system" -v m="$memory" -v b="$(cat "$dir/bytes")" 'BEGIN {
    printf "100 M spans to perfetto | %.1f s, %.1f s of a core | - | - | 40 s | %s | " \
        "one run, %.1f GB written, %d MB peak\n",
        s, c + k, (s < 40 ? "ok" : "MISSED"), b / 1e9, m / 1024 }'
