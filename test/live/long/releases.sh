#!/bin/bash
# Looking into nodes of other OTP releases, which run in their own chroots, and of this one: an embedded release of
# stripped modules without runtime_tools, by all that attaches; and where no code can be loaded, OTP's trace port.
. "$(dirname "$0")/../lib/attach.sh"
. "$root/test/live/lib/serve.sh"
cp "$root"/test/live/lib/{subject,evaluator}.erl "$root/test/live/lib/release.escript" .
rpc=$root/test/live/lib/rpc
erl="erl -noshell -sname $node -setcookie cookie_of_$node"
release="erlc subject.erl evaluator.erl && escript release.escript subject evaluator &&
    exec $erl -mode embedded -boot shop -eval 'subject:start(), evaluator:start().'"

counted() { # COMMAND: what the program counted bounds what the trace holds
    local first last sends
    first=$(ask count)
    "$@" || { cat attach.err; return 1; }
    last=$(ask count); sends=$(events t.sbt send)
    echo "$sends sends in the trace, $((2 * (last - first))) made"
    [ "$sends" -gt 20 ] && [ "$sends" -le $((2 * (last - first) + 100)) ]
}
recorded() { counted attach --duration 300ms && grep -q "is as before" attach.err && left_nothing; }
calls() {
    attach --duration 300ms --trace all,calls,sample --module subject || { cat attach.err; return 1; }
    [ "$(events t.sbt call)" -ge 1 ] && left_nothing
}
by_command() {
    echo print > how
    counted "$STROBE" attach --via "$rpc" -o t.sbt --duration 300ms --format json > attach.json 2> attach.err &&
        left_nothing
}
top() { # the program's echo answers what the program counts
    local first most
    first=$(ask count)
    "$STROBE" top "$node" --once --format json --limit 100 > top.json 2> top.err && ! [ -s top.err ] ||
        { cat top.err; return 1; }
    most=$(grep -o '"sends": *[0-9]*' top.json | grep -o '[0-9]*$' | sort -n | tail -n 1)
    echo "$most sends"; [ "$most" -gt 20 ] && [ "$most" -le $((2 * ($(ask count) - first) + 100)) ] && as_before
}
page() {
    serve_live --live "$node" --duration 300s && until_recording state recording && until_known && stop_serve &&
        grep -q "is as before" serve.err && as_before
}
flight() {
    rm -f f.*.sbt
    "$STROBE" attach "$node" -o f.sbt --flight 1s --when 'mailbox > 100000' 2> attach.err & local attach=$! code
    for _ in $(seq 3000); do
        grep -q "keeping the last" attach.err && "$STROBE" snapshot "$node" > path 2> snapshot.err && break
        kill -0 $attach 2>/dev/null || break
        sleep 0.1
    done
    [ -s path ] && [ "$(events "$(cat path)" send)" -gt 20 ]
    code=$?
    kill -INT $attach; wait $attach || code=1
    [ $code = 0 ] && grep -q "is as before" attach.err && as_before || { cat attach.err snapshot.err; return 1; }
}
killed_inside() {
    begin_attach && [ "$(ask "kill $1")" = 1 ] && ! wait $pid && left_nothing
}
stream() {
    counted attach --duration 300ms && grep -q "no writable folder that may hold code" attach.err && left_nothing
}
for suite in here trixie forky; do
    start_in $suite "$release"
    case $? in
    0) ;;
    77) echo "ok releases: a node of $suite # SKIP $(tail -n 1 node.log)"; continue ;;
    *) echo "not ok releases: a node of $suite starts: $(tail -n 2 node.log | tr '\n' ' ')"; continue ;;
    esac
    before=$(state_at_rest)
    check "$suite: a node is recorded, and left as it was" recorded
    check "$suite: calls and samples" calls
    check "$suite: by a command" by_command
    check "$suite: a reading of top" top
    check "$suite: the live page" page
    check "$suite: a flight recorder" flight
    check "$suite: the session is killed" killed_inside session
    check "$suite: what cleans up is killed" killed_inside keeper
    check "$suite: strobe is killed at any moment" killed attach 10
    check "$suite: twenty times" again_and_again 20
    end_in
    # a chroot has a mount name space already
    alone=$([ $suite != here ] || echo "exec unshare --mount")
    start_in $suite "$alone sh -c '$deny_code' sh $erl -pa . -s subject start" ||
        { echo "not ok releases: a node of $suite without code starts: $(tail -n 2 node.log | tr '\n' ' ')"; continue; }
    before=$(state_at_rest)
    check "$suite: OTP's trace port" stream
    end_in
done
