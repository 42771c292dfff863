#!/bin/bash
# What otf2-print says of an OTF2 export: time in regions, messages and names must be ours.
. "$(dirname "$0")/lib.sh"
synth t.sbp 2000
if ! strobe export t.sbp --to otf2 -o t.otf2; then
    contains "without the library it says what to do" err.txt "built without OTF2: install"
    exit 0
fi
otf2-print t.otf2/strobe.otf2 > events.txt 2> said.txt; equal "otf2-print reads it" "$?$(cat said.txt)" 0
# nanoseconds between enter and leave of a region, on locations from $1 up to $2
time_in() {
    awk -v from="$1" -v to="$2" -v name="$3" '
        $2 < from || $2 > to { next }
        $1 == "ENTER" { at[$2, ++depth[$2]] = $3 }
        $1 == "LEAVE" { ns = $3 - at[$2, depth[$2]--]
            if (name == "" ? !/Region: "gc"/ : index($0, "\"" name "\"")) sum += ns }
        END { print sum + 0 }' events.txt
}
equal "stays on schedulers" "$(time_in 0 1 "")" "$(known slice_ns)"
equal "collections on schedulers" "$(time_in 0 1 gc)" "$(known gc_ns)"
equal "running of processes" "$(time_in 2 99 running)" "$(known slice_ns)"
equal "waiting of processes" "$(time_in 2 99 waiting)" "$(known wait_ns)"
equal "runnable of processes" "$(time_in 2 99 runnable)" "$(known runnable_ns)"
equal "messages sent" "$(grep -c '^MPI_SEND' events.txt)" "$(known messages)"
equal "messages received" "$(grep -c '^MPI_RECV' events.txt)" "$(known messages)"
words=$(awk '/^MPI_SEND/ { sub(/.*Length: /, ""); n += $1 } END { print n / 8 }' events.txt)
equal "their words" "$words" "$(known words)"
otf2-print -G t.otf2/strobe.otf2 > definitions.txt 2>&1
for name in "'a;b':'c d'/1" '<T>&"q".run/0' "mod:'日本語 größe'/2" "<0.81.0> 'quote\"d <name>; & space'" "shop@höst"; do
    contains "$name" definitions.txt "$name"
done
strobe export t.sbp --to otf2 -o part.otf2 --since 200us --until 400us --process '<0.83.0>'
outside=$(otf2-print part.otf2/strobe.otf2 |
    awk '($1 == "ENTER" || $1 == "LEAVE") && ($3 < 200000 || $3 > 400000)' | wc -l)
equal "nothing is outside of a window" "$outside" 0
synth large.sbp 400000 50 4
strobe export large.sbp --to otf2 -o large.otf2
otf2-print large.otf2/strobe.otf2 > events.txt 2>&1
equal "many windows make one whole" "$(time_in 0 3 "")" "$(known slice_ns)"
synth none.sbp 0
strobe export none.sbp --to otf2 -o none.otf2
otf2-print none.otf2/strobe.otf2 >/dev/null 2>&1; equal "an empty profile is valid" $? 0
strobe export t.sbp --to otf2 -o t.otf2; equal "a folder that is there is not written over" $? 1
