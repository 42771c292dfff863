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
record_pair() { # MODULE: its serve/0 on node a, into a.sbt, and ask/1 with the name of that node on b, into b.sbt
    "$STROBE" record -o a.sbt -- erl -noshell -name "$1_a$$@127.0.0.1" -setcookie "$1$$" -run "$1" serve > a.log 2>&1 &
    local server=$!
    "$STROBE" record -o b.sbt -- erl -noshell -name "$1_b$$@127.0.0.1" -setcookie "$1$$" \
        -run "$1" ask "$1_a$$@127.0.0.1" > b.log 2>&1 ||
        { echo "not ok $(basename "$0" .sh): the program: $(tail -n 3 b.log)"; exit 1; }
    wait $server
}
