#!/bin/bash
# A billion events as strobe records them: analysing them, and opening what comes out. Takes some 15 GB of disk.
# NATIVE_EVENTS (1,000,000,000), NATIVE_DIR (a directory with room; TMPDIR).
set -eu
cd "$(dirname "$0")/../.."
events=${NATIVE_EVENTS:-1000000000}
dir=$(mktemp -d -p "${NATIVE_DIR:-${TMPDIR:-/tmp}}"); trap 'rm -rf "$dir"' EXIT
build/strobe-gen --format sbt --events "$events" -o "$dir/T.sbt"
echo "command: build/strobe-gen --format sbt --events $events -o T.sbt; build/strobe analyze T.sbt;" \
    "build/strobe report, query"
measure() { /usr/bin/time -o "$dir/time" -f "%e %U %S %M" "$@" > /dev/null 2>&1; cat "$dir/time"; }
span="(SELECT max(value + 0) FROM meta WHERE key = 'span_ns')"
{
    echo "analyse $(measure build/strobe analyze "$dir/T.sbt" -o "$dir/P.sbp")"
    echo "summary $(measure build/strobe report "$dir/P.sbp" summary)"
    echo "processes $(measure build/strobe report "$dir/P.sbp" processes --limit 20)"
    echo "timeline $(measure build/strobe query "$dir/P.sbp" "SELECT * FROM timeline('all', 0, $span, 1000)")"
    echo "slice_by $(measure build/strobe query "$dir/P.sbp" "SELECT count(*) FROM slice_by('process', 0, $span)")"
} > "$dir/times"
slices=$(build/strobe query "$dir/P.sbp" "SELECT count(*) FROM slice" --format csv | tail -1)
trace=$(stat -c %s "$dir/T.sbt") profile=$(stat -c %s "$dir/P.sbp")
awk -v n="$events" -v slices="$slices" -v trace="$trace" -v profile="$profile" '
    function line(what, value, goal, ok) {
        printf "%s | %s | | | %s | %s | n=1\n", what, value, goal, goal == "" ? "" : ok ? "ok" : "MISSED"
    }
    { wall[$1] = $2; cpu[$1] = $3 + $4; rss[$1] = $5 }
    END {
        goal = 75 * n / 1e9
        line("native, analyse", sprintf("%.0f s, %.2f M events/s", wall["analyse"], n / wall["analyse"] / 1e6),
            sprintf("%.0f s", goal), wall["analyse"] <= goal)
        line("native, CPU per event", sprintf("%.0f ns", cpu["analyse"] * 1e9 / n), "")
        line("native, resident", sprintf("%.0f MB", rss["analyse"] / 1e3), "2,147 MB", rss["analyse"] * 1024 <= 2 ^ 31)
        line("native, profile against trace", sprintf("%.2f", profile / trace), "2", profile <= 2 * trace)
        split("summary processes timeline", opens, " ")
        for (i = 1; i <= 3; i++)
            line("native, " opens[i], sprintf("%.0f ms, %.0f MB", wall[opens[i]] * 1e3, rss[opens[i]] / 1e3),
                "200 ms, a tenth of the profile",
                 wall[opens[i]] <= 0.2 && rss[opens[i]] * 10240 <= profile)
        line("native, slice_by", sprintf("%.0f M rows/s", slices / wall["slice_by"] / 1e6), "100 M rows/s",
            slices / wall["slice_by"] >= 1e8)
    }' "$dir/times"
