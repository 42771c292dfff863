#!/bin/bash
# Analysing an OTP trace of the shape of Percept2's own case into a profile; its time, memory and size.
# ENGINE_EVENTS (2,000,000; bench/large takes the 11,008,609 of Percept2's paper), ENGINE_RUNS (3).
set -eu
cd "$(dirname "$0")/.."
events=${ENGINE_EVENTS:-2000000} runs=${ENGINE_RUNS:-3}
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
build/strobe-gen --mix percept --events "$events" -o "$dir/T"
echo "command: build/strobe-gen --mix percept --events $events -o T; build/strobe analyze T --threads N, $runs runs"
for threads in 1 2; do
    for _ in $(seq "$runs"); do
        /usr/bin/time -f "%e %U %S %M" build/strobe analyze "$dir/T" -o "$dir/P.$threads" --threads $threads 2>&1 \
            >"$dir/said" | tail -1
    done > "$dir/$threads"
done
cmp "$dir/P.1" "$dir/P.2"
trace=$(stat -c %s "$dir/T") profile=$(stat -c %s "$dir/P.1")
awk -v n="$events" -v trace="$trace" -v profile="$profile" -v runs="$runs" '
    function median(f,   i, j, t, k, s) {
        k = split(wall[f], s, " ")
        for (i = 2; i <= k; i++)
            for (j = i; j > 1 && s[j] + 0 < s[j - 1] + 0; j--) { t = s[j]; s[j] = s[j - 1]; s[j - 1] = t }
        spread = sprintf("n=%d, %.0f %%", k, 100 * (s[k] - s[1]) / s[int((k + 1) / 2)])
        return s[int((k + 1) / 2)]
    }
    {
        wall[FILENAME] = wall[FILENAME] " " $1; cpu[FILENAME] = $2 + $3
        if ($4 > rss) rss = $4
        file[++files] = FILENAME
    }
    END {
        one = median(ARGV[1]); two = median(ARGV[2])
        goal = 11008609 / 2e6
        printf "analyse, 1 thread | %.2f M events/s | | | | | %s\n", n / one / 1e6, spread
        printf "analyse, 2 threads | %.2f M events/s | Percept2 0.2 M | %.1f | %.1f M events/s | %s | %s\n",
            n / two / 1e6, n / two / 2e5, goal, (n / two / 1e6 >= goal) ? "ok" : "MISSED", spread
        printf "2 threads against 1 | %.2f | | | 1.7 | %s | %s\n",
            one / two, (one / two >= 1.7) ? "ok" : "MISSED", spread
        printf "CPU per event | %.2f us | | | | | last run, 1 thread\n", cpu[ARGV[1]] * 1e6 / n
        printf "resident | %.0f MB | | | | | largest of %d\n", rss / 1e3, 2 * runs
        printf "profile against trace | 1/%.1f | | | 1/8 | %s | n=1\n",
            trace / profile, (profile * 8 <= trace) ? "ok" : "MISSED"
    }' "$dir/1" "$dir/2"
