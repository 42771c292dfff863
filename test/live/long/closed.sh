#!/bin/bash
# Nodes that only their own command reaches: with TLS distribution, and in a container with a network of its own.
. "$(dirname "$0")/../lib/attach.sh"
cp "$root"/test/live/lib/{subject,evaluate}.erl .
erlc evaluate.erl
via() { # COMMAND: what the program counted bounds what the trace holds
    local first last sends
    first=$(ask count)
    "$STROBE" attach --via "$1" -o t.sbt --duration 300ms --format json > attach.json 2> attach.err ||
        { cat attach.err; return 1; }
    last=$(ask count); sends=$(events t.sbt send)
    echo "$sends sends in the trace, $((2 * (last - first))) made"
    [ "$sends" -gt 20 ] && [ "$sends" -le $((2 * (last - first) + 100)) ] && grep -q "is as before" attach.err &&
        "$STROBE" info t.sbt > info.txt && left_nothing
}
rpc="erl -noshell -setcookie cookie_of_$node -sname rpc_$node -pa $dir"

# ---- TLS
"$root/test/live/lib/certify.escript" || { echo "not ok closed: certificates are made"; exit; }
tls="-proto_dist inet_tls -ssl_dist_optfile $dir/ssl.conf"
host=$(hostname -s)
tls_rpc="cd $dir && $rpc $tls -s evaluate in $node@$host -extra"
# shellcheck disable=SC2086
start_node $tls -pa . -s subject start || { echo "not ok closed: a node with TLS starts: $(cat node.log)"; exit; }
eval "$tls_rpc '1 + 1.'" > two.txt 2>&1 # the node loads what TLS needs
settled() { # the connection of that run ends by and by
    local equal=0 now
    for _ in $(seq 200); do
        now=$(ask state)
        if [ "$now" = "$before" ]; then equal=$((equal + 1)); else equal=0; fi
        before=$now
        [ $equal = 15 ] && return
        sleep 0.2
    done
}
settled
check "TLS distribution: the node is reached by its own command" via "$tls_rpc"
check "TLS distribution: without it the error is one line" one_line "is by inet_tls: reach it by .*--via" 1 "$node"
stop_node

# ---- a container: its own root, processes and network, in which no host sees its epmd
in_container() { # COMMAND
    unshare --net --pid --fork --kill-child sh -c 'ip link set lo up && cd "$0" && exec tools/otp-chroot trixie "$@"' \
        "$root" "$@"
}
in_container true > container.log 2>&1 || { echo "ok closed: a container # SKIP $(tail -n 1 container.log)"; exit; }
rm -f pid said ask
in_container sh -c "cd $dir && erlc subject.erl evaluate.erl &&
    exec erl -noshell -sname $node -setcookie cookie_of_$node -pa . -s subject start" > node.log 2>&1 & container=$!
wait_for pid && wait_for_answer count || { echo "not ok closed: a node in a container starts: $(cat node.log)"; exit; }
inner=$(pgrep -f "^[^ ]*beam[^ ]* .*-sname $node")
folders() {
    find "/proc/$inner/root/dev/shm" "/proc/$inner/root/tmp" -maxdepth 1 -name "strobe-$(cat pid)-*" 2>/dev/null
}
before=$(state_at_rest)
container_rpc="nsenter --target $inner --mount --net --pid --root --wd $rpc -s evaluate in $node@$host -extra"
check "a container with a network of its own: the node is reached by its own command" via "$container_rpc"
check "a container with a network of its own: by its number the error is one line" \
    one_line "no node strobe_test" 1 "$inner"
kill -9 "$inner"; wait $container 2>/dev/null
exit 0 # not that of the node
