# Shared by the tests of attach: nodes to attach to, and what must be as before. To be sourced.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
STROBE=${STROBE:-$root/build/strobe}
unset RELEASE_COOKIE
node=strobe_test_$$ # a name of this run alone, since epmd serves the whole machine
dir=$(mktemp -d) && cd "$dir" || exit 1
erlc "$root/test/live/lib/subject.erl" || exit 1
test_area=$(basename "$0" .sh)
check() { # NAME, then a command that must succeed
    local name=$1; shift
    if "$@" >out.log 2>&1; then echo "ok $test_area: $name"
    else echo "not ok $test_area: $name: $(tail -n 4 out.log | tr '\n' ' ')"; fi
}
cleanup() {
    stop_node
    umount "$dir/small" 2>/dev/null
    rm -rf "$dir"
}
trap cleanup EXIT
wait_for() { # FILE: that it exists and is not empty; a node that has gone writes none
    for _ in $(seq 3000); do
        [ -s "$1" ] && return
        [ -z "${vm:-}" ] || kill -0 "$vm" 2>/dev/null || break
        sleep 0.02
    done
    echo "no $1, after a minute or from a node that has gone"; return 1
}
start_node() { # flags of erl
    rm -f pid said ask
    vm=
    erl -noshell -sname "$node" -setcookie "cookie_of_$node" "$@" > node.log 2>&1 &
    wait_for pid && vm=$(cat pid) && wait_for_answer count
}
# A node in a container has its own numbers of processes and its own memory for files: its rings cannot be read here.
box() { # runs a command in a container
    unshare --pid --mount --fork --kill-child --mount-proc \
        sh -c 'mount -t tmpfs -o size=8m none /dev/shm && exec "$@"' sh "$@"
}
start_boxed_node() { # flags of erl
    rm -f pid said ask
    box erl -noshell -sname "$node" -setcookie "cookie_of_$node" "$@" > node.log 2>&1 & vm=$!
    boxed=$vm
    wait_for pid && wait_for_answer count
}
stop_boxed_node() {
    kill -9 "$(pgrep -P "$boxed")"; wait "$boxed" 2>/dev/null; vm= boxed=
}
# A node of another OTP release, in its chroot (tools/otp-chroot), or of this one: `here`.
in_suite() { # SUITE COMMAND...
    local suite=$1; shift
    if [ "$suite" = here ]; then exec "$@"; fi
    cd "$root" && exec tools/otp-chroot "$suite" sh -c "cd $dir && exec \"\$@\"" sh "$@"
}
start_in() { # SUITE COMMAND: one that ends as the node
    rm -f pid said ask
    (in_suite "$1" sh -c "$2") > node.log 2>&1 & suite_pid=$!
    for _ in $(seq 3000); do
        [ -s pid ] && vm=$(cat pid) && wait_for_answer count && return
        kill -0 $suite_pid 2>/dev/null || { wait $suite_pid; return $?; }
        sleep 0.02
    done
    return 1
}
end_in() { kill -9 "$vm"; wait $suite_pid 2>/dev/null; vm=; }
stop_node() { [ -z "${vm:-}" ] || { kill -9 "$vm"; wait "$vm"; } 2>/dev/null; vm=; }
wait_for_answer() { # QUESTION: the answer is in `said`
    rm -f said; echo "$1" > ask.new && mv ask.new ask && wait_for said
}
ask() { wait_for_answer "$1" && cat said; }
state_at_rest() { # the same five times in 0.4 s: what a test before had in the node may end a moment later
    local was= now same=0
    for _ in $(seq 100); do
        now=$(ask state)
        if [ "$now" = "$was" ]; then same=$((same + 1)); else same=0; fi
        [ $same -lt 4 ] || break
        was=$now
        sleep 0.1
    done
    echo "$now"
}
attach() { "$STROBE" attach "$node" -o t.sbt --format json "$@" > attach.json 2> attach.err; }
# An attach that fails with one line: PATTERN CODE STROBE'S ARGUMENTS
one_line() {
    local pattern=$1 code=$2; shift 2
    "$STROBE" attach "$@" > attach.json 2> attach.err
    [ $? = "$code" ] && [ "$(wc -l < attach.err)" = 1 ] && grep -q "^strobe: .*$pattern" attach.err ||
        { cat attach.err; return 1; }
}
begin_attach() { # what to attach to, if not the node; $pid; returns when the recording has begun
    [ $# -gt 0 ] || set -- "$node"
    rm -f attach.err
    "$STROBE" attach "$@" -o t.sbt --duration 60s --format json > attach.json 2> attach.err & pid=$!
    for _ in $(seq 3000); do
        grep -q "^strobe: recording" attach.err 2>/dev/null && return
        kill -0 $pid || break
        sleep 0.02
    done
    cat attach.err; return 1
}
# Runs a command where no file system that can be written to may hold code; in a mount name space of its own.
deny_code='for f in /dev/shm /tmp /var/tmp "$HOME"; do
        mount --bind "$f" "$f" && mount -o remount,bind,noexec "$f" || exit; done; exec "$@"'
no_code() { unshare --mount --fork --kill-child sh -c "$deny_code" sh "$@"; }
# Runs a command where each folder that strobe could use is read-only, or has next to no room: HOW COMMAND
deny_room='how=$1; shift; for f in /dev/shm /tmp /var/tmp "$HOME"; do
        case $how in
        read-only) mount --bind "$f" "$f" && mount -o remount,bind,ro "$f" ;;
        full)      mount -t tmpfs -o size=16k none "$f" ;;
        esac || exit; done; exec "$@"'
no_room() { unshare --mount --fork --kill-child sh -c "$deny_room" sh "$@"; }
left_nothing() {
    grep -q '"left":\[\]' attach.json || { cat attach.json attach.err; return 1; }
    as_before
}
folders() {
    if [ -n "${boxed:-}" ]; then
        find "/proc/$(pgrep -P "$boxed")/root/dev/shm" /tmp /var/tmp "$HOME" -maxdepth 1 -name "strobe-$(cat pid)-*" \
            2>/dev/null
    else
        find /dev/shm /tmp /var/tmp "$HOME" -maxdepth 1 -name "strobe-$vm-*" 2>/dev/null
    fi
}
as_before() { # compares the node with $before, its state before; it cleans up in two seconds, on a busy machine later
    local now
    for _ in $(seq 300); do
        now=$(ask state)
        [ "$now" = "$before" ] && [ -z "$(folders)" ] && return
        sleep 0.1
    done
    echo "before: $before"; echo "now:    $now $(folders)"; return 1
}
events() { "$STROBE" info --format json "$1" | grep -o "\"$2\": *[0-9]*" | grep -o '[0-9]*$'; }
# A kill at a random moment, of the start or of the recording: WAY [COUNT]. Prints how long the node was not as before.
begin_way() {
    case $1 in
    attach) exec "$STROBE" attach "$node" -o k.sbt --duration 60s ;;
    flight) exec "$STROBE" attach "$node" -o k.sbt --flight 60s ;;
    top) exec "$STROBE" top "$node" --once --interval 60s ;;
    live) exec "$STROBE" serve --live "$node" --no-open --duration 60s ;;
    esac > attach.json 2> attach.err
}
killed() {
    local way=$1 n=${2:-1} slowest=0 since took
    for _ in $(seq "$n"); do
        begin_way "$way" & pid=$!
        sleep "0.$((RANDOM % 5))$((RANDOM % 10))"
        kill -9 $pid; wait $pid
        since=$(date +%s%N)
        as_before || return 1
        took=$((($(date +%s%N) - since) / 1000000))
        [ "$took" -le "$slowest" ] || slowest=$took
    done 2> /dev/null
    echo "as before within $slowest ms, $n times"
}
# Many attaches one after another. The first has made the atoms of our modules.
again_and_again() {
    local n=$1 atoms memory more
    attach --duration 100ms || { cat attach.err; return 1; }
    read -r atoms memory <<< "$(ask sizes | grep -o '[0-9]*' | tr '\n' ' ')"
    for _ in $(seq "$n"); do
        attach --duration 100ms || { cat attach.err; return 1; }
    done
    left_nothing || return 1
    more=$(ask sizes | grep -o '[0-9]*' | tr '\n' ' ')
    set -- $more
    echo "atoms $atoms, then $1; memory $memory, then $2"
    [ $(($1 - atoms)) -le 20 ] && [ $(($2 - memory)) -le 1048576 ]
}
