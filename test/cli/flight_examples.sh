#!/bin/bash
# The examples of flight recorders: systemd takes the unit, and strobe has the options.
root=$(cd "$(dirname "$0")/../.." && pwd)
dir=$(mktemp -d) && cd "$dir" || exit 1
trap 'rm -rf "$dir"' EXIT

said() { # NAME COMMAND FILE: the options of a command in a file are options of strobe COMMAND
    grep -oE -- '--[a-z][a-z-]+' <(tr -d '\n\\' < "$3" | grep -oE "strobe\"?,? \"?$2[ \"].*" | sed 's/"--".*//') |
        sort -u > options
    "$root/build/strobe" "$2" --help > help
    while read -r option; do grep -q -- "^  $option " help || echo "$option"; done < options > unknown
    if [ "$(wc -l < options)" -ge 3 ] && [ ! -s unknown ]; then echo "ok flight: $1"
    else echo "not ok flight: $1: strobe $2 has no $(tr '\n' ' ' < unknown)"; fi
}
said "Containerfile" record "$root/examples/flight/Containerfile"
said "unit" attach "$root/examples/flight/strobe-flight.service"
if ! command -v systemd-analyze > /dev/null; then
    echo "ok flight: systemd takes the unit # SKIP systemd-analyze is not installed"
    exit
fi
sed "s|/usr/local/bin/strobe|$root/build/strobe|; s/^User=.*/User=root/" "$root/examples/flight/strobe-flight.service" \
    > strobe-flight.service
printf '[Service]\nExecStart=/bin/true\n' > shop.service
if SYSTEMD_UNIT_PATH=$dir: systemd-analyze verify --man=no ./strobe-flight.service > out 2>&1 && [ ! -s out ]; then
    echo "ok flight: systemd takes the unit"
else
    echo "not ok flight: systemd takes the unit: $(head -n 3 out | tr '\n' ' ')"
fi
