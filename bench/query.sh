#!/bin/bash
# Grouping slices through slice_by beside SQLite's own table, and how long the first answers of a profile take.
# QUERY_ROWS (20,000,000), QUERY_EVENTS of the trace whose profile is opened (2,000,000), QUERY_RUNS (5).
set -eu
cd "$(dirname "$0")/.."
rows=${QUERY_ROWS:-20000000} events=${QUERY_EVENTS:-2000000} runs=${QUERY_RUNS:-5}
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
echo "command: build/bench_query make $rows P.sbp; build/bench_query time P.sbp, $runs runs"
build/bench_query make "$rows" "$dir/P.sbp"
for _ in $(seq "$runs"); do build/bench_query time "$dir/P.sbp"; done > "$dir/times"

median='function median(a, n,   i, j, t) {
    for (i = 2; i <= n; i++) for (j = i; j > 1 && a[j] < a[j - 1]; j--) { t = a[j]; a[j] = a[j - 1]; a[j - 1] = t }
    return a[int((n + 1) / 2)]
}'
awk -F'\t' "$median"'
    { rate[$1, ++n[$1]] = $2 / $3 / 1e6 }
    function of(what,   i, a) {
        for (i = 1; i <= n[what]; i++) a[i] = rate[what, i]
        m = median(a, n[what]); least = a[1]; most = a[n[what]]; return m
    }
    END {
        own = of("sqlite"); ours = of("slice_by")
        printf "slice_by(process), warm | %.0f M rows/s | SQLite table %.1f M rows/s | %.0f | 100 M rows/s | %s | " \
            "n=%d, %.0f to %.0f\n", ours, own, ours / own, (ours >= 100) ? "ok" : "MISSED", n["slice_by"], least, most
        ours = of("first")
        printf "slice_by(process), with checks | %.0f M rows/s | | %.0f | | | n=%d, %.0f to %.0f\n",
            ours, ours / own, n["first"], least, most
        ours = of("range")
        printf "slice_by(process, t0, t1) | %.0f M rows/s | | %.0f | | | n=%d, %.0f to %.0f\n",
            ours, ours / own, n["range"], least, most
    }' "$dir/times"

build/strobe-gen --mix percept --events "$events" -o "$dir/T"
build/strobe analyze "$dir/T" -o "$dir/T.sbp"
bytes=$(stat -c %s "$dir/T.sbp") trace=$(stat -c %s "$dir/T")
awk -v p="$bytes" -v t="$trace" 'BEGIN {
    printf "profile of an OTP trace | %.1f MB | trace %.1f MB | %.3f | 0.125 | %s |\n",
        p / 1e6, t / 1e6, p / t, (p / t <= 0.125) ? "ok" : "MISSED" }'
first() { # what, command...
    local what=$1; shift
    for _ in $(seq "$runs"); do
        /usr/bin/time -f "%e %M" -o "$dir/time" "$@" > /dev/null; cat "$dir/time"
    done | awk -v what="$what" -v bytes="$bytes" "$median"'
        { s[NR] = $1 * 1000; kb = $2 > kb ? $2 : kb }
        END { m = median(s, NR)
            printf "%s | %d ms | | | 200 ms | %s | n=%d, %d to %d ms; %.0f MB resident\n",
                what, m, (m <= 200) ? "ok" : "MISSED", NR, s[1], s[NR], kb / 1e3 }'
}
first "open and summary" build/strobe report "$dir/T.sbp"
first "processes --limit 20" build/strobe report "$dir/T.sbp" processes --limit 20
first "timeline, 1,000 rows" build/strobe query "$dir/T.sbp" "SELECT * FROM timeline('all', 0, NULL, 1000)" --format csv
