#!/bin/bash
# Decoding OTP traces into events, of the shape of Percept2's own case, beside a plain pass of XXH3 over the bytes.
# One thread is measured in CPU time, two in wall time (on a machine that others use too, expect less there).
# DECODE_EVENTS (2,000,000; bench/large takes the 11,008,609 of Percept2's paper), DECODE_RUNS (5).
set -eu
cd "$(dirname "$0")/.."
events=${DECODE_EVENTS:-2000000} runs=${DECODE_RUNS:-5}
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
echo "command: build/strobe-gen --events $events -o T; build/bench_decode T THREADS, $runs runs"

measure() { # mix
    build/strobe-gen --mix "$1" --events "$events" -o "$dir/T"
    for threads in 1 2; do
        for _ in $(seq "$runs"); do build/bench_decode "$dir/T" $threads; done > "$dir/$threads"
    done
    awk -F'\t' -v mix="$1" -v runs="$runs" '
        function median(what, n,   i, j, t) {
            n = count[what]
            for (i = 2; i <= n; i++)
                for (j = i; j > 1 && s[what, j] < s[what, j - 1]; j--) {
                    t = s[what, j]; s[what, j] = s[what, j - 1]; s[what, j - 1] = t
                }
            spread[what] = sprintf("n=%d, %.0f %%", n, 100 * (s[what, n] - s[what, 1]) / s[what, int((n + 1) / 2)])
            return s[what, int((n + 1) / 2)]
        }
        {
            what = $1 (($1 == "decode") ? $2 : ""); s[what, ++count[what]] = (what == "decode2") ? $3 : $6
            if (what == "decode1") s["wall1", ++count["wall1"]] = $3
            events = ($4 > 0) ? $4 : events; bytes = $5
        }
        END {
            x = median("xxh3"); f = median("frames")
            one = median("decode1"); wall = median("wall1"); two = median("decode2")
            printf "%s: %.0f bytes an event; frames alone %.0f MB/s\n", mix, bytes / events, bytes / f / 1e6
            printf "%s decode, 1 thread | %.0f MB/s | XXH3 %.0f MB/s | %.3f | 600 MB/s | %s | %s\n",
                mix, bytes / one / 1e6, bytes / x / 1e6, x / one,
                (bytes / one >= 6e8) ? "ok" : "MISSED", spread["decode1"]
            printf "%s decode, 1 thread | %.2f M events/s | | | 5 M events/s | %s | %s\n",
                mix, events / one / 1e6, (events / one >= 5e6) ? "ok" : "MISSED", spread["decode1"]
            printf "%s decode, 2 threads | %.0f MB/s | 1 thread %.0f MB/s | %.2f | 1.8 | %s | %s\n",
                mix, bytes / two / 1e6, bytes / wall / 1e6, wall / two,
                (wall / two >= 1.8) ? "ok" : "MISSED", spread["decode2"]
        }' "$dir/1" "$dir/2"
}
measure percept
measure fprof
