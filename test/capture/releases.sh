#!/bin/bash
# One library for all releases: the same program recorded by strobe and by OTP's own file port, on each release,
# counted.
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root" || exit 1
dir=$(mktemp -d "${TMPDIR:-/tmp}/strobe-releases-XXXXXX")
trap 'rm -rf "$dir"' EXIT
events() { build/strobe info --format json "$1" | grep -o "\"$2\": *[0-9]*" | grep -o '[0-9]*$'; }

cat > "$dir/counted.erl" <<'END'
-module(counted).
-export([main/0, fib/1]).
main() ->
    [Dir] = init:get_plain_arguments(),
    {P1, Go1} = prepare(),
    {ok, _, #{lost := 0}} = strobe:profile(Dir ++ "/ours.sbt", Go1,
        [{trace, [procs, messages, gc, calls]}, {modules, [?MODULE]}, {processes, [P1]}]),
    {P2, Go2} = prepare(),
    Port = (dbg:trace_port(file, Dir ++ "/theirs"))(),
    erlang:trace_pattern({?MODULE, '_', '_'}, true, [local]),
    erlang:trace(P2, true, [procs, send, 'receive', call, return_to, arity, set_on_spawn, {tracer, Port}]),
    Go2(),
    erlang:trace(all, false, [all]),
    port_close(Port),
    halt().
prepare() ->
    {P, R} = spawn_monitor(fun() -> receive go -> program() end end),
    {P, fun() -> P ! go, receive {'DOWN', R, process, P, _} -> ok end end}.
program() ->
    Self = self(),
    Pids = [spawn_link(fun() -> receive {go, X} -> Self ! {self(), fib(X)} end end) || _ <- lists:seq(1, 100)],
    %% The recording ends with this process, and the last child must not exit beside its end.
    Refs = [monitor(process, P) || P <- Pids],
    [begin P ! {go, 8}, receive {P, _} -> ok end, receive {'DOWN', R, _, _, _} -> ok end end
        || {P, R} <- lists:zip(Pids, Refs)].
fib(N) when N < 2 -> N;
fib(N) -> fib(N - 1) + fib(N - 2).
END

compare() { # SUITE, then how to run a command in it
    local suite=$1; shift
    rm -f "$dir"/ours.sbt "$dir"/theirs
    "$@" sh -c "cd $dir && erlc counted.erl && erl -noshell -pa $dir -pa \$OLDPWD/build/erlang/strobe/ebin \
        -s counted main -extra $dir" > "$dir/log" 2>&1
    case $? in 0) ;; 77) echo "ok releases: $suite # skip $(tail -n 1 "$dir/log")"; return ;; esac
    local bad=
    [ -s "$dir/theirs" ] || { echo "not ok releases: $suite: $(tail -n 2 "$dir/log" | tr '\n' ' ')"; return; }
    for kind in spawn spawned exit link getting_linked send receive call return_to; do
        [ -n "$(events "$dir/ours.sbt" $kind)" ] &&
            [ "$(events "$dir/ours.sbt" $kind)" = "$(events "$dir/theirs" $kind)" ] ||
            bad="$bad $kind $(events "$dir/ours.sbt" $kind)/$(events "$dir/theirs" $kind)"
    done
    if [ -z "$bad" ]; then echo "ok releases: $suite counts like OTP's file port"
    else echo "not ok releases: $suite: ours/theirs$bad $(tail -n 2 "$dir/log" | tr '\n' ' ')"; fi
}
compare "this machine's OTP" env
compare trixie tools/otp-chroot trixie
compare forky tools/otp-chroot forky
