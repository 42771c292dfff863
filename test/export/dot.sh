#!/bin/bash
# What Graphviz makes of the dot graphs: nodes, edges and labels must be ours.
. "$(dirname "$0")/lib.sh"
plain() { timeout 60 dot -Tplain "$1" 2>dot.txt; }
count() { plain "$1" | grep -c "^$2 "; }

synth t.sbp 2000
for what in processes messages calls; do
    strobe export t.sbp --to dot --what $what -o $what.dot
    plain $what.dot >/dev/null; equal "$what: dot draws it" "$?$(cat dot.txt)" 0
done
equal "processes: a node each" "$(count processes.dot node)" "$(known processes)"
equal "processes: all but the first have a parent" "$(count processes.dot edge)" $(($(known processes) - 1))
equal "messages: a ring" "$(count messages.dot edge)" "$(known processes)"
sent=$(($(sed -n 's/.*label="\([0-9]*\) x, .*/\1/p' messages.dot | paste -sd+)))
equal "messages: their number" "$sent" "$(known messages)"
plain processes.dot > p.txt
contains "a name with quotes, a semicolon and blanks" p.txt "'quote\\\"d <name>; & space'"
plain calls.dot > c.txt
contains "unicode" c.txt "mod:'日本語 größe'/2"
contains "angle brackets and quotes" c.txt "<T>&\\\"q\\\".run/0"
strobe export t.sbp --to dot --what messages --process '<0.83.0>' -o one.dot
equal "messages of one process" "$(count one.dot edge)" 2
synth large.sbp 3000 300 4
strobe export large.sbp --to dot -o large.dot
equal "many processes fold into groups" "$(count large.dot node)" 5
contains "which is said" err.txt "same parent and entry"
synth none.sbp 0
for what in processes messages calls; do
    strobe export none.sbp --to dot --what $what -o none.dot
    plain none.dot >/dev/null; equal "$what: an empty profile is valid" $? 0
done
