#!/bin/bash
# Killing what takes part in a recording, at any moment, and filling the disk under it. kill.sh [TIMES]
root=$(cd "$(dirname "$0")/../.." && pwd)
STROBE=${STROBE:-$root/build/strobe}
. "$root/test/live/lib/serve.sh"
dir=$(mktemp -d) && cd "$dir" || exit 1
cleanup() { umount "$dir/small" 2>/dev/null; rm -rf "$dir"; }
trap cleanup EXIT

check() { # NAME, then a command that must succeed
    local name=$1; shift
    if "$@" >out.log 2>&1; then echo "ok kill: $name"
    else echo "not ok kill: $name: $(tail -n 3 out.log | tr '\n' ' ')"; fi
}
events() { "$STROBE" info --format json "$1" | grep -o "\"$2\": *[0-9]*" | grep -o '[0-9]*$'; }

# Sends itself messages for ever, and says in a file how many so far, always after they were sent. With PACED its rings
# do not run full although a busy machine gives the drain no core for seconds.
cat > sends.erl <<'END'
-module(sends).
-export([main/0, until/1]).
main() ->
    file:write_file("pid", os:getpid()),
    spawn(fun() -> {ok, F} = file:open("said", [write, raw]), loop(F, 0) end).
until(N) ->
    case file:read_file("said") of
        {ok, <<_, _/binary>> = Said} -> binary_to_integer(Said) >= N orelse again(N);
        _ -> again(N)
    end.
again(N) -> timer:sleep(20), until(N).
loop(F, N) ->
    [begin self() ! x, receive x -> ok end end || _ <- lists:seq(1, 1000)],
    file:pwrite(F, 0, integer_to_list(N + 1000)),
    os:getenv("PACED") =:= false orelse timer:sleep(1),
    loop(F, N + 1000).
END
erlc sends.erl
# starts a recording: $recorder, and when it has begun $vm and $drain
record() {
    rm -f said pid
    "$STROBE" record -o t.sbt --trace messages -- erl -noshell -s sends main 2>err.log & recorder=$!
    wait_for said || return 1
    vm=$(cat pid)
    for child in $(pgrep -P $recorder); do [ "$child" = "$vm" ] || drain=$child; done
}
wait_for() { for _ in $(seq 3000); do [ -s "$1" ] && return; sleep 0.02; done; return 1; }
nothing_missing() { # of what the program says it sent
    local said; said=$(cat said)
    [ "$said" -gt 0 ] && [ "$(events t.sbt send)" -ge "$said" ] || {
        echo "said $said, $(events t.sbt send) in the trace"; return 1; }
}
# Rings that no drain empties may run full on a busy machine: what was sent and taken is in the trace, or counted
# as lost.
nothing_unsaid() {
    local said kept lost; said=$(cat said)
    kept=$(($(events t.sbt send) + $(events t.sbt receive)))
    lost=$("$STROBE" info --format json t.sbt | tr -d '\n' | grep -oP '"loss": *\{[^}]*"messages": *\K[0-9]+')
    [ "$said" -gt 0 ] && [ $((kept + ${lost:-0})) -ge $((2 * said)) ] || {
        echo "sent and taken $said times, $kept events in the trace, ${lost:-none} lost"; return 1; }
}

node() {
    for _ in $(seq "${1:-5}"); do
        PACED=1 record || return 1
        sleep "0.$((RANDOM % 5))$((RANDOM % 9))"
        kill -9 "$vm"
        wait $recorder
        [ $? = 137 ] || { echo "not the exit code of a killed program"; return 1; }
        nothing_missing || return 1
        "$STROBE" info t.sbt | grep -q "lost *nothing" || return 1
    done
}
drain() {
    record || return 1
    sleep 0.3; kill -9 "$drain"; sleep 0.3; kill -9 "$vm"
    wait $recorder
    nothing_unsaid
}
next_edition() { # a page that follows the trace shows more than before
    local edition now
    edition=$(recording edition)
    for _ in $(seq 600); do
        now=$(recording edition) && [ "${now:-0}" -gt "${edition:-0}" ] 2>/dev/null && return
        sleep 0.1
    done
    echo "still edition $edition: $(recording said)"; return 1
}
next_drain() { # the child of the recorder that is neither the VM nor the drain before
    local child
    for _ in $(seq 3000); do
        for child in $(pgrep -P $recorder); do
            [ "$child" = "$vm" ] || [ "$child" = "$drain" ] || { drain=$child; return; }
        done
        sleep 0.02
    done
    echo "no other drain"; return 1
}
followed() { # the last profile has as many messages as the trace
    record && serve_live "t.$vm.sbt" && next_edition || return 1
    for _ in 1 2 3; do
        kill -9 "$drain"
        next_drain && next_edition || return 1
    done
    kill -9 "$vm"
    wait $recorder
    until_recording state ended || return 1
    local said profile
    said=$(recording said)
    kill "$pid" && wait "$pid" && nothing_unsaid || return 1
    profile=$(ls t.sbp "t.$vm.sbp" 2>/dev/null)
    [ "$said" = "The recording has ended: the node is gone." ] &&
        [ "$("$STROBE" query "$profile" "SELECT sum(sends) FROM process" --format csv | tr -d '\r' | tail -n 1)" = \
        "$(events t.sbt send)" ] || { echo "$said $profile"; return 1; }
}
# no drain restarts when the recorder is gone too: file and rings are joined by whoever reads
all() {
    PACED=1 record || return 1
    sleep 0.3
    kill -9 $recorder "$drain" "$vm"
    wait $recorder 2>/dev/null
    flock -s /dev/shm/strobe-*/"$vm".rings true || return 1 # until the drain has gone: it is init's child now
    mv "t.$vm.sbt" t.sbt
    nothing_missing || return 1
    swept && nothing_missing || return 1
    rm -rf "$(dirname /dev/shm/strobe-*/"$vm".rings)"
}
# Only the node is left to name its funs, since nobody reads the files of its modules any more.
names() {
    rm -f pid go
    "$STROBE" record -o f.sbt --trace procs -- erl -noshell -s named main 2>err.log & recorder=$!
    wait_for pid || return 1
    vm=$(cat pid)
    for child in $(pgrep -P $recorder); do [ "$child" = "$vm" ] || drain=$child; done
    kill -9 $recorder "$drain"
    wait $recorder 2>/dev/null
    echo > go
    for _ in $(seq 3000); do grep -qs -- '-run/0-fun-0-' /dev/shm/strobe-*/"$vm".rings && break; sleep 0.02; done
    kill -9 "$vm"
    "$STROBE" dump "f.$vm.sbt" | grep -q "spawned .*entry=named:'-run/0-fun-0-'/0"
    local found=$?
    rm -rf "$(dirname /dev/shm/strobe-*/"$vm".rings)"
    return $found
}
cat > named.erl <<'END'
-module(named).
-export([main/0]).
main() -> file:write_file("pid", os:getpid()), wait().
wait() -> filelib:is_file("go") orelse (timer:sleep(20) =:= ok andalso wait()), run(), receive after infinity -> ok end.
run() -> spawn(fun() -> ok end).
END
erlc named.erl
# what is left of others: the next recording removes what nobody can read anything from, and nothing else
swept() {
    local dead=/dev/shm/strobe-4199999-$$ alive=/dev/shm/strobe-$$-$$ # no process has so high a number
    mkdir -p $dead $alive && touch $dead/options && truncate -s 1M $dead/4199999.rings || return 1
    touch -d '1 hour ago' $dead $alive "$(dirname /dev/shm/strobe-*/"$vm".rings)"
    "$STROBE" record -o next.sbt -- erl -noshell -eval 'halt().' 2>err.log || return 1
    rmdir $alive || { echo "a folder of a live process was swept away"; return 1; }
    [ ! -e $dead ] || { ls $dead; rm -rf $dead; return 1; }
}
full() {
    rm -f said pid
    "$STROBE" record -o small/t.sbt --trace messages --level 0 -- erl -noshell \
        -s sends main -eval 'sends:until(200000), halt(5).' 2>err.log
    [ $? = 5 ] || { cat err.log; return 1; }
    grep -qi "incomplete" err.log || { cat err.log; return 1; }
    [ "$(events small/t.sbt send)" -gt 10000 ] || return 1
    rm -rf "$(dirname /dev/shm/strobe-*/"$(cat pid)".rings)"
}

# a command that succeeds does not hide that its trace is incomplete
full_trace() {
    mount -t tmpfs -o size=256k none small || return 1
    rm -f said pid
    "$STROBE" record -o small/t.sbt --trace messages --level 0 -- erl -noshell \
        -s sends main -eval 'sends:until(200000), halt(0).' 2>err.log
    local code=$?
    [ $code = 125 ] && grep -q "No space left" err.log && grep -q "is incomplete" err.log &&
        left_behind "$(cat pid)" small/t.sbt
    local ok=$?
    umount small
    [ $ok = 0 ] || { echo "exit code $code"; cat err.log; return 1; }
}
# What stays in memory is said, with its size. It is kept until it is analysed with the trace, as far as there is room.
left_behind() { # VM TRACE
    local folder said
    folder=$(dirname /dev/shm/strobe-*/"$1".rings)
    said=$(sed -n "s|^  left  *\([0-9.]* [kMG]*B\) in $folder:.*|\1|p" err.log)
    [ -n "$said" ] || { echo "nothing said of $folder"; return 1; }
    "$STROBE" clean "$folder" 2>clean.log | grep -q kept && grep -q "last events of $PWD/$2:.* report" clean.log &&
        mount -o remount,size=64m small && "$STROBE" report "$2" >/dev/null 2>&1 || { cat clean.log; return 1; }
    "$STROBE" clean "$folder" | grep -q removed && [ ! -e "$folder" ]
}
# The signal at the limit would end the node. What fits is recorded, the program runs.
file_size() { # in blocks of 1024 bytes
    (ulimit -f "$1" && shift && "$@" 2>err.log)
}
# The JIT of OTP 26 and later writes its code to a file of 64 MB in memory, unless it is told that it has one mapping.
no_room_for_rings() {
    local flags=
    file_size 10000 erl -noshell -eval 'halt().' || flags="+JMsingle true"
    ERL_FLAGS=$flags file_size 10000 "$STROBE" record -o t.sbt -- \
        erl -noshell -eval 'io:format("ran~n"), halt(6).' > ran.log
    [ $? = 6 ] && grep -q ran ran.log && grep -q efbig err.log || { cat err.log; return 1; }
}
no_room_for_trace() { # the limit of the drain
    record || return 1
    prlimit --pid "$drain" --fsize=100000 || return 1
    for _ in $(seq 1500); do grep -q "File too large" err.log && break; sleep 0.02; done
    kill -9 "$vm"
    wait $recorder
    grep -q "File too large" err.log && grep -q "is incomplete" err.log && [ "$(events t.sbt send)" -gt 0 ] || {
        cat err.log; return 1; }
    # the sections say it, too
    "$STROBE" info t.sbt | grep -q "the recording ended early" || return 1
    "$STROBE" report t.sbt messages 2>/dev/null | sed -n 1p | grep -q "^LOST: .*damage" || return 1
    "$STROBE" clean --all "$(dirname /dev/shm/strobe-*/"$vm".rings)"
}

check "the node, ${1:-5} times: everything it had sent is in the trace" node "$1"
check "the drain: the next one goes on" drain
check "the drain, while a page follows the trace: the page goes on too" followed
check "node, drain and recorder at once: file and rings are joined" all
check "drain and recorder before a fun has run: the node names it" names
if mkdir -p small && mount -t tmpfs -o size=256k none small 2>mount.log; then
    check "a full disk: the program goes on, what fits is kept" full
    umount small
    check "a full disk: a command that succeeds does not hide it" full_trace
else echo "ok kill: a full disk # SKIP no file system can be mounted: $(tr '\n' ' ' < mount.log)"; fi
check "a limit of file sizes: no rings, the program runs" no_room_for_rings
check "a limit of file sizes: the trace holds what fits" no_room_for_trace
