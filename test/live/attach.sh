#!/bin/bash
# Attaching to nodes that have nothing of strobe: what is recorded, what is left behind, and what errors say.
. "$(dirname "$0")/lib/attach.sh"

# ---- a node as a developer has it
recorded() { # what the program counted bounds what the trace holds
    local first last sends
    first=$(ask count)
    attach --duration 300ms || { cat attach.err; return 1; }
    last=$(ask count); sends=$(events t.sbt send)
    echo "$sends sends in the trace, $((2 * (last - first))) made"
    [ "$sends" -gt 20 ] && [ "$sends" -le $((2 * (last - first) + 100)) ] && [ "$(events t.sbt in)" -gt 20 ] &&
        grep -q "or 256 MB of trace" attach.err &&
        grep -q "\"events\":$(events t.sbt events)" attach.json && grep -q "is as before" attach.err && left_nothing
}
of_others() { # nothing of strobe, nothing of its connection, no answer to either
    "$STROBE" dump t.sbt > t.txt &&
        ! grep -v ' cpu_frame ' t.txt | grep -E 'strobe_(attach|session|otp|nif|mailboxes)' &&
        "$STROBE" query t.sbt --format csv "SELECT pid, sent FROM message JOIN process AS p ON p.id = receiver
            WHERE p.entry IS NULL AND p.name IS NULL AND p.start IS NULL" > strange.csv &&
        { [ "$(wc -l < strange.csv)" -eq 1 ] || { cat strange.csv; return 1; }; }
}
by_number() {
    "$STROBE" attach "$vm" -o t.sbt --duration 100ms --trace procs,calls --module subject --format json \
        > attach.json 2> attach.err || { cat attach.err; return 1; }
    "$STROBE" dump t.sbt | grep -q ' call mfa=subject:work/1' && left_nothing
}
interrupted() {
    begin_attach && kill -INT $pid && wait $pid &&
        [ "$(events t.sbt send)" -gt 0 ] && "$STROBE" info t.sbt > info.txt && left_nothing
}
start_node -pa . -s subject start || { echo "not ok attach: a node starts: $(cat node.log)"; exit; }
before=$(state_at_rest)
few_atoms() { # beside those that OTP makes for the first connection
    erl -noshell -hidden -sname "${node}_ping" -setcookie "cookie_of_$node" -eval "
        pong = net_adm:ping(list_to_atom(\"$node@\" ++ tl(string:find(atom_to_list(node()), \"@\")))), halt()."
    local before after
    before=$(ask atoms)
    attach --duration 100ms || { cat attach.err; return 1; }
    after=$(ask atoms)
    echo "$((after - before)) atoms"; [ $((after - before)) -gt 0 ] && [ $((after - before)) -le 200 ]
}
check "the first recording makes at most 200 atoms" few_atoms
check "a running node is recorded, and left as it was" recorded
check "neither strobe nor its connection is recorded" of_others
check "by the number of its process; calls of a module" by_number
findings_first() {
    attach --duration 100ms --report always && [ -f t.sbp ] && left_nothing &&
        awk '/^Worth looking at$/ { look = NR } /^strobe: t.sbt: / { facts = NR } /^  next / { next_ = NR }
             END { exit !(look && look < facts && facts < next_) }' attach.err || { cat attach.err; return 1; }
}
check "--report always: the findings, then the facts of the recording" findings_first

# ---- errors: one line each, which says what to do
errors() {
    RELEASE_COOKIE=secret_$$ one_line "$node@.*refused the connection: the cookie of RELEASE_COOKIE" 1 "$node" &&
        ! grep -q secret_$$ attach.err && one_line "no node no_such_$$ runs.*epmd knows: .*$node" 1 "no_such_$$" &&
        one_line "the host no.such.host.invalid is not known" 1 a@no.such.host.invalid &&
        one_line "process $$ is no Erlang VM: it runs" 1 $$ && one_line "no process 99999999 " 1 99999999 &&
        ERL_EPMD_PORT=1 one_line "no epmd answers at .*epmd -daemon" 1 "$node" &&
        one_line "no file can be written" 2 "$node" -o /no/such/folder/t.sbt &&
        one_line "reaches one node" 2 a b --via true &&
        one_line "no file can be written" 2 "$node" -o /proc/t.sbt &&
        one_line "no module subjekt in this node: did you mean subject?; nothing was recorded" 1 "$node" -o no.sbt \
            --trace calls --module subjekt && ! [ -e no.sbt ] &&
        one_line "no application nosuch in this node" 1 "$node" -o no.sbt --app nosuch && as_before &&
        one_line "no node given" 2 "" -o t.sbt
}
check "each error is one line, and shows no cookie" errors
no_distribution() {
    erl -noshell -eval 'file:write_file("other", os:getpid()).' & local pid=$!
    wait_for other && one_line "without distribution.*start it with -sname" 1 "$(cat other)"
    local code=$?
    kill $pid; wait $pid 2>/dev/null
    return $code
}
check "a node without distribution" no_distribution
of_relx() { # the script of such a release is the first argument of its VM, which knows the cookie
    local root_dir code=0 pid
    rm -f other
    root_dir=$(erl -noshell -eval 'io:put_chars(code:root_dir()), halt().')
    (
        BINDIR=$(dirname "$(ls "$root_dir"/erts-*/bin/beam.smp)"); export BINDIR
        exec -a /srv/shop/bin/shop "$BINDIR/beam.smp" -Bd -- -root "$root_dir" -bindir "$BINDIR" -progname \
            bin/shop -- -home "$HOME" -- -noshell -noinput -sname "${node}_relx" -setcookie "relx_$$" \
            -eval 'file:write_file("other", os:getpid()).' -- foreground
    ) & pid=$!
    wait_for other || code=1
    for given in "$(cat other)" "${node}_relx"; do
        "$STROBE" attach "$given" -o relx.sbt --duration 100ms --format json > attach.json 2> attach.err &&
            grep -q '"left":\[\]' attach.json && [ "$(events relx.sbt in)" -gt 0 ] || { cat attach.err; code=1; }
    done
    kill $pid; wait $pid 2>/dev/null
    return $code
}
check "a release of relx, by number and by name" of_relx
other_protocol() { # it needs no certificate to refuse a connection
    rm -f other
    erl -noshell -sname "${node}_tls" -setcookie c -proto_dist inet_tls -eval 'file:write_file("other", os:getpid()).' &
    local pid=$! code
    wait_for other &&
        one_line "refused the connection: its distribution is by inet_tls: reach it by .*--via" 1 "$(cat other)"
    code=$?
    kill $pid; wait $pid 2>/dev/null
    return $code
}
check "a node with TLS distribution" other_protocol
twice() {
    begin_attach && one_line "is recorded already, into .*t.sbt: wait until" 1 "$node" -o second.sbt
    local code=$?
    kill -INT $pid && wait $pid && [ $code = 0 ] && [ "$(events t.sbt events)" -gt 0 ] && as_before
}
check "two at once: the second is refused, the first goes on" twice

refused_when() { # QUESTION PATTERN: the answer to the question brings the node into a state in which it is refused
    ask "$1" > /dev/null && before=$(state_at_rest) && one_line "$2" 1 "$node" && as_before
}
overloaded() {
    ask overload > /dev/null && one_line "overloaded.*--force" 1 "$node" && attach --force --duration 100ms
    local code=$?
    ask calm > /dev/null
    [ $code = 0 ] || { cat attach.err; return 1; }
    left_nothing
}
check "an overloaded node is refused, but for --force" overloaded
traced() { # before OTP 27 a process has one tracer
    local was=$before
    refused_when trace "traced by .* already"
    local code=$?
    ask untrace > /dev/null; before=$was
    return $code
}
release=$(erl -noshell -eval 'io:put_chars(erlang:system_info(otp_release)), halt().')
[ "$release" -ge 27 ] || check "a node that somebody else traces is refused, and goes on being traced" traced

of_its_own() { # a node that strobe records from its start
    "$STROBE" record -o own.sbt -- erl -noshell -sname "${node}_own" -setcookie c -eval \
        'file:write_file("own", os:getpid()).' 2> own.err & local pid=$!
    wait_for own && one_line "is recorded already, into .*own.*: wait until" 1 "$(cat own)"
    local code=$?
    kill "$(cat own)"; wait $pid
    [ $code = 0 ] && [ "$(events own.sbt events)" -gt 0 ]
}
check "a node that strobe records already is refused, and goes on being recorded" of_its_own

after_its_own() { # its recording has ended; the tracer that it has loaded is there again afterwards
    mkdir -p recorded; cd recorded || return 1
    "$STROBE" record -o own.sbt --duration 100ms -- erl -noshell -sname "${node}_own" -setcookie c -pa "$dir" \
        -s subject start > own.log 2>&1 & local pid=$! code=1 vm before
    wait_for pid && vm=$(cat pid) && over "$vm" && before=$(state_at_rest) &&
        "$STROBE" attach "$vm" -o t.sbt --duration 100ms --format json > attach.json 2> attach.err &&
        "$STROBE" top "${node}_own" --once > top.txt 2>> attach.err && left_nothing && [ "$(events t.sbt send)" -gt 0 ]
    code=$?
    kill "$vm"; wait $pid
    [ $code = 0 ] || cat own.log attach.err
    cd "$dir" && return $code
}
over() { # PID: strobe has ended its recording, and so unmapped the rings
    for _ in $(seq 3000); do grep -q "/strobe-.*rings" "/proc/$1/maps" || return 0; sleep 0.02; done
    return 1
}
check "a node that strobe has recorded is recorded again" after_its_own

was_unloaded() { # strobe:unload/0 leaves nothing that is in the way
    erl -noshell -sname "${node}_was" -setcookie c -eval "
        code:load_abs(\"${STROBE%/*}/erlang/strobe/ebin/strobe\"), ok = strobe:load(), ok = strobe:unload(),
        file:write_file(\"was\", os:getpid())." > was.log 2>&1 & local pid=$!
    wait_for was && "$STROBE" attach "$(cat was)" -o was.sbt --duration 100ms 2> was.err; local code=$?
    kill $pid; wait $pid 2> /dev/null
    [ $code = 0 ] || { cat was.err; return 1; }
}
check "a node that strobe was unloaded from is recorded" was_unloaded

# ---- ends of all kinds
check "Ctrl-C ends the recording, and leaves a complete trace" interrupted
memory_is_watched() { # also in a node that nobody has asked for its memory
    "$STROBE" attach "$node" -o m.sbt --flight 1s --when 'memory > 1M' > attach.json 2> attach.err & local pid=$! code
    for _ in $(seq 3000); do grep -q "^strobe: m.1.sbt" attach.err && break; kill -0 $pid || break; sleep 0.02; done
    kill -INT $pid; wait $pid && grep -q "^strobe: m.1.sbt.*memory" attach.err && as_before; code=$?
    [ $code = 0 ] || cat attach.err
    return $code
}
ended_at_once() { # a signal that comes while the drain starts is not lost
    local pid
    for _ in $(seq 10); do
        rm -f attach.err
        "$STROBE" attach "$node" -o q.sbt --flight 1s > attach.json 2> attach.err & pid=$!
        until grep -qs "keeping the last" attach.err; do kill -0 $pid || return 1; done
        kill -INT $pid
        for _ in $(seq 3000); do kill -0 $pid 2> /dev/null || break; sleep 0.02; done # a minute, as in wait_for
        if kill -0 $pid 2> /dev/null; then kill -KILL $pid; wait $pid; echo "the signal was lost"; return 1; fi
        wait $pid || { cat attach.err; return 1; }
    done
    as_before
}
check "a flight recorder ends by a signal that comes at once" ended_at_once
killed_inside() { # the process that records, or the one that cleans up
    begin_attach && [ "$(ask "kill $1")" = 1 ]
    local code=$?
    [ $code = 0 ] || kill -INT $pid
    wait $pid
    [ $? = 1 ] && [ $code = 0 ] && [ "$(events t.sbt events)" -gt 0 ] && left_nothing
}
check "the session is killed" killed_inside session
check "a flight recorder watches the memory" memory_is_watched
check "what cleans up is killed" killed_inside keeper
check "strobe is killed at any moment" killed attach 10
cut() { # before the module is there: the process that holds its name ends as well
    ask cut > /dev/null
    for _ in $(seq 20); do attach --duration 100ms || break; done # the node may look too late
    grep -q "was lost" attach.err && as_before || { cat attach.err; return 1; }
}
check "the connection is cut while strobe attaches" cut
full_disk() {
    "$STROBE" attach "$node" -o small/t.sbt --duration 20s --level 0 --format json > attach.json 2> attach.err
    [ $? = 1 ] && grep -q "^strobe: small/t.sbt: .*file system" attach.err && left_nothing
}
if mkdir -p small && mount -t tmpfs -o size=16k none small 2>/dev/null; then check "the disk is full" full_disk
else echo "ok attach: the disk is full # SKIP nothing can be mounted here"; fi
check "ten times" again_and_again 10
dies() {
    local was=$vm
    begin_attach && stop_node
    wait $pid
    [ $? = 1 ] && grep -q "ended while it was recorded" attach.err && [ "$(events t.sbt events)" -gt 0 ] || return 1
    vm=$was; [ -z "$(folders)" ]; local code=$?; vm=
    return $code
}
check "the node is killed: its trace goes up to that moment" dies
connected() { # PID PORT: it has a connection to that port
    grep -qE "^ *[0-9]+: [0-9A-F:]+ [0-9A-F]+:$(printf %04X "$2") 01 " "/proc/$1/net/tcp"
}
dies_at_once() { # it has taken the connection, and no more
    start_node -pa . -s subject start || { cat node.log; return 1; }
    local port pid
    port=$(epmd -names | sed -n "s/^name $node at port //p")
    kill -STOP "$vm"
    "$STROBE" attach "$node" -o t.sbt > attach.json 2> attach.err & pid=$!
    for _ in $(seq 300); do connected $pid "$port" && break; sleep 0.02; done # it waits for seven seconds
    stop_node
    wait $pid
    [ $? = 1 ] && [ "$(cat attach.err)" = "strobe: $node@$(hostname -s) ended while strobe attached to it" ] ||
        { cat attach.err; return 1; }
}
check "the node is killed while strobe connects: one line says so" dies_at_once
dies_soon() { # at any moment of the start, or of the recording
    local pid moment
    for moment in 05 10 15 20 25 30 40; do
        start_node -pa . -s subject start || { cat node.log; return 1; }
        "$STROBE" attach "$node" -o t.sbt > attach.json 2> attach.err & pid=$!
        sleep 0.$moment
        stop_node
        wait $pid
        [ $? = 1 ] && { [ "$(wc -l < attach.err)" = 1 ] || grep -q "^strobe: recording" attach.err; } &&
            tail -n 1 attach.err | grep -qE "^strobe: (no node $node runs|$node@.* (ended while|cannot be reached))" ||
            { echo "after 0.$moment s"; cat attach.err; return 1; }
    done
}
check "the node is killed while strobe attaches: one line says so" dies_soon

# ---- a release: embedded mode, stripped modules, of kernel and stdlib alone
release() {
    "$root/test/live/lib/release.escript" subject &&
        start_node -mode embedded -boot shop -eval 'subject:start().' && before=$(state_at_rest) ||
        { cat node.log; return 1; }
    attach --duration 200ms || { cat attach.err; return 1; }
    [ "$(events t.sbt send)" -gt 20 ] && left_nothing
}
check "an embedded release without runtime_tools" release
