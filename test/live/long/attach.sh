#!/bin/bash
# As test/live/attach.sh, for longer, on three releases of OTP: attach.sh [ATTACHES] [KILLS] [SUITE]...
#
# Attaches one after another, of which none may fail, to a node of 20,000 processes: what they leave in it; and strobe
# killed at random moments of all that attaches. The figures stand after each test.
. "$(dirname "$0")/../lib/attach.sh"
attaches=${1:-1000} kills=${2:-200} suites=${*:3}
cp "$root/test/live/lib/subject.erl" .
figures() { check "$@"; sed 's/^/    /' out.log | tail -n 5; }
# Heaps first, since sizes are those after a collection; a heap shrinks in two.
sizes() { ask heaps && ask sizes > /dev/null && ask sizes | grep -o '[0-9]*'; }
in_a_row() { # COUNT; the first recording has made the atoms
    local failed=0 was now i
    attach --duration 100ms || { cat attach.err; return 1; }
    ask sizes > /dev/null
    was=$(sizes | tr '\n' ' ')
    for i in $(seq "$1"); do
        attach --duration 100ms && grep -q '"left":\[\]' attach.json && continue
        failed=$((failed + 1))
        echo "attach $i: $(cat attach.err attach.json)"
    done
    as_before || return 1
    sleep 1 # the node collects the heaps of what purged our modules
    now=$(sizes | tr '\n' ' ')
    echo "$failed of $1 failed; heaps, atoms, memory: $was, then $now"
    set -- $was $now
    [ $failed = 0 ] && [ $(($4 - $1)) -le 1048576 ] && [ $(($5 - $2)) -le 20 ] && [ $(($6 - $3)) -le 1048576 ]
}
for suite in ${suites:-here trixie forky}; do
    start_in $suite "erlc subject.erl &&
        exec erl -noshell -sname $node -setcookie cookie_of_$node -pa . -s subject start"
    case $? in
    0) ;;
    77) echo "ok attach: a node of $suite # SKIP $(tail -n 1 node.log)"; continue ;;
    *) echo "not ok attach: a node of $suite starts: $(tail -n 2 node.log | tr '\n' ' ')"; continue ;;
    esac
    before=$(state_at_rest)
    for way in attach flight top live; do figures "$suite: $way is killed $kills times" killed $way "$kills"; done
    ask crowd > /dev/null
    before=$(state_at_rest)
    figures "$suite: $attaches attaches in a row" in_a_row "$attaches"
    end_in
done
