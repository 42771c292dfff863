#!/bin/bash
# What `strobe record` says and does while the command runs, and for VMs in the background or of another user.
# Programs wait for files that the recording makes, not for a time.
STROBE=${STROBE:-$(cd "$(dirname "$0")/../.." && pwd)/build/strobe}
dir=$(mktemp -d) && chmod 755 "$dir" && cd "$dir" || exit 1
trap 'rm -rf "$dir"' EXIT
check() { # NAME, then a command that must succeed
    local name=$1; shift
    if "$@" >out.log 2>&1; then echo "ok background: $name"
    else echo "not ok background: $name: $(head -n 2 out.log | tr "\n" " ")... $(tail -n 5 out.log | tr "\n" " ")"; fi
}
same() { [ "$2" = "$3" ] || { echo "$1: $3, not $2"; cat err.log; return 1; }; }
says() { grep -qE "$1" err.log || { echo "'$1' is missing:"; cat err.log; return 1; }; }
events() { "$STROBE" info --format json "$1" | grep -o "\"$2\": *[0-9]*" | grep -o '[0-9]*$'; }
until_file() { echo "W = fun W() -> filelib:is_regular(\"$1\") orelse (receive after 20 -> W() end) end, W()"; }
rings='W = fun W() -> filelib:is_regular(filename:join(os:getenv("STROBE_RECORD"), os:getpid() ++ ".rings"))
    orelse (receive after 20 -> W() end) end, W()'

limit() {
    timeout 100 "$STROBE" record -o l.sbt --duration 100ms -- erl -noshell -eval \
        "$(until_file l.sbt), halt(5)." 2>err.log
    same "exit code" 5 $? && says '^strobe: recording the VM of process [0-9]+$' &&
        says '^strobe: the recording has ended; erl continues$' &&
        same "the summary, once" 1 "$(grep -c ' events in ' err.log)" && says '^  ended    by the time limit$' &&
        same traces "l.sbt" "$(echo l*)"
}
check "a trace that a limit has completed is there while the program continues" limit

over() { # two VMs run, and a third starts when the report has been printed
    cat > service.sh <<'END'
#!/bin/sh
erl -noshell -eval "$WAIT" &
erl -noshell -eval "$WAIT" &
for _ in $(seq 3000); do grep -q '  ended    by the time limit' err.log && break; sleep 0.02; done
erl -noshell -eval 'halt().'
touch over
wait
END
    WAIT="$(until_file over), halt()." timeout 100 "$STROBE" record -o o.sbt --duration 2s --report always -- \
        sh service.sh 2>err.log
    same "exit code" 0 $? && says '^strobe: the recording has ended; sh continues$' &&
        [ "$(grep -c 'recording the VM' err.log)" -le 2 ] && [ "$(ls o*.sbt | wc -l)" -le 2 ] &&
        awk '/^Worth looking at$/ { look = NR } /^strobe: o.sbt: / { exit !look }' err.log || { cat err.log; return 1; }
}
check "after --duration the report is printed, and no VM is recorded any more" over

larger() { # the first VM ends by its limit and has the name until a larger trace comes
    cat > two.sh <<'END'
#!/bin/sh
erl -noshell -eval "$FIRST, halt()."
erl -noshell -eval "[spawn(fun() -> ok end) || _ <- lists:seq(1, 3000)], halt()."
END
    FIRST=$(until_file v.sbt) timeout 100 "$STROBE" record -o v.sbt --limit-events 1000 --trace procs,running -- \
        sh two.sh 2>err.log
    same "exit code" 0 $? && same "two traces" 2 "$(ls v*.sbt | wc -l)" &&
        [ "$(events v.sbt spawn)" -gt "$(events v.*.sbt spawn)" ] && says '  another VM: v\.[0-9]+\.sbt' &&
        says '  all      .* analyze v\.sbt v\.[0-9]+\.sbt -o all\.sbp'
}
check "the larger of two traces has the name in the end" larger

delay() {
    local spawns='[spawn(fun() -> ok end) || _ <- lists:seq(1, 300)]'
    timeout 100 "$STROBE" record -o d.sbt --delay 2s -- erl -noshell -eval "$spawns, $rings, W2 = fun W2() ->
        erlang:trace_info(new_processes, tracer) =:= {tracer, []} andalso W2() end, W2(),
        [spawn(fun() -> ok end) || _ <- lists:seq(1, 7)], halt()." 2>err.log
    same "exit code" 0 $? && [ "$(events d.sbt spawn)" -ge 7 ] && [ "$(events d.sbt spawn)" -lt 200 ]
}
if [ "$(erl -noshell -eval 'io:put_chars(erlang:system_info(otp_release)), halt().')" -lt 27 ]; then
    check "a recording begins after --delay" delay
fi
late() {
    timeout 100 "$STROBE" record -o n.sbt --delay 1h -- erl -noshell -eval 'halt().' 2>err.log
    same "exit code" 125 $? && says 'started none that lived longer than --delay'
}
check "a program that ends before is not recorded" late

detached() {
    timeout 100 "$STROBE" record -o b.sbt -- erl -detached -noshell -eval "$(until_file go),
        [spawn(fun() -> ok end) || _ <- lists:seq(1, 100)], halt()." 2>err.log & local recorder=$!
    for _ in $(seq 3000); do grep -q 'erl has ended; its VM' err.log && break; sleep 0.02; done
    touch go; wait $recorder
    same "exit code" 0 $? && says 'process [0-9]+, continues and is recorded until it ends' &&
        [ "$(events b.sbt spawn)" -ge 100 ]
}
check "a VM in the background is recorded until it ends" detached

unit() {
    for wrong in "--duration 10" "--delay 5" "--duration 0s" "--buffer 1" "--level 99"; do
        # shellcheck disable=SC2086
        "$STROBE" record $wrong -- true 2>err.log; same "$wrong" 2 $? || return 1
    done
    "$STROBE" record --duration 10 -- true 2>err.log; says 'with its unit, as in 10s'
}
check "times without a unit and impossible sizes are refused" unit

# ---- start scripts that become another user
if [ "$(id -u)" != 0 ] || ! command -v su > /dev/null ||
    ! su nobody -s /bin/sh -c "test -x '$STROBE' && cd '$dir'"; then
    echo "ok background: a VM of another user # SKIP needs root, su, and a checkout that every user can read"
    exit 0
fi
as_nobody() {
    printf '%s\n' "#!/bin/sh" "exec su nobody -s /bin/sh -c 'HOME=/tmp exec erl -noshell -eval \"$1\"'" > su.sh
}
other_user() {
    as_nobody '[spawn(fun() -> ok end) || _ <- lists:seq(1, 100)], io:put_chars(os:cmd(\"id -un\")), halt(4).'
    same user nobody "$(timeout 100 "$STROBE" record -o o.sbt -- sh su.sh 2>err.log)" &&
        [ "$(events o.sbt spawn)" -ge 100 ] && says 'recording the VM of process'
}
check "a VM of another user is recorded by root" other_user
no_access() { # as if somebody else had started the recording
    mkdir -m 700 closed
    as_nobody 'halt().'
    STROBE_RECORD=$dir/closed ERL_AFLAGS="-pa $(dirname "$STROBE")/erlang/strobe/ebin -s strobe_boot" \
        sh su.sh 2>err.log
    same "exit code" 0 $? && says 'strobe: this VM runs unrecorded, as another user than strobe record: no access to'
}
check "a VM without access to the recording says why it is not recorded" no_access
private() {
    local build; build=$(dirname "$STROBE")
    mkdir -m 700 home && cp "$STROBE" "$build/strobe-drain" home && cp -r "$build/erlang" home
    as_nobody 'halt().'
    home/strobe record -o p.sbt -- sh su.sh 2>err.log
    same "exit code" 125 $? && says "VMs of other users run unrecorded, since only root can read strobe's folder" &&
        ! grep -q 'init terminating' err.log && home/strobe record -o p.sbt -- erl -noshell -eval 'halt().'
}
check "a strobe that only root can read leaves VMs of other users alone" private
foreign() { # rings of a process that the command did not start are not opened
    as_nobody 'Dir = os:getenv(\"STROBE_RECORD\"),
        file:write_file(filename:join(Dir, \"1.rings\"), <<0:80000>>), halt().'
    timeout 100 "$STROBE" record -o f.sbt -- sh su.sh 2>err.log
    same "exit code" 0 $? && ! grep -q 'process 1$' err.log && same traces f.sbt "$(echo f*.sbt)"
}
check "files that others put there are not read" foreign
hostile() { # what a stranger says is not read; what a VM says is limited and printable
    as_nobody 'Dir = os:getenv(\"STROBE_RECORD\"), Path = fun(Name) -> filename:join(Dir, Name) end, Me = os:getpid(),
        ok = file:write_file(Path(\"1.failed\"), <<27, \"[31mstranger\">>),
        [] = os:cmd(\"truncate -s 60G \" ++ Path(\"2.failed\")),
        ok = file:make_symlink(\"/proc/version\", Path(Me ++ \".missing\")),
        ok = file:write_file(Path(Me ++ \".failed\"), [27, \"[31mmine\", 7, lists:duplicate(100000, 120)]),
        [ok = file:write_file(Path(integer_to_list(N) ++ \".rings\"), <<>>) || N <- lists:seq(10000000, 10000200)],
        W = fun W() -> filelib:is_regular(Path(\"10000200.rings\")) andalso (receive after 20 -> W() end) end,
        W(), halt().'
    timeout 100 "$STROBE" record -o h.sbt -- sh su.sh 2>err.log
    same "exit code" 0 $? && says 'runs unrecorded: \?\[31mmine\?x+$' && ! grep -qE 'stranger|Linux' err.log &&
        ! LC_ALL=C grep -q '[[:cntrl:]]' err.log && [ "$(wc -c < err.log)" -lt 4000 ] &&
        same traces h.sbt "$(echo h*.sbt)"
}
check "what others write cannot end the recording, nor reach the terminal as it is" hostile
