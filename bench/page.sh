#!/bin/bash
# What the page takes, in the distribution's Chromium without a GPU: first picture, a zoom, frames while panning, bytes
# of the first load, memory of the server, ten clients at once. A profile of 64 schedulers and 20,000 processes.
# PAGE_EVENTS (8,000,000), PAGE_RUNS (5), or PAGE_PROFILE, a profile of your own.
set -eu
cd "$(dirname "$0")/.."
events=${PAGE_EVENTS:-8000000}
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
[ -d web/node_modules/playwright-core ] || { echo "bench/page.sh: needs playwright-core: tools/deps"; exit 1; }
profile=${PAGE_PROFILE:-$dir/T.sbp}
if [ -z "${PAGE_PROFILE:-}" ]; then
    build/strobe-gen --mix percept --events "$events" --processes 20000 --schedulers 64 -o "$dir/T"
    build/strobe analyze "$dir/T" -o "$dir/T.sbp"
    rm -f "$dir/T"
fi
echo "command: node bench/page/measure.mjs P.sbp, ${PAGE_RUNS:-5} runs"
exec node bench/page/measure.mjs "$profile" "${PAGE_RUNS:-5}"
