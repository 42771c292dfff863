#!/bin/bash
# The commands that strobe proposes work as they are typed, wherever the program is.
root=$(cd "$(dirname "$0")/../.." && pwd)
STROBE=$(realpath "${STROBE:-$root/build/strobe}")
export COLUMNS=200
dir=$(mktemp -d) && cd "$dir" || exit 1
trap 'rm -rf "$dir"' EXIT
same() { if [ "$2" = "$3" ]; then echo "ok next: $1"; else echo "not ok next: $1: wanted '$2', got '$3'"; fi; }
record() { "$1" record -o "a b.sbt" -- erl -noshell -eval 'halt().' 2>&1 | sed -n 's/^  next *//p'; }

mkdir bin "of my own"
ln -s "$STROBE" bin/strobe
printf '#!/bin/sh\nexit 1\n' > "of my own/strobe"
chmod +x "of my own/strobe"
same "in \$PATH" "strobe report 'a b.sbt'" "$(PATH=$dir/bin:$PATH record "$STROBE")"
same "not in \$PATH" "$STROBE report 'a b.sbt'" "$(record "$STROBE")"
same "behind another program of that name" "$STROBE report 'a b.sbt'" \
    "$(PATH="$dir/of my own:$dir/bin:$PATH" record "$STROBE")"
cp "$root/test/golden/report/shop.txt" "$dir/T.txt"
cd "$(dirname "$STROBE")/.." || exit 1
here=$(basename "$(dirname "$STROBE")")/strobe
same "below this folder" "$here report $dir/T.sbp findings" \
    "$("$here" report "$dir/T.txt" | grep -o "[^ ]* report .* findings$")"
