#!/bin/bash
# Spans a second of one core, and peak memory of every export, on a synthetic profile: SLICES (5,000,000) stays on
# schedulers and what goes with them. Text formats should reach 1 M/s, binary ones 5 M/s, whatever the size of the
# profile.
set -u
cd "$(dirname "$0")/.." || exit 1
slices=${SLICES:-5000000}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
build/synth "$dir/p.sbp" "$slices" 1000 8 > "$dir/known.json"
spans=$((slices + slices / 5)) # stays and collections

row() { # FORMAT GOAL ARGS...
    local format=$1 goal=$2 user system memory best=999999
    shift 2
    for _ in 1 2 3; do
        /usr/bin/time -f "%U %S %M" -o "$dir/time" build/strobe export "$dir/p.sbp" --to "$format" "$@" >/dev/null \
            2>"$dir/err" ||
            { cat "$dir/err"; return; }
        read -r user system memory < "$dir/time"
        best=$(awk -v a="$best" -v b="$user" -v c="$system" 'BEGIN { b += c; print (a < b ? a : b) }')
    done
    awk -v f="$format $*" -v n="$spans" -v s="$best" -v g="$goal" -v m="$memory" 'BEGIN {
        r = n / (s > 0.005 ? s : 0.005) / 1e6
        printf "%-34s | %6.1f M spans/s | - | - | %s M/s | %s | best of 3, %d MB peak\n",
            f, r, g, (r >= g ? "ok" : "MISSED"), m / 1024 }'
}
row perfetto 5 -o -
row pprof 5 --what slices -o -
row parquet 5 --table slice -o -
row chrome 1 -o -
row collapsed 1 --what slices -o -
row csv 1 --table slice -o -
row callgrind 1 --until 1h -o -
row speedscope 1 --what slices -o -
row firefox 1 --what slices -o -
row svg 1 --what schedulers -o -
