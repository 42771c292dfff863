#!/bin/bash
# The tracer without a VM (bench/tracer.c): what an event costs in instructions, which memory threads share, and what
# is learned of pids. All three are the same on each run.
root=$(cd "$(dirname "$0")/../.." && pwd)
command -v valgrind > /dev/null || { echo "ok tracer # SKIP no valgrind"; exit; }
dir=$(mktemp -d) && cd "$dir" || exit 1
trap 'rm -rf "$dir"' EXIT

# What gcc 12 makes of it, and a fifth more for other compilers. A lower count deserves a lower ceiling.
declare -A ceiling=([call]=280 [return_to]=290 [in]=304 [out]=312 [send]=430 [receive]=353)
"$root/bench/tracer.sh" "$dir" > counted || echo "not ok tracer: it was not counted"
while read -r kind instructions; do
    if [ "$instructions" -le "${ceiling[$kind]}" ]; then echo "ok tracer: instructions of $kind"
    else echo "not ok tracer: $kind takes $instructions instructions, more than ${ceiling[$kind]}"; fi
done < counted

valgrind --tool=lackey --trace-mem=yes --log-file=accesses ./tracer threads 60 > markers &&
    python3 "$root/test/capture/lib/lines.py" markers accesses || echo "not ok tracer: the accesses were not seen"

if said=$(./tracer layouts); then echo "ok tracer: numbers of pids, rotated or not"
else echo "not ok tracer: numbers of pids: $said"; fi
