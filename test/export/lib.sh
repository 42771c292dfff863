# For the shell tests of exports: a folder, a profile with known answers, lines of ok and not ok.
set -u
export LC_ALL=C.UTF-8
area=$(basename "$0" .sh)
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${BUILD:-$root/build}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1

strobe() { "${STROBE:-$build/strobe}" "$@" 2>err.txt; }
synth() { "$build/synth" "$@" > known.json; }
known() { sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p" known.json; }
equal() { # NAME GOT WANTED
    if [ "$2" = "$3" ]; then echo "ok $area: $1"; else echo "not ok $area: $1: got '$2', wanted '$3'"; fi
}
contains() { # NAME FILE TEXT
    if grep -qF -- "$3" "$2"; then echo "ok $area: $1"
    else echo "not ok $area: $1: $(head -c 300 "$2" | tr '\n' '|')"; fi
}
