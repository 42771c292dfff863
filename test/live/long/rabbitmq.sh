#!/bin/bash
# Attaching to RabbitMQ: a release of somebody else, with an epmd and a cookie of its own.
# RABBITMQ is the folder of its programs; without it, `tools/deps long` installs one into build/deps.
. "$(dirname "$0")/../lib/attach.sh"
folder=${RABBITMQ:-$root/build/deps/rabbitmq-server}
server=$(find "$folder" -path '*/lib/rabbitmq_server-*/sbin/rabbitmq-server' 2>/dev/null)
[ -n "$server" ] || { echo "ok attach: RabbitMQ # SKIP tools/deps long gets it"; exit; }
export ERL_EPMD_PORT=41379
mkdir home
rabbit() { # starts it; it takes half a minute on a busy machine
    HOME=$dir/home RABBITMQ_NODENAME=strobe_attach_test@localhost RABBITMQ_NODE_PORT=41682 RABBITMQ_DIST_PORT=41683 \
        RABBITMQ_MNESIA_BASE=$dir/mnesia RABBITMQ_LOG_BASE=$dir/log RABBITMQ_PID_FILE=$dir/rabbit.pid \
        RABBITMQ_ENABLED_PLUGINS_FILE=$dir/plugins RABBITMQ_CONFIG_FILE=$dir/none \
        RABBITMQ_ADVANCED_CONFIG_FILE=$dir/advanced RABBITMQ_CONF_ENV_FILE=$dir/env RABBITMQ_SCHEMA_DIR=$dir/schema \
        RABBITMQ_GENERATED_CONFIG_DIR=$dir/config RABBITMQ_LOGS=- "$server" > rabbit.log 2>&1 &
    for _ in $(seq 600); do grep -q "Server startup complete" rabbit.log && break; sleep 0.2; done
    vm=$(cat rabbit.pid)
}
recorded() { # by its number alone: name, cookie and epmd are its own
    "$STROBE" attach "$vm" -o t.sbt --duration 2s --format json > attach.json 2> attach.err ||
        { cat attach.err; return 1; }
    grep -q "strobe_attach_test@localhost is as before" attach.err && [ "$(events t.sbt events)" -gt 100 ] &&
        grep -q '"left":\[\]' attach.json && [ -z "$(folders)" ] && ! grep strobe "/proc/$vm/maps" &&
        "$STROBE" report t.sbt processes --limit 0 | grep -q rabbit
}
rabbit
check "RabbitMQ is recorded, and left as it was" recorded

# ---- under load
load() { # $load; returns when it is connected
    ERL_LIBS=$(dirname "$server")/../plugins "$root/test/live/lib/amqp.escript" 41682 > load.log 2>&1 & load=$!
    for _ in $(seq 600); do grep -q "accepting AMQP connection" rabbit.log && return; sleep 0.1; done
    cat load.log; return 1
}
ended() { # the load: no message was lost
    touch enough; wait $load && [ "$(tail -n 1 load.log)" -gt 100 ] || { cat load.log; return 1; }
}
# A message passes a reader, a channel and a queue of the broker, so there are more sends than rounds.
under_load() {
    load || return 1
    "$STROBE" attach "$vm" -o t.sbt --duration 3s --format json > attach.json 2> attach.err ||
        { cat attach.err; return 1; }
    "$STROBE" report t.sbt processes --limit 0 > processes.txt
    grep -q '"left":\[\]' attach.json && grep -q rabbit_channel processes.txt && grep -q rabbit_reader processes.txt &&
        [ "$(events t.sbt send)" -gt 300 ] && "$STROBE" info --format json t.sbt | grep -q '"loss": *{}' &&
        live_table && flight && ended
}
live_table() {
    "$STROBE" top "$vm" --once --format json --limit 50 > top.json 2> top.err && ! [ -s top.err ] &&
        grep -q 'rabbit_' top.json || { cat top.err; return 1; }
}
flight() {
    "$STROBE" attach "$vm" -o f.sbt --flight 2s 2> flight.err & local attach=$! code
    for _ in $(seq 300); do
        grep -q "keeping the last" flight.err && "$STROBE" snapshot "$vm" > path 2> snapshot.err &&
            [ "$(events "$(cat path)" send)" -gt 300 ] && break
        sleep 0.1
    done
    [ -s path ] && [ "$(events "$(cat path)" send)" -gt 300 ]
    code=$?
    kill -INT $attach && wait $attach && [ $code = 0 ] && grep -q "is as before" flight.err ||
        { cat flight.err snapshot.err; return 1; }
}
check "RabbitMQ under load: attach, top, and a flight recorder; no message is lost" under_load
nothing() { [ -z "$(folders)" ] && ! grep strobe "/proc/$vm/maps"; }
check "and nothing is left" nothing
kill "$vm"; wait; vm=
epmd -kill > /dev/null 2>&1
exit 0
