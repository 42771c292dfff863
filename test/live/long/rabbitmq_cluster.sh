#!/bin/bash
# A cluster of three RabbitMQs under load, recorded by one command: every node, nothing lost, and the messages between
# nodes have the names of the queues, which are replicated to all of them.
# RABBITMQ is the folder of its programs; without it, `tools/deps long` installs one into build/deps.
root=$(cd "$(dirname "$0")/../../.." && pwd)
STROBE=${STROBE:-$root/build/strobe}
server=$(find "${RABBITMQ:-$root/build/deps/rabbitmq-server}" -path '*/lib/rabbitmq_server-*/sbin/rabbitmq-server' \
    2>/dev/null)
[ -n "$server" ] || { echo "ok cluster: RabbitMQ # SKIP tools/deps long gets it"; exit; }
dir=$(mktemp -d) && cd "$dir" || exit 1
export ERL_EPMD_PORT=41380 HOME=$dir
end() { # the VMs, by their pids, and the epmd that they started
    # shellcheck disable=SC2046
    { kill -9 $(cat [123].pid) $load; sleep 1; epmd -kill; } > end.log 2>&1; rm -rf "$dir"; }
load=
trap end EXIT
check() { if [ "$2" = "$3" ]; then echo "ok cluster: $1"
else echo "not ok cluster: $1: $3, not $2: $(tail -qn 4 attach.log load.log | tr '\n' ' ')"; fi; }
ask() { "$STROBE" query "$1" "$2" --format tsv 2>> ask.log | tail -n +2; }
of() { # NODE COMMAND...
    RABBITMQ_NODENAME=strobe_$1@localhost RABBITMQ_NODE_PORT=4169$1 RABBITMQ_DIST_PORT=4179$1 \
        RABBITMQ_MNESIA_BASE=$dir/mnesia$1 RABBITMQ_LOG_BASE=$dir/log$1 RABBITMQ_PID_FILE=$dir/$1.pid \
        RABBITMQ_ENABLED_PLUGINS_FILE=$dir/plugins RABBITMQ_CONFIG_FILE=$dir/none \
        RABBITMQ_ADVANCED_CONFIG_FILE=$dir/advanced RABBITMQ_CONF_ENV_FILE=$dir/env \
        RABBITMQ_SCHEMA_DIR=$dir/schema$1 RABBITMQ_GENERATED_CONFIG_DIR=$dir/config$1 RABBITMQ_LOGS=- "${@:2}"
}
for n in 1 2 3; do of $n "$server" > $n.log 2>&1 & done
for n in 1 2 3; do for _ in $(seq 1500); do grep -q "startup complete" $n.log && break; sleep 0.2; done; done
for n in 2 3; do
    for c in stop_app "join_cluster strobe_1@localhost" start_app; do
        # shellcheck disable=SC2086
        of $n "$(dirname "$server")/rabbitmqctl" -n strobe_$n@localhost $c >> join.log 2>&1 || { cat join.log; exit 1; }
    done
done
ERL_LIBS=$(dirname "$server")/../plugins "$root/test/live/lib/amqp.escript" 41691 orders mails > load.log 2>&1 & load=$!
for _ in $(seq 1500); do [ -e busy ] && break; sleep 0.2; done
"$STROBE" attach strobe_1@localhost --all --force --duration 3s -o x.sbt --report never > attach.log 2>&1
check "one command records all" 0 $?
touch enough; wait $load
check "under load" 1 "$([ "$(tail -n 1 load.log)" -gt 100 ] && echo 1)"
check "every node" "strobe_1@localhost strobe_2@localhost strobe_3@localhost" \
    "$(echo $(ask x.sbp "SELECT name FROM node WHERE trace_start IS NOT NULL AND clock_error_ns = 0 ORDER BY name"))"
check "nothing is lost" "3 0" "$(grep -c "lost *nothing" attach.log) $(ask x.sbp "SELECT count(*) FROM loss")"
check "each node is as it was" 3 "$(grep -c "is as before: no module" attach.log)"
check "a queue's messages go between its replicas, both ways, by its name" "mails 1 2 mails 1 3 mails 2 1 mails 3 1 \
orders 1 2 orders 1 3 orders 2 1 orders 3 1" "$(echo $(ask x.sbp "SELECT substr(trim(s.name, ''''), 5),
    substr(m.name, 8, 1), substr(n.name, 8, 1) FROM message_edge e JOIN process s ON s.id = e.sender
    JOIN process r ON r.id = e.receiver JOIN node m ON m.id = s.node JOIN node n ON n.id = r.node
    WHERE s.node <> r.node AND s.name = r.name AND s.name LIKE '''\\%2F\\_%' ESCAPE '\\' AND e.count > 20
    AND e.matched >= 0.9 * e.count AND e.latency_ns > 0 ORDER BY 1, 2, 3"))"
