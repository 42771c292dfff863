#!/bin/bash
# What explanations and predictions of a trace cost: account, critical path, one simulation, a change at the cores of
# the recording, which a slider of the page asks for first, and the whole curve with a change. PREDICT_CALLS (22,000 by
# each of 16 clients: some 2.3 million events).
set -eu
cd "$(dirname "$0")/.."
calls=${PREDICT_CALLS:-22000}
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
erlc -o "$dir" bench/predict_load.erl
build/strobe record -o "$dir/T.sbt" --buffer 256M -- \
    erl +S 1:1 -noshell -pa "$dir" -eval "predict_load:main($calls),halt()." > "$dir/said" 2>&1
build/strobe analyze "$dir/T.sbt" -o "$dir/P.sbp" > "$dir/said"
events=$(sed -n 's/^[^:]*: \([0-9,]*\) events.*/\1/p' "$dir/said" | tr -d ,)
echo "command: build/bench_predict P.sbp, $events events"
build/bench_predict "$dir/P.sbp" | awk -F'\t' -v n="$events" '
    !($1 in s) || $2 < s[$1] { s[$1] = $2 }
    END {
        both = (s["account"] + s["critical path"]) * 1e6 / n
        printf "account and critical path | %.2f us an event of CPU | | | 0.1 us | %s |\n",
            both, both <= 0.1 ? "ok" : "MISSED"
        printf "operations | %.2f us an event of CPU | | | | |\n", s["operations"] * 1e6 / n
        split("replay at 1;replay at 2;replay at 2, costs;replay at 8;replay at 8, costs;replay at 64, costs", r, ";")
        for (i = 1; i in r; i++) {
            ns = s[r[i]] * 1e9 / n
            printf "%s | %.0f ns an event of CPU | | | 25 ns | %s |\n", r[i], ns, ns <= 25 ? "ok" : "MISSED"
        }
        printf "a change at the cores of the recording, as a slider asks first | "
        printf "%.0f ms, %.0f ms of CPU | | | 200 ms | %s | shortest of 3\n",
            s["point"] * 1e3, s["point, CPU"] * 1e3, s["point"] <= 0.2 ? "ok" : "MISSED"
        printf "a curve with a change | %.0f ms, %.0f ms of CPU | | | | | shortest of 3\n",
            s["forecast"] * 1e3, s["forecast, CPU"] * 1e3
        printf "findings with gains by replay | %.2f us an event of CPU | | | | |\n", s["findings"] * 1e6 / n
    }'
