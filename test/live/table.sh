#!/bin/bash
# The live table of a running node in a terminal: its figures, its keys, and that nothing is left however it ends.
. "$(dirname "$0")/lib/attach.sh"
erlc "$root/test/live/lib/rates.erl" "$root/test/live/lib/Elixir.Shop.Cart.erl" || exit 1
start_node -pa . -s subject start -s rates start || { echo "not ok table: a node starts: $(cat node.log)"; exit; }
before=$(state_at_rest)
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

# ---- a node whose rings cannot be read from here: windows come in pieces
if ! box true 2>/dev/null; then
    echo "ok table: a node in a container # SKIP no container can be made here"; exit
fi
erlc "$root/test/live/lib/evaluator.erl" || exit 1
start_boxed_node -pa . -s subject start -s rates start -s evaluator start ||
    { echo "not ok table: a node in a container starts: $(cat node.log)"; exit; }
before=$(state_at_rest)
echo print > how
export RELEASE_COOKIE=cookie_of_$node
check "a node in a container: shares, rates and mailboxes" table figures
check "a node in a container: strobe is killed, and the node is as before" table ended SIGKILL
export VIA=$root/test/live/lib/rpc
check "a node in a container, by a command: shares, rates and mailboxes" table figures
check "a node in a container, by a command: a process with its stack and its senders" table page
stop_boxed_node
