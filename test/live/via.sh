#!/bin/bash
# Attaching by a command that evaluates expressions, and to nodes whose rings cannot be read from here.
. "$(dirname "$0")/lib/attach.sh"
erlc "$root/test/live/lib/evaluator.erl" || exit 1
rpc=$root/test/live/lib/rpc
via() { # COMMAND, then options
    local command=$1; shift
    "$STROBE" attach --via "$command" -o t.sbt --format json "$@" > attach.json 2> attach.err
}
whole() { "$STROBE" info t.sbt > info.txt; } # fails for a trace that is cut off
recorded_via() { # HOW COMMAND: what the program counted bounds what the trace holds
    local first last sends
    echo "$1" > how
    first=$(ask count)
    via "$2" --duration 300ms || { cat attach.err; return 1; }
    last=$(ask count); sends=$(events t.sbt send)
    echo "$sends sends in the trace, $((2 * (last - first))) made"
    [ "$sends" -gt 20 ] && [ "$sends" -le $((2 * (last - first) + 100)) ] && grep -q "is as before" attach.err &&
        left_nothing
}
elixir=$(dirname "$(find /usr/lib/elixir /usr/local/lib/elixir -name elixir.app 2>/dev/null | head -n 1)" 2>/dev/null)
start_node -pa . -pa "${elixir:-.}" -s subject start -s evaluator start ||
    { echo "not ok via: a node starts: $(cat node.log)"; exit; }
before=$(state_at_rest)
check "a command that prints the value in lines of 80 columns" recorded_via value "$rpc"
check "a command that prints what the expression prints, between its own lines" recorded_via print "$rpc {} 2>&1; true"
check "a second shell reads the expression, as behind ssh" recorded_via print "behind() { sh -c \"$rpc \$*\"; }; behind"
# a release by relx: its script gives the expression to erl_call, which cuts binaries and prints values only
caller=$(erl -noshell -eval 'io:put_chars(code:root_dir()), halt().')/bin/erl_call
printf '#!/bin/sh\necho "$1" | %s -c cookie_of_%s -sname %s -e\n' "$caller" "$node" "$node" > call && chmod +x call
erl_call() {
    before= && ./call 'ok.' > /dev/null # rex and others have run once
    before=$(state_at_rest) && recorded_via value ./call || return 1
    ! [ -s node.log ] || { cat node.log; return 1; } # nothing of ours in the log of the service
}
if [ -x "$caller" ]; then check "erl_call, as bin/shop eval of relx" erl_call
else echo "ok via: erl_call, as bin/shop eval of relx # SKIP erl_call is not installed"; fi
before=$(state_at_rest)
modules() {
    echo print > how
    via "$rpc" --duration 100ms --trace procs,calls --module subject || { cat attach.err; return 1; }
    "$STROBE" dump t.sbt | grep -q ' call mfa=subject:work/1' && left_nothing
}
check "calls of a module" modules
as_elixir() {
    before= && ask state > /dev/null # Elixir's evaluator loads what it needs at the first use
    echo elixir > how
    via "$rpc" --duration 100ms || { cat attach.err; return 1; }
    before=$(state_at_rest) && recorded_via elixir "$rpc"
}
if [ -n "$elixir" ]; then check "a command that takes Elixir" as_elixir
else echo "ok via: a command that takes Elixir # SKIP no Elixir is installed"; fi
before=$(state_at_rest)

errors() {
    one_line "gave no answer: it printed: no such pod" 1 --via 'echo no such pod >&2; false' &&
        one_line "reaches $node@.*, not other@here" 1 other@here --via "$rpc" && left=1 as_before &&
        one_line "not in the node any more: give a command that runs in the node itself" 1 --via \
            "erl -noshell -eval '[T] = init:get_plain_arguments(), {ok, K, _} = erl_scan:string(T),
                {ok, E} = erl_parse:parse_exprs(K), erl_eval:exprs(E, []), halt().' -extra" &&
        one_line "no node given" 2
}
echo print > how
check "each error is one line" errors
interrupted() {
    begin_attach --via "$rpc" && kill -INT $pid && wait $pid &&
        [ "$(events t.sbt send)" -gt 0 ] && whole && left_nothing
}
check "Ctrl-C ends the recording, and leaves a complete trace" interrupted
twice() {
    begin_attach --via "$rpc" && one_line "another strobe is attached to this node" 1 --via "$rpc" -o second.sbt &&
        one_line "is recorded already, into .*t.sbt: wait until" 1 "$node" -o second.sbt
    local code=$?
    kill -INT $pid && wait $pid && [ $code = 0 ] && [ "$(events t.sbt events)" -gt 0 ] && as_before
}
check "two at once: the second is refused, the first goes on" twice
killed() { # the node hears nothing more and cleans up when the lease has ended
    begin_attach --via "$rpc" &&
        grep -q "if strobe is killed, the node ends the recording by itself within [0-9]* s" attach.err &&
        kill -9 $pid
    wait $pid 2>/dev/null
    as_before
}
check "strobe is killed: the node cleans up by itself" killed

# ---- a node in a container
stop_node
if ! box true 2>/dev/null; then
    for what in distribution command interrupted; do
        echo "ok via: a node in a container: $what # SKIP no container can be made here"; done
    exit # nor a mount
fi
start_boxed_node -pa . -s subject start -s evaluator start ||
    { echo "not ok via: a node in a container starts: $(cat node.log)"; exit; }
before=$(state_at_rest)
by_distribution() {
    local first last sends
    first=$(ask count)
    RELEASE_COOKIE=cookie_of_$node attach --duration 300ms || { cat attach.err; return 1; }
    last=$(ask count); sends=$(events t.sbt send)
    echo "$sends sends in the trace, $((2 * (last - first))) made"
    [ "$sends" -gt 20 ] && [ "$sends" -le $((2 * (last - first) + 100)) ] && whole && left_nothing
}
check "a node in a container: distribution" by_distribution
check "a node in a container: command" recorded_via value "$rpc"
check "a node in a container: interrupted" interrupted
stop_boxed_node

# ---- a node in a container with little room for files: it writes the trace itself, until its disk is full
rm -f pid said ask
mkdir little
box sh -c 'mount -t tmpfs -o size=256k none "$0" && TMPDIR=$0 exec "$@"' "$dir/little" \
    erl -noshell -sname "$node" -setcookie "cookie_of_$node" -pa . -s subject start > node.log 2>&1 & vm=$!
boxed=$vm
wait_for pid && wait_for_answer count || { echo "not ok via: a node with little room starts: $(cat node.log)"; exit; }
before=$(state_at_rest)
fills_disk() { # long before the time is over
    RELEASE_COOKIE=cookie_of_$node timeout -s KILL 120 "$STROBE" attach "$node" -o t.sbt --format json --duration 600s \
        > attach.json 2> attach.err
    [ $? = 1 ] && grep -q "the node could not record: cannot write the trace: No space left on device" attach.err &&
        grep -q "t.sbt is incomplete" attach.err && [ "$(events t.sbt events)" -gt 100 ] &&
        [ -z "$(ls "/proc/$(pgrep -P "$boxed")/root$dir/little")" ] && left_nothing || { cat attach.err; return 1; }
}
check "a node in a container: its disk fills" fills_disk
stop_boxed_node

# ---- a node that has no place for code: OTP's own trace port records
if ! no_code true 2>/dev/null; then
    for what in recorded flight limit killed; do
        echo "ok via: OTP's trace port: $what # SKIP nothing can be mounted here"; done
    exit
fi
rm -f pid said ask
no_code erl -noshell -sname "$node" -setcookie "cookie_of_$node" -pa . -s subject start > node.log 2>&1 & vm=$!
wait_for pid && wait_for_answer count || { echo "not ok via: a node without code starts: $(cat node.log)"; exit; }
before=$(state_at_rest)
folders() { find /dev/shm /tmp /var/tmp "$HOME" -maxdepth 1 -name "strobe-$(cat pid)-*" 2>/dev/null; }
stream() {
    local first last sends
    first=$(ask count)
    attach --duration 300ms || { cat attach.err; return 1; }
    last=$(ask count); sends=$(events t.sbt send)
    echo "$sends sends in the trace, $((2 * (last - first))) made"
    [ "$sends" -gt 20 ] && [ "$sends" -le $((2 * (last - first) + 100)) ] && [ "$(events t.sbt in)" -gt 20 ] &&
        grep -q "no writable folder that may hold code (/dev/shm: mounted noexec, " attach.err && whole &&
        grep -q "\"events\":$(events t.sbt events)," attach.json && left_nothing &&
        "$STROBE" dump t.sbt > t.txt && ! grep -E 'strobe_(attach|stream)' t.txt
}
check "OTP's trace port: recorded" stream
needs_tracer() { # what cannot do without it says why it is missing
    one_line "the tracer cannot be loaded into $node@.*noexec.* without --flight may record it" 1 "$node" --flight 1s
}
check "no place for code: a flight recorder is refused" needs_tracer
limited() { # a stream is read in pieces of up to a megabyte, so a limit is passed by these
    attach --duration 20s --limit-events 2000 --trace procs,calls,messages --module subject ||
        { cat attach.err; return 1; }
    "$STROBE" dump t.sbt | grep -q ' call mfa=subject:work/1' && [ "$(events t.sbt events)" -lt 40000 ] && left_nothing
}
check "OTP's trace port: calls, and a limit" limited
killed_inside() {
    begin_attach && [ "$(ask "kill keeper")" = 1 ]
    local code=$?
    [ $code = 0 ] || kill -INT $pid
    wait $pid
    [ $? = 1 ] && [ $code = 0 ] && as_before
}
check "OTP's trace port: what cleans up is killed" killed_inside
kill -9 "$(cat pid)"; wait "$vm" 2>/dev/null; vm=

# ---- a node whose folders are read-only, or full: the node's own files go to its working folder
room_in_last() { # the first that has room takes the library and the rings
    rm -f pid said ask
    no_room full sh -c 'mkdir /tmp/roomy && mount -t tmpfs none /tmp/roomy && RELEASE_TMP=/tmp/roomy exec "$@"' sh \
        erl -noshell -sname "$node" -setcookie "cookie_of_$node" -pa . -s subject start > node.log 2>&1 & vm=$!
    wait_for pid && wait_for_answer count && before=$(state_at_rest) && attach --duration 200ms && left_nothing &&
        [ "$(events t.sbt send)" -gt 20 ] && [ -z "$(ls "/proc/$(cat pid)/root/tmp/roomy")" ] ||
        { cat attach.err; false; }
    local code=$?
    kill -9 "$(cat pid)"; wait "$vm" 2>/dev/null; vm=
    return $code
}
check "the node's folders are full but for the last" room_in_last
no_folder() { # HOW PATTERN
    rm -f pid said ask
    no_room "$1" erl -noshell -sname "$node" -setcookie "cookie_of_$node" -pa . -s subject start > node.log 2>&1 & vm=$!
    wait_for pid && wait_for_answer count && before=$(state_at_rest) && one_line "$2" 1 "$node" && as_before
    local code=$?
    kill -9 "$(cat pid)"; wait "$vm" 2>/dev/null; vm=
    return $code
}
check "the node's folders are read-only" no_folder read-only \
    "the node has no folder for the trace (.*/dev/shm: read-only file system.*): make room in one of them"
check "the node's folders are full" no_folder full \
    "the node has no folder for our libraries (.*/dev/shm: no space left on device.*): make room in one of them"
