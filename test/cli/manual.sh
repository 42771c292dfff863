#!/bin/bash
# strobe(1), the help and the greeting come from the same tables; the variables that strobe reads are in the manual.
root=$(cd "$(dirname "$0")/../.." && pwd)
STROBE=${STROBE:-$root/build/strobe}
dir=$(mktemp -d) && cd "$dir" || exit 1
trap 'rm -rf "$dir"' EXIT
check() { # NAME, then a command that must succeed
    local name=$1; shift
    if "$@" >out.log 2>&1; then echo "ok manual: $name"
    else echo "not ok manual: $name: $(tail -n 3 out.log | tr '\n' ' ')"; fi
}
"$STROBE" help --format man > strobe.1
sections() {
    for s in NAME SYNOPSIS DESCRIPTION COMMANDS EXAMPLES FILES ENVIRONMENT "EXIT STATUS"; do
        grep -qx ".SH $s" strobe.1 || { echo "no $s"; return 1; }
    done
}
variables() { # of all sources
    local all name; mapfile -t all < <(grep -rho 'getenv("[A-Z_]*")' "$root/src" | cut -d'"' -f 2 | sort -u)
    [ ${#all[@]} -gt 10 ] || return 1
    for name in "${all[@]}"; do
        sed -n '/^.SH ENVIRONMENT/,$p' strobe.1 | grep -q "^\.B .*\b$name\b" || {
            echo "$name is not in the manual"; return 1; }
    done
}
grouped() { # every command once, what records comes first
    "$STROBE" help > help
    [ "$(grep -c '^  [a-z]' help)" = "$(grep -c '^\.BR strobe\\-.* (1)' strobe.1)" ] &&
        [ "$(grep '^  [a-z]' help | head -n 1 | cut -d' ' -f 3)" = record ] && [ "$(grep -c '^[A-Z].*:$' help)" = 4 ]
}
short() { # --json is --format json, for every command that has it
    local c
    for c in $("$STROBE" help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
        "$STROBE" help "$c" > text
        [ "$(grep -c '^  --format .*json\|^  --format FORMAT' text)" = "$(grep -c '^  --json ' text)" ] ||
            { echo "$c"; return 1; }
    done
    "$STROBE" report none.sbp --json 2>err; grep -q "none.sbp" err || { cat err; return 1; }
    "$STROBE" report none.sbp --json=x 2>err; [ $? = 2 ]
}
check "sections" sections
check "the variables that strobe reads" variables
check "the help has each command once, in groups" grouped
check "--json wherever --format takes json" short
