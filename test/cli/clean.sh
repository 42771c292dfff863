#!/bin/bash
# strobe clean: it lists what killed recordings left, removes what nobody can miss, and leaves alone what is in use.
STROBE=${STROBE:-$(cd "$(dirname "$0")/../.." && pwd)/build/strobe}
dir=$(mktemp -d) && cd "$dir" || exit 1
trap 'rm -rf "$dir" "${left[@]}"' EXIT
left=()
check() { # NAME, then a command that must succeed
    local name=$1; shift
    if "$@" >out.log 2>&1; then echo "ok clean: $name"
    else echo "not ok clean: $name: $(tail -n 5 out.log | tr '\n' ' ')"; fi
}
result() { "$STROBE" clean "$@" --format csv 2>err.log | tr -d '\r' | tail -n +2; }

record() { # a node that makes a hundred processes when the file `more` is there; sets node, recorder and folder
    "$STROBE" record -o t.sbt -- erl -noshell -eval 'ok = file:write_file("pid.new", os:getpid()),
        file:rename("pid.new", "pid"),
        W = fun W() -> filelib:is_file("more") orelse (receive after 20 -> W() end) end, W(),
        [spawn(fun() -> ok end) || _ <- lists:seq(1, 100)],
        ok = file:write_file("made", ""), receive after infinity -> ok end.' >/dev/null 2>&1 & recorder=$!
    for _ in $(seq 3000); do [ -s pid ] && break; sleep 0.02; done
    node=$(cat pid)
    folder=$(dirname "$(ls /dev/shm/strobe-"$recorder"-*/"$node".rings)")
    left+=("$folder")
}
in_use() {
    record
    ! "$STROBE" clean --all "$folder" && [ -e "$folder/$node.rings" ] || return 1
    "$STROBE" clean --dry-run | grep -q "$folder" && return 1
    kill -9 $recorder # the node and its drain live
    wait $recorder 2>/dev/null
    ! "$STROBE" clean --all "$folder" && [ -e "$folder/$node.rings" ]
}
# A drain that is stopped reads no more, and the node starts another one only when it has ended. So the last events are
# in no trace.
unread() {
    local drain; drain=$(pgrep -f "strobe-drain.*$folder/")
    kill -STOP "$drain" && touch more || return 1
    for _ in $(seq 3000); do [ -e made ] && break; sleep 0.02; done
    kill -9 "$node" && gone "$node" && kill -9 "$drain" && gone "$drain" || return 1
    grep -q "^$folder,[0-9]*,yes,kept$" <(result "$folder") && grep -q "use --all" err.log || return 1
    "$STROBE" info "t.$node.sbt" | grep -q "exists" || return 1
    grep -q "^$folder,[0-9]*,yes,would be removed$" <(result --dry-run --all "$folder") || return 1
    [ -e "$folder/$node.rings" ] || return 1
    cp -a "$folder" $copy
    grep -q "^$folder,[0-9]*,yes,removed$" <(result --all "$folder") && [ ! -e "$folder" ]
}
copy=/dev/shm/strobe-4199997-$$
left+=($copy)
# The second page of the rings has the path of the trace, once a drain has begun it.
no_trace() {
    local folder=/dev/shm/strobe-4199996-$$
    left+=("$folder")
    cp -a $copy "$folder" &&
        dd if=/dev/zero of="$(echo "$folder"/*.rings)" bs=4096 seek=1 count=1 conv=notrunc 2>/dev/null || return 1
    grep -q "^$folder,[0-9]*,yes,kept$" <(result "$folder") &&
        grep -q "$folder is of a recording .* before it had a trace: --all removes it" err.log &&
        result --all "$folder" && [ ! -e "$folder" ]
}
# The profile beside the trace holds what was in the rings; one of an earlier state of the trace does not.
analysed() {
    mv "$copy" "$folder" && "$STROBE" analyze "t.$node.sbt" && cp -a "$folder" $copy || return 1
    grep -q "^$folder,[0-9]*,no,removed$" <(result "$folder") && [ ! -e "$folder" ] && [ ! -s err.log ] || return 1
    printf 'x' >> "t.$node.sbt"
    grep -q "^$copy,[0-9]*,yes,kept$" <(result $copy) && grep -q "of $dir/t.$node.sbt:" err.log || return 1
    rm "t.$node.sbt"
    grep -q "^$copy,[0-9]*,yes,kept$" <(result $copy) && grep -q "gone: --all removes" err.log || return 1
    result --all $copy && [ ! -e $copy ]
}
gone() { # waits for these processes; whoever inherits an orphan may never wait for it
    for p in "$@"; do
        for _ in $(seq 3000); do
            grep -qs '^State:[[:space:]]*[^ZX[:space:]]' "/proc/$p/status" || break
            sleep 0.02
        done
    done
}
# no process has so high a number; a link, a folder and the files of others stay
void() {
    local dead=/dev/shm/strobe-4199999-$$ link=/dev/shm/strobe-4199998-$$
    left+=("$dead" "$link")
    mkdir "$dead" keep && touch "$dead/options" "$dead/4199999.missing" keep/options && ln -s "$dir/keep" "$link" &&
        truncate -s 1M "$dead/4199999.rings" || return 1
    "$STROBE" clean --dry-run | grep -q "$link" && return 1
    grep -q "^$dead,[0-9]*,no,would be removed$" <(result --dry-run "$dead") && [ -e "$dead/options" ] || return 1
    grep -q "^$dead,[0-9]*,no,removed$" <(result "$dead") && [ ! -e "$dead" ] && [ -e keep/options ]
}
# A process that has ended and whose parent does not wait for it uses nothing. It ends only when its parent has become
# `sleep`, because a shell would wait for it.
zombie() {
    local parent zombie state=
    bash -c '{ until [ "$(cat /proc/$$/comm)" = sleep ]; do sleep 0.02; done; } & echo $! > zombie.new
        mv zombie.new zombie; exec sleep 1000' & parent=$!
    for _ in $(seq 3000); do
        [ -s zombie ] && zombie=$(cat zombie) && read -r _ _ state _ < "/proc/$zombie/stat" && [ "$state" = Z ] && break
        sleep 0.02
    done
    [ "$state" = Z ] || { echo "process $zombie is no zombie: $state"; kill $parent; return 1; }
    local folder=/dev/shm/strobe-$zombie-$$
    left+=("$folder")
    mkdir "$folder" && touch "$folder/options" && grep -q "^$folder,[0-9]*,no,removed$" <(result "$folder")
    local removed=$?
    kill $parent
    return $removed
}
refused() {
    mkdir /dev/shm/strobe-$$-x && left+=(/dev/shm/strobe-$$-x)
    "$STROBE" clean /dev/shm/strobe-$$-x 2>err.log
    [ $? = 1 ] && grep -q "in use" err.log && [ -d /dev/shm/strobe-$$-x ]
}
# What an export writes beside its dataset: in use until it ends, then removed. One that was killed between its two
# renames left the only copies of a partition.
dataset() {
    "$(dirname "$STROBE")/synth" large.sbp 300000 && local stage='' export try
    for try in $(seq 20); do
        "$STROBE" export large.sbp --to parquet --dataset D > export.log 2>&1 & export=$!
        while kill -0 $export 2>/dev/null && [ ! -e "$(echo D.unfinished-*)"/new/process.parquet ]; do sleep 0.001; done
        kill -STOP $export 2>/dev/null && stage=$(echo "$dir"/D.unfinished-*) && [ -e "$stage/new" ] && break
        kill -CONT $export 2>/dev/null; wait $export; rm -rf D # it was faster
    done
    [ -e "$stage/new" ] || { echo "$try exports were faster"; return 1; }
    [ -z "$(result D)" ] || { echo "it is in use"; return 1; }
    kill -9 $export; wait $export 2>/dev/null
    cp -a "$stage" D.unfinished-both && cp -a "$stage/new" D.unfinished-both/old && mv "$stage" aside || return 1
    ln -s "$dir/keep" D.unfinished-link
    grep -q "^$dir/D.unfinished-both,[0-9]*,yes,kept$" <(result D) && grep -q "its replacement" err.log || return 1
    mv aside "$stage"
    grep -q "^$stage,[1-9][0-9]*,no,removed$" <(result D) && [ ! -e "$stage" ] || return 1
    grep -q "both,[0-9]*,yes,removed$" <(result --all D) && [ ! -e D.unfinished-both ] || return 1
    [ -e keep/options ] && [ -e D/_strobe_dataset ] && [ -z "$(result D)" ] && [ ! -s err.log ]
}

check "what a node or a drain uses is left alone" in_use
check "events that are in no trace yet are kept, --all removes them" unread
check "where no trace was begun, only --all helps, and it says so" no_trace
check "events that the profile beside the trace holds are removed" analysed
check "empty rings are removed, links and what they name are not" void
check "what a zombie made is removed" zombie
check "the folder of a living process is refused" refused
check "what a killed export left beside a dataset is removed" dataset
