#!/bin/bash
# The flight recorder: what a trace of the last seconds holds, what has one written, and what may fail. A process of the
# program counts its messages and writes the count into the trace, so the trace is held against the program's own count.
. "$(dirname "$0")/lib/flight.sh"
# Who was born long before the window has its name, parent, entry and state.
knows() {
    waits "$1" && names "$1" &&
        [ "$(query "$1" "SELECT count(*) FROM process WHERE entry LIKE 'shop:%' AND parent IS NOT NULL")" -ge 5 ]
}
waits() {
    [ "$(query "$1" "SELECT count(*) FROM process WHERE name = 'waiter' AND unknown_ns = 0 AND run_ns = 0
        AND wait_ns > 900000000")" = 1 ]
}
names() {
    [ "$(query "$1" "SELECT count(*) FROM process WHERE name IN ('sink', 'counter') AND run_ns > 0
        AND parent IS NOT NULL")" = 2 ]
}

# ---- asked for
of_last_seconds() {
    sleep 2.5 # the recording is to be longer than the window, by some windows
    snapshot || return 1
    [ "$(basename "$(cat path)")" = f.1.sbt ] && [ "$(ls ./*.sbt)" = ./f.1.sbt ] && spans f.1.sbt 990 "$(lasted)" &&
        loses_nothing f.1.sbt && counts_hold f.1.sbt && has_mark f.1.sbt "^strobe snapshot$" && knows f.1.sbt
}
two_at_once() {
    "$STROBE" snapshot "$vm" -o a.sbt --why one > a.out & local a=$!
    "$STROBE" snapshot "$vm" -o b.sbt --why two > b.out & local b=$!
    wait $a && wait $b && for f in $(cat a.out b.out); do counts_hold "$f" || return 1; done
    has_mark "$(cat a.out)" one && has_mark "$(cat b.out)" two
}
keeps_two() {
    snapshot && snapshot && snapshot && [ "$(echo f.*.sbt)" = "f.3.sbt f.4.sbt" ] || { ls; return 1; }
}
gone_folder() { # no trace can be created there: one line, and the recorder goes on
    snapshot -o "$dir/no.sbt/x.sbt"; [ $? != 0 ] || return 1
    mkdir away && "$STROBE" snapshot "$vm" -o away/x.sbt >/dev/null && rm -r away && snapshot
}
full_disk() {
    snapshot -o small/x.sbt && return 1
    [ "$(wc -l < snapshot.err)" = 1 ] && grep -q "No space left" snapshot.err && [ -z "$(ls small)" ] && snapshot
}
no_recorder() {
    for arguments in "$$" 99999999 "no_such_node_$$"; do
        # shellcheck disable=SC2086
        "$STROBE" snapshot $arguments 2> err; [ $? = 1 ] && [ "$(wc -l < err)" = 1 ] || { cat err; return 1; }
    done
    of_plain_node
}
# Asks for a trace of a node without a recorder, after a command that is given its process.
of_plain_node() {
    rm -f other; erl -noshell -eval 'file:write_file("other.new", os:getpid()), file:rename("other.new", "other").' &
    local pid=$! code
    wait_for test -s other && "${@:-true}" "$(cat other)" && "$STROBE" snapshot "$(cat other)" 2> err; code=$?
    kill $pid; wait $pid 2>/dev/null
    [ $code = 1 ] && grep -q "has no flight recorder: start one: strobe attach" err || { cat err; return 1; }
}
killed_drain() { # the window goes with it; the next one learns again who is who
    local drain
    drain=$(pgrep -P "$recorder" -f strobe-drain) && kill -9 "$drain" || return 1
    known() {
        snapshot -o after.sbt && rm -f after.sbp && names after.sbt &&
            counts_hold after.sbt | grep -q ", [1-9][0-9]* messages"
    }
    wait_for known && counts_hold after.sbt
}
node_dies() { # its last second is a trace, although nobody asked
    kill -9 "$vm"; wait "$recorder" 2>/dev/null; vm='' recorder=''
    local last; last=$(find . -name 'f.*.sbt' | sort -V | tail -1)
    grep -q "strobe: f.*: the last .*the node ended" record.err && has_mark "$last" "the node ended" &&
        counts_hold "$last" && spans "$last" 1 "$(lasted)"
}
foreign_rings() { # that another user has put there, with a recorder that seems to run
    of_plain_node forge_rings; local code=$?
    rm -r "$fake"; return $code
}
forge_rings() { # of this process
    fake=/dev/shm/strobe-$$-foreign
    mkdir "$fake" && head -c 4096 /dev/shm/strobe-*/"$vm".rings > "$fake/$1.rings" &&
        python3 -c "import struct; f = open('$fake/$1.rings', 'r+b'); f.seek(40); f.write(struct.pack('I', $1))" &&
        chown 65534 "$fake/$1.rings"
}
begin --flight 1s --keep 2 || echo "not ok flight: a node starts: $(cat record.err)"
check "a trace of the last second, by the program's own count" of_last_seconds
check "two at once" two_at_once
check "the last two are kept" keeps_two
check "a folder that is not there is an error of that trace alone" gone_folder
if mkdir -p small && mount -t tmpfs -o size=4k none small 2>/dev/null; then check "the disk is full" full_disk
else echo "ok flight: the disk is full # SKIP nothing can be mounted here"; fi
check "a node without a recorder: one line that says what to do" no_recorder
if [ "$(id -u)" = 0 ]; then check "rings that another user has put there" foreign_rings
else echo "ok flight: rings that another user has put there # SKIP only root can make them"; fi
check "the drain is killed" killed_drain
check "the node is killed: its last second is written" node_dies

# ---- a folder of traces that others write to
planted() { # links with the names of traces to come: what they name stays as it is, or does not come to be
    echo precious > victim
    ln -s "$dir/victim" traces/f.1.sbt.part && ln -s "$dir/victim" traces/f.2.sbt && mkdir traces/f.3.sbt &&
        mkfifo traces/f.4.sbt.part && ln -s "$dir/nothing" traces/f.5.sbt &&
        ln -s "$dir/victim" traces/g.sbt && ln -s "$dir/victim" traces/g.sbt.part || return 1
    snapshot && [ "$(basename "$(cat path)")" = f.5.sbt ] && [ -f traces/f.5.sbt ] && ! [ -L traces/f.5.sbt ] &&
        snapshot -o traces/g.sbt && ! [ -L traces/g.sbt ] && loses_nothing traces/g.sbt &&
        [ "$(cat victim)" = precious ] && ! [ -e nothing ] || { ls -l traces; return 1; }
}
removed() { # and made again, with a file in its place meanwhile
    rm -r traces; snapshot && return 1
    touch traces; snapshot && return 1
    [ "$(wc -l < snapshot.err)" = 1 ] && rm traces && mkdir traces && snapshot &&
        has_mark "$(cat path)" "^strobe snapshot$"
}
mkdir traces
traces=traces begin --flight 1s --keep 3 || echo "not ok flight: a node starts: $(cat record.err)"
check "links in the folder of the traces" planted
check "the folder of the traces is removed" removed
stop

# ---- triggers
fires() { # FILE that the program obeys, TEXT of the mark
    touch "$1"
    wait_for grep -q "strobe: f.*$2" record.err || { cat record.err; return 1; }
    trace=$(grep "$2" record.err | head -1 | sed 's/^strobe: \([^:]*\):.*/\1/')
    has_mark "$trace" "$2"
}
call() { # the stacks of both sides are in the trace
    fires call "a call of <.*> to stock takes longer than 300 ms" &&
        has_mark "$trace" "^<.*> waits in gen:do_call/4.* < gen_server:call/[23]" &&
        has_mark "$trace" "^<.*> waits in shop:stock/0 (shop.erl:[0-9]*)"
}
once() { # a condition that goes on to hold is written once
    touch mailbox && wait_for test ! -e mailbox && snapshot && sleep 0.3 && snapshot &&
        [ "$(grep -c 'the mailbox of' record.err)" = 1 ] || { cat record.err; return 1; }
}
begin --flight 30s --when 'mailbox > 1000' --when 'no_yield > 300ms' --when 'call stock > 300ms' --when 'log error' \
    --when 'memory > 250M' --when 'run_queue > 50 for 200ms' --when 'run_queue > 5000 for 1ms' ||
    echo "not ok flight: a node starts: $(cat record.err)"
check "a mailbox over its limit" fires mailbox "the mailbox of <.*> has [0-9,]* messages"
check "and once only" once
check "a call that takes long" call
check "a process that does not yield" fires hog "yield.* for "
check "an event of the log" fires log "log error: the shop is closed"
# 200 processes are in the queues, but for those that run.
queue() {
    fires queue "processes are in run queues, more than 50 for [0-9.]* m*s"
    local code=$? queued
    touch calm
    queued=$(grep -o '[0-9]* processes are in run queues' record.err | grep -o '^[0-9]*')
    echo "$queued processes"; [ $code = 0 ] && [ "$queued" -gt 50 ] && [ "$queued" -lt 230 ]
}
check "run queues over their limit, which no more than 200 processes are in" queue
check "memory" fires memory "the node's memory is"
stop
wrong() {
    "$STROBE" record --flight 5s --when 'mailbocks > 3' -- true 2> err; [ $? = 2 ] && grep -q "is no condition" err &&
        ! "$STROBE" record --when 'mailbox > 3' -- true 2> err && grep -q "needs --flight" err
}
check "a wrong condition is refused before anything runs" wrong

# ---- in a node that runs already, and from within
attached() {
    rm -f pid; erl -noshell -sname "flight_$$" -setcookie "c$$" -pa . -s shop start & local node=$!
    wait_for test -s pid && vm=$(cat pid) || return 1
    "$STROBE" attach "flight_$$" -o t.sbt --flight 1s --when 'log error' 2> attach.err & local attach=$!
    known() { "$STROBE" snapshot "flight_$$" > path && waits "$(cat path)" && names "$(cat path)"; }
    wait_for grep -q "keeping the last" attach.err && wait_for known && touch log &&
        wait_for grep -q "log error: the shop" attach.err && kill -INT $attach && wait $attach &&
        grep -q "is as before" attach.err
    local code=$?
    kill -9 $node; wait $node $attach 2>/dev/null; vm=
    [ $code = 0 ] || cat attach.err
    return $code
}
within() { # strobe:flight/1 and snapshot/1
    cat > t.erl <<'ERL'
-module(t).
-export([main/0]).
main() ->
    {error, no_flight_recorder} = strobe:snapshot("early"),
    {error, {bad_trigger, _}} = strobe:flight(#{triggers => ["mailbox < 1"]}),
    {error, {bad_option, _}} = strobe:flight(#{keep => 0}),
    Self = self(),
    spawn(fun() -> {ok, _} = strobe:flight(#{window => "1s", file => "w.sbt", keep => 3}), Self ! on end),
    receive on -> ok end, % it outlives the process that started it
    shop:start(),
    timer:sleep(1500),
    {ok, Path} = strobe:snapshot("at noon"),
    "w.1.sbt" = filename:basename(Path),
    {ok, _} = strobe:stop_profile(),
    {error, no_flight_recorder} = strobe:snapshot("late"),
    [] = left(100),
    erlang:halt(0).
left(Tries) -> % processes of strobe
    case [P || P <- processes(), {_, {M, _, _}} <- [process_info(P, current_function)],
               lists:prefix("strobe", atom_to_list(M))] of
        [_ | _] when Tries > 0 -> timer:sleep(20), left(Tries - 1);
        Left -> Left
    end.
ERL
    erlc t.erl && erl -noshell -pa . -pa "$(dirname "$STROBE")/erlang/strobe/ebin" -s t main &&
        has_mark w.1.sbt "^at noon$" && counts_hold w.1.sbt && knows w.1.sbt && [ ! -e w.2.sbt ]
}
check "attach --flight; the node is left as it was" attached
check "strobe:flight/1 and strobe:snapshot/1" within
