#!/bin/bash
# A machine without OTF2: without its headers the exporter compiles without warnings and defines its row all the same;
# without its library the program starts, and says what to install when an archive is asked for.
. "$(dirname "$0")/lib.sh"
out=$(${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -I"$root/src" -I"$root/build" -c -o otf2.o \
    "$root/src/export/otf2.c" 2>&1)
nm otf2.o >symbols.txt 2>&1
equal "a build without OTF2's headers" "$out$(grep -c ' [DR] sb_export_otf2$' symbols.txt)" 1
for name in libopen-trace-format2 libotf2; do
    : > $name.so.10 # found first, and no library
done
synth t.sbp 10
LD_LIBRARY_PATH=$dir strobe export t.sbp --to otf2 -o t.otf2
equal "without its library, an export fails" "$?$(ls t.otf2 2>/dev/null)" 1
cp err.txt said.txt
strobe version | grep -q '^otf2 *no' ||
    contains "and says what to do" said.txt "is not installed: install libopen-trace-format2-10"
