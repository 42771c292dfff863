#!/bin/bash
# What callgrind_annotate says of a callgrind export: totals, names and inclusive costs must be ours.
. "$(dirname "$0")/lib.sh"
annotate() { callgrind_annotate --auto=no --threshold=100 --show-percs=no "$@" 2>&1; }
totals() { annotate "$1" | sed -n 's/ *PROGRAM TOTALS//p' | tr -d ','; }

synth t.sbp 1000
for what in merged processes; do
    strobe export t.sbp --to callgrind --what $what -o $what.callgrind
    set -- $(totals $what.callgrind)
    equal "$what: ns" "$1" "$(known own_ns)"
    equal "$what: calls" "$2" "$(known calls)"
    equal "$what: gc" "$3" "$(known call_gc_ns)"
done
annotate merged.callgrind > own.txt
for name in "'a;b':'c d'/1" "'Elixir.<T>&\"q\"':run/0" "mod:'日本語 größe'/2" "xyyyy" "garbage_collect"; do
    contains "$name" own.txt "$name"
done
annotate --inclusive=yes merged.callgrind > all.txt
all=$(sed -n 's/^ *\([0-9,]*\) .*beam:all processes.*/\1/p' all.txt | head -1 | tr -d ',')
equal "inclusive cost of the root" "$all" "$(known own_ns)"
annotate processes.callgrind > own.txt
contains "a process is an object" own.txt '[<0.87.0> '
equal "a name is written once" "$(grep -c '^c*fn=([0-9]*) suspend$' merged.callgrind)" 1
synth none.sbp 0
strobe export none.sbp --to callgrind >/dev/null
annotate none.callgrind > own.txt; equal "an empty profile is valid" $? 0
contains "an empty profile has totals" own.txt "PROGRAM TOTALS"
