#!/bin/bash
# The live table of a running node in a terminal: its figures, its keys, and that nothing is left however it ends.
. "$(dirname "$0")/lib/attach.sh"
erlc "$root/test/live/lib/rates.erl" "$root/test/live/lib/Elixir.Shop.Cart.erl" || exit 1
start_node -pa . -s subject start -s rates start || { echo "not ok table: a node starts: $(cat node.log)"; exit; }
before=$(ask state)
table() {
    "$root/test/live/lib/table.py" "$STROBE" "$node" "$@"
    local code=$?
    [ "$1" = dies ] || as_before || return
    return $code
}

check "shares, rates and mailboxes are those that the program has" table figures
check "order, filter, freeze, help and groups" table keys
check "a process with its stack and its senders" table page
check "the size of the terminal changes" table sizes
check "colours, no colours, and a terminal without a cursor" table colours
check "SIGTERM ends it" table ended SIGTERM
check "strobe is killed: the node is as before" table ended SIGKILL
no_terminal() {
    "$STROBE" top "$node" > top.out 2> top.err < /dev/null
    [ $? = 2 ] && [ "$(wc -l < top.err)" = 1 ] && grep -q "add --once" top.err && ! [ -s top.out ]
}
check "without a terminal it asks for --once" no_terminal
check "the node dies: one line" table dies "$vm"
