#!/bin/bash
# The page of a running node: serve --live records it, follows the recording, and leaves the node as it was.
. "$(dirname "$0")/lib/attach.sh"
. "$root/test/live/lib/serve.sh"
start_node -s subject start || { echo "not ok serve: a node starts: $(cat node.log)"; exit; }
before=$(state_at_rest)
private() { find /tmp "${TMPDIR:-/tmp}" -maxdepth 1 -name "strobe-$pid-*"; }
stops() {
    serve_live --live "$vm" --duration 300s && until_recording state recording && until_known && stop_serve &&
        grep -q "is as before" serve.err && as_before && [ -z "$(private)" ]
}
check "a recording is followed, and Ctrl-C ends it and leaves nothing" stops
one_priority() { # beside a busy machine a thread of the lowest priority would get next to nothing
    serve_live --live "$vm" --duration 300s && until_known &&
        [ "$(cut -d ' ' -f 19 /proc/$pid/task/*/stat | sort -u)" = "$(cut -d ' ' -f 19 /proc/$$/stat)" ] &&
        stop_serve && as_before
}
check "all threads of the server have the priority that it was started with" one_priority
killed() { # at any moment: while it attaches, or later
    for moment in early late; do
        serve_live --live "$vm" --duration 300s || return
        [ $moment = early ] || { until_recording state recording && until_known; } || return
        kill -9 $pid; wait $pid 2>/dev/null
        for _ in $(seq 1500); do [ -z "$(private)" ] && break; sleep 0.02; done
        grep -q "is as before" serve.err && as_before && [ -z "$(private)" ] || { cat serve.err; private; return 1; }
    done
}
check "a server that is killed ends its recording and leaves nothing" killed
limit() {
    serve_live --live "$node" --duration 3s -o kept.sbt --trace procs,running && until_recording state ended &&
        recording said | grep -q "its time limit was reached" && grep -q "is as before" serve.err && as_before &&
        grep -q "the page shows all of it" serve.err && stop_serve && "$STROBE" info kept.sbt > info.txt
}
check "a limit ends the recording, the page stays, and the trace where it is kept" limit
dies() {
    serve_live --live "$node" --duration 300s && until_recording state recording && stop_node &&
        until_recording state ended && recording said > said.txt && grep -q "the node is gone" said.txt &&
        ! stop_serve &&
        grep -q "ended while it was recorded" serve.err && [ -z "$(private)" ] || { cat said.txt; private; return 1; }
}
check "a node that dies ends the recording" dies
refused() {
    ! "$STROBE" serve --live "nobody_$$" --no-open > url 2> serve.err && ! [ -s url ] &&
        [ "$(wc -l < serve.err)" = 1 ] &&
        ! "$STROBE" serve --live "$node" x.sbp 2> serve.err && grep -q "takes no profile" serve.err &&
        ! "$STROBE" serve --duration 1s x.sbp 2> serve.err && grep -q "need --live" serve.err
}
check "no such node is one line, before any page" refused

# ---- a node whose trace comes in pieces, by a command
if ! box true 2>/dev/null; then
    echo "ok serve: the page follows a trace that is fetched # SKIP no container can be made here"; exit
fi
erlc "$root/test/live/lib/evaluator.erl" || exit 1
start_boxed_node -pa . -s subject start -s evaluator start ||
    { echo "not ok serve: a node in a container starts: $(cat node.log)"; exit; }
before=$(state_at_rest)
edition_is() { [ "$(recording edition)" -ge "$1" ] && [ "$(recording state)" = recording ]; }
fetched() {
    echo print > how
    serve_live --via "$root/test/live/lib/rpc" --duration 300s -o fetched.sbt || return
    for _ in $(seq 600); do edition_is 2 && break; sleep 0.1; done
    edition_is 2 || { recording state; recording edition; cat serve.err; return 1; }
    stop_serve && grep -q "is as before" serve.err && as_before && "$STROBE" info fetched.sbt > info.txt
}
check "the page follows a trace that is fetched" fetched
stop_boxed_node
