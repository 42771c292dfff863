#!/bin/sh
# A machine without OTF2's library: the exporter compiles without warnings and defines its row all the same.
cd "$(dirname "$0")/../.." || exit 1
object=$(mktemp) || exit 1
trap 'rm -f "$object"' EXIT
if out=$(${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -Isrc -c -o "$object" src/export/otf2.c 2>&1) &&
    nm "$object" | grep -q ' [DR] sb_export_otf2$'; then
    echo "ok export: a build without OTF2"
else
    echo "not ok export: a build without OTF2"
    echo "$out" | head -n 20
fi
