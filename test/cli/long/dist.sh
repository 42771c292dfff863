#!/bin/bash
# make dist: two clones in different folders give the same bytes, of the sources and of what is built from them.
cd "$(dirname "$0")/../../.." || exit 1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
for clone in one two/deeper; do
    git clone -q . "$dir/$clone"
    for in in web web/font; do cp -r "$(realpath $in/node_modules)" "$dir/$clone/$in/"; done
done
for clone in one two/deeper; do
    "$dir/$clone/tools/dist" > "$dir/said" 2>&1 ||
        { echo "not ok dist: in $clone: $(tail -n 3 "$dir/said" | tr '\n' ' ')"; exit; }
done
echo "ok dist: it makes the archives in a clean clone"
one=$dir/one/dist/SHA256SUMS
if diff "$one" "$dir/two/deeper/dist/SHA256SUMS" > "$dir/said" && [ "$(wc -l < "$one")" -ge 3 ]; then
    ways=$(sed -n 's/.*-linux-\(.*\)\.tar\.gz/ \1/p' "$one" | tr -d '\n')
    echo "ok dist: built twice in two folders, the same bytes:$ways"
else
    echo "not ok dist: built twice in two folders: $(tr '\n' ' ' < "$dir/said")"
fi
