# Shared by the tests of nodes that know each other, to be sourced: a folder and an epmd of their own, `check`, `ask`.
# What is in `nodes` when the test ends is killed.
root=$(cd "$(dirname "$0")/../.." && pwd)
STROBE=${STROBE:-$root/build/strobe}
dir=$(mktemp -d) && cd "$dir" || exit 1
nodes=()
export ERL_EPMD_PORT=$((20000 + $$ % 10000))
epmd -port $ERL_EPMD_PORT -address 127.0.0.1 > epmd.log 2>&1 & epmd=$!
trap 'kill $epmd "${nodes[@]}" 2>/dev/null; rm -rf "$dir"' EXIT
check() { # WHAT EXPECTED FOUND
    if [ "$2" = "$3" ]; then echo "ok $(basename "$0" .sh): $1"
    else echo "not ok $(basename "$0" .sh): $1: $3, not $2: $(tail -qn 3 ./*.log | tr '\n' ' ')"; fi
}
ask() { "$STROBE" query "$1" "$2" --format tsv 2>> ask.log | tail -n +2; } # PROFILE SQL
