#!/bin/bash
# The page of three running nodes: serve --live records each by a process of its own, lists and follows them, and leaves
# all as they were; a node that refuses or ends is named and the others go on.
. "$(dirname "$0")/lib/attach.sh"
. "$root/test/live/lib/serve.sh"
. "$root/test/live/lib/nodes.sh"
begin_nodes
end_serve() { [ -z "${pid:-}" ] || kill -9 "$pid"; end_all; } 2>/dev/null
trap end_serve EXIT
private() { find /tmp "${TMPDIR:-/tmp}" -maxdepth 1 -name "strobe-$pid-*"; }
gone() { # all that a server left, in three nodes and on disk
    for _ in $(seq 1500); do [ -z "$(private)" ] && break; sleep 0.02; done
    [ -z "$(private)" ] && all_as_before "$@" || { cat serve.err; private; return 1; }
}
listed() { # what the page lists
    local url
    url=$(cat url)
    curl -s -H "X-Strobe-Token: ${url##*token=}" "${url%%\?*}api/info?format=json" > info.json
    python3 -c 'import json, sys; print(*[s["path"] for s in json.load(open("info.json"))["served"]])'
}
each() { local i; for i in 0 1 2; do "$@" $i || return; done; }
all_go_on() { each until_recording state recording && each until_known; }
stops() {
    serve_live --live "${names[@]}" --duration 300s && all_go_on || return
    [ "$(listed)" = "live.${names[0]}.sbt live.${names[1]}.sbt live.${names[2]}.sbt" ] || { listed; return 1; }
    stop_serve && [ "$(grep -c "is as before" serve.err)" = 3 ] && gone a b c
}
check "three recordings are listed and followed, and Ctrl-C ends them and leaves nothing" stops
killed() { # at any moment: while it attaches, or later
    for moment in early late; do
        serve_live --live "${names[0]}" --live "${names[1]}" "${names[2]}" --duration 300s || return
        [ $moment = early ] || all_go_on || return
        kill -9 $pid; wait $pid 2>/dev/null
        gone a b c && [ "$(grep -c "is as before" serve.err)" = 3 ] || { cat serve.err; return 1; }
    done
}
check "a server that is killed ends all recordings and leaves nothing" killed
recorded() { # NODE: the one node of its trace
    [ "$("$STROBE" query "kept.$1.sbt" "SELECT name FROM node WHERE trace_start IS NOT NULL" --format tsv |
        tail -n +2)" = "$1" ]
}
limit() {
    serve_live --live "${names[@]}" --duration 3s -o kept.sbt && each until_recording state ended &&
        grep -q "the page shows all of them" serve.err && stop_serve && gone a b c &&
        recorded "${names[0]}" && recorded "${names[1]}" && recorded "${names[2]}"
}
check "a limit ends the recordings, and each trace stays where it is kept" limit
refuses() {
    serve_live --live "${names[0]}" "none_$$@$host" "${names[1]}" --duration 300s && until_known 0 && until_known 2 &&
        [ "$(listed)" = "live.${names[0]}.sbt live.none_$$@$host.sbt live.${names[1]}.sbt" ] &&
        until_recording said "Nothing was recorded." 1 &&
        [ "$(grep -c "none_$$@$host was not recorded" serve.err)" = 1 ] || { cat serve.err; return 1; }
    stop_serve
    [ $? = 1 ] && gone a b
}
check "a node that is not there is named, and the others are served" refuses
joins() { # a node that does not answer yet
    local code
    kill -STOP "${vms[b]}"
    serve_live --live "${names[0]}" "${names[1]}" --duration 300s && [ "$(recording edition 1)" = 0 ]; code=$?
    kill -CONT "${vms[b]}"
    [ $code = 0 ] && until_known 0 && until_known 1 && stop_serve && gone a b
}
check "the page is there once a node records, and slower ones join it" joins
dies() {
    serve_live --live "${names[@]}" --duration 300s && each until_known || return
    { kill -9 "${vms[c]}"; wait "${vms[c]}"; } 2>/dev/null
    until_recording state ended 2 && recording said 2 | grep -q "the node is gone" &&
        [ "$(recording state 0) $(recording state 1)" = "recording recording" ] &&
        [ "$(grep -c "${names[2]} was not recorded as it should be" serve.err)" = 1 ] || { cat serve.err; return 1; }
    stop_serve
    [ $? = 1 ] && gone a b && ! ls -d /dev/shm/strobe-"${vms[c]}"-* 2>/dev/null
}
check "a node is killed: its recording has ended, and the others go on" dies
nobody() {
    "$STROBE" serve --live "none_$$@$host" "nobody_$$@$host" --no-open > url 2> serve.err & pid=$!
    wait $pid
    [ $? = 1 ] && ! [ -s url ] && [ "$(grep -c "was not recorded" serve.err)" = 2 ] && [ -z "$(private)" ]
}
check "without any node there is no page" nobody
