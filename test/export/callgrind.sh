#!/bin/bash
# What callgrind_annotate says of a callgrind export: totals, names and inclusive costs must be ours.
. "$(dirname "$0")/lib.sh"
annotate() { callgrind_annotate --auto=no --threshold=100 --show-percs=no "$@" 2>&1; }
totals() { annotate "$1" | sed -n 's/ *PROGRAM TOTALS//p' | tr -d ','; }

synth t.sbp 1000
for what in merged processes; do
    strobe export t.sbp --to callgrind --what $what --time wall -o $what.callgrind
    set -- $(totals $what.callgrind)
    equal "$what: ns" "$1" "$(known own_ns)"
    equal "$what: calls" "$2" "$(known calls)"
    equal "$what: gc" "$3" "$(known call_gc_ns)"
done
annotate merged.callgrind > own.txt
for name in "'a;b':'c d'/1" '<T>&"q".run/0' "mod:'日本語 größe'/2" "xyyyy" "garbage_collect"; do
    contains "$name" own.txt "$name"
done
strobe export t.sbp --to callgrind -o cpu.callgrind
waited=$(strobe query t.sbp --format csv "SELECT sum(own_ns) FROM call_node WHERE mfa = 'suspend'" |
    tail -1 | tr -d "\r")
set -- $(totals cpu.callgrind)
equal "time on schedulers" "$1" $(($(known own_ns) - waited))
annotate --inclusive=yes cpu.callgrind > all.txt
all=$(sed -n 's/^ *\([0-9,]*\) .*beam:all processes.*/\1/p' all.txt | head -1 | tr -d ',')
equal "time on schedulers below the root" "$all" $(($(known own_ns) - waited))
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

# even and odd call each other, and odd calls work: inclusive costs are the times on the stack.
cat > recursion.txt <<'T'
@meta node=a@host schedulers=1
0us  <0.80.0> s1 in        mfa=m:main/0
0us  <0.80.0> s1 call      mfa=m:main/0
1us  <0.80.0> s1 call      mfa=m:even/1
3us  <0.80.0> s1 call      mfa=m:odd/1
7us  <0.80.0> s1 call      mfa=m:even/1
15us <0.80.0> s1 call      mfa=m:odd/1
31us <0.80.0> s1 call      mfa=m:work/0
63us <0.80.0> s1 return_to mfa=m:odd/1
64us <0.80.0> s1 return_to mfa=m:even/1
66us <0.80.0> s1 return_to mfa=m:odd/1
70us <0.80.0> s1 return_to mfa=m:even/1
78us <0.80.0> s1 return_to mfa=m:main/0
80us <0.80.0> s1 call      mfa=m:odd/1
83us <0.80.0> s1 return_to mfa=m:main/0
90us <0.80.0> s1 exit      reason=normal
T
for what in merged processes; do
    strobe export recursion.txt --to callgrind --what $what -o recursion.callgrind
    annotate --inclusive=yes recursion.callgrind | sed -n 's/^ *\([0-9,]*\) .* m:\(m:[a-z]*\/[0-9]\).*/\2 \1/p' |
        tr -d , | sort > got.txt
    printf '%s\n' 'm:even/1 77000' 'm:main/0 90000' 'm:odd/1 70000' 'm:work/0 32000' > wanted.txt
    equal "$what: inclusive costs in a recursion" "$(cat got.txt)" "$(cat wanted.txt)"
done
