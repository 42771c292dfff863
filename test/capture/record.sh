#!/bin/sh
# `strobe record` as a user meets it: what runs, what comes out, which exit code.
STROBE=${STROBE:-$(cd "$(dirname "$0")/../.." && pwd)/build/strobe}
dir=$(mktemp -d) && cd "$dir" || exit 1
trap 'rm -rf "$dir"' EXIT

check() { # NAME, then a command that must succeed
    name=$1; shift
    if "$@" >out.log 2>&1; then echo "ok record: $name"
    else echo "not ok record: $name: $(tail -n 3 out.log | tr '\n' ' ')"; fi
}
events() { # of a kind in a trace
    "$STROBE" info --format json "$1" | grep -o "\"$2\": *[0-9]*" | grep -o '[0-9]*$'
}
exits() { # CODE, then a command
    want=$1; shift
    "$@" 2>err.log; got=$?
    [ "$got" = "$want" ] || { cat err.log; echo "exit code $got instead of $want"; return 1; }
}

spawns='S = self(), [spawn(fun() -> S ! {hi, lists:seq(1, 10)} end) || _ <- lists:seq(1, 100)],
    [receive {hi, _} -> ok end || _ <- lists:seq(1, 100)]'
run_erl() { exits 3 "$STROBE" record -o t.sbt -- erl -noshell -eval "$spawns, halt(3)."; }
count_erl() { # 100 of ours, and what the VM does by itself
    [ "$(events t.sbt spawn)" -ge 100 ] && [ "$(events t.sbt exit)" -ge 100 ] && [ "$(events t.sbt send)" -ge 100 ]
}
check "erl, and its exit code" run_erl
plan() {
    local line="strobe: recording erl: procs into p.sbt; press Ctrl-C to stop; stops after 90.0 s"
    line="$line or 1,000,000 events"
    exits 0 "$STROBE" record -o p.sbt --trace procs --duration 90s --limit-events 1000000 -- erl -noshell \
        -eval 'halt().' &&
        { head -n 1 err.log | grep -qxF "$line"; } ||
            { head -n 1 err.log; return 1; }
}
check "what is recorded is said before it begins" plan
check "every spawn, exit and send is there" count_erl
narrow() { # the kinds of events break at the width of the terminal
    COLUMNS=50 "$STROBE" record -o n.sbt -- erl -noshell -eval 'halt().' 2> narrow.log
    awk '/^  events/ { kinds = 1 } /^  lost/ { kinds = 0 } kinds { n++; wide += length > 50 }
         END { exit n < 3 || wide > 0 }' narrow.log || { cat narrow.log; return 1; }
}
check "the list of events fits the terminal" narrow
parents() { # the first process of a node has none, and nobody is called so
    "$STROBE" dump t.sbt > t.txt && grep -q '<0.0.0> .* exists name=init' t.txt &&
        grep -q 'exists parent=<0.0.0>' t.txt &&
        ! grep -q 'parent=none' t.txt
}
check "who was there before, and whose child it is" parents

# A trace says in words when, where and by which command it was recorded; a cookie is left out, and control characters
# are not printed.
facts() {
    before=$(date -u '+%Y-%m-%d %H:%M:%S UTC')
    code="io:format(\"$(printf '\033')\"), halt()."
    exits 0 "$STROBE" record -o i.sbt --trace procs,running -- erl -noshell -setcookie hush -eval "$code" >log ||
        return 1
    after=$(date -u '+%Y-%m-%d %H:%M:%S UTC')
    "$STROBE" report i.sbt >log
    for file in i.sbt i.sbp; do
        "$STROBE" info $file >facts
        date=$(sed -n 's/^date  *//p' facts)
        expr "$date" '>=' "$before" '&' "$date" '<=' "$after" &&
            grep -qx "host  *$(cat /proc/sys/kernel/hostname)" facts &&
            grep -q "^system  *linux $(uname -r | cut -d- -f1)" facts &&
            grep -qxF "command              erl -noshell -setcookie ... -eval 'io:format(\"?\"), halt().'" facts ||
            return 1
    done
    ! grep -q hush i.sbt &&
        "$STROBE" info i.sbt >facts &&
        grep -q "^dirty I/O schedulers  *[0-9]" facts &&
        grep -q "^cost of recording .* for each event of running" facts &&
        ! sed '/^kind /,$d; s/  .*//' facts | grep '_' # a name that only readers of JSON know
}
check "when, where and by which command" facts

keeps() { # three recordings under one name: the last two are there
    for i in 1 2 3; do
        exits $i "$STROBE" record -o k.sbt --trace procs -- erl -noshell -eval "halt($i)." && cp k.sbt k$i || return 1
    done
    grep -q '^  kept     the earlier trace, as k.sbt.old$' err.log && cmp k.sbt k3 && cmp k.sbt.old k2
}
check "an earlier trace of the same name is kept" keeps

printf -- '-module(x).\n-export([f/1]).\nf(0) -> 0;\nf(N) -> 1 + f(N - 1).\n' > x.erl
check "erlc" exits 0 "$STROBE" record -o e.sbt -- erlc x.erl
calls() {
    exits 0 "$STROBE" record -o c.sbt --trace calls --module x -- erl -noshell -eval 'x:f(1000), halt().' &&
        [ "$(events c.sbt call)" = 1001 ] && [ "$(events c.sbt return_to)" = 1001 ] && [ -z "$(events c.sbt send)" ]
}
check "calls of one module, and nothing else" calls

# Whole modules are loaded while the application is not known: their calls are not what was asked for.
mkdir -p late/ebin && erlc -o late/ebin x.erl
echo '{application, late_app, [{vsn, "1"}, {modules, [x]}, {applications, [kernel]}]}.' > late/ebin/late_app.app
# by the node, or from OTP 27 by a session
traced='Traced = case code:ensure_loaded(trace) of
        {module, _} -> fun() -> [trace:info(S, {x,f,1}, traced) || {strobe, _} = S <- trace:session_info(all)] end;
        _ -> fun() -> [erlang:trace_info({x,f,1}, traced)] end
    end,
    W = fun W() -> lists:member({traced, local}, Traced()) orelse begin timer:sleep(1), W() end end, W()'
late() {
    exits 0 "$STROBE" record -o l.sbt --trace calls --app late_app -- erl -noshell -eval \
        "dict:new(), digraph:new(), string:uppercase(\"a\"), code:add_patha(\"late/ebin\"),
         application:load(late_app), $traced, x:f(10), halt()." &&
        [ "$(events l.sbt call)" = 11 ] && [ "$(events l.sbt return_to)" = 11 ] && ! grep -q 'no application' err.log
}
check "an application that becomes known later, and nothing else" late
unknown() {
    exits 0 "$STROBE" record -o u.sbt --trace calls --app lateapp --app nosuch --module Lists --module lsits -- erl \
        -noshell -eval \
        'code:add_patha("late/ebin"), application:load(late_app), x:f(3),
         Missing = filename:join(os:getenv("STROBE_RECORD"), os:getpid() ++ ".missing"),
         W = fun W() -> case file:read_file(Missing) of
             {ok, T} -> string:find(T, "late_app") =/= nomatch orelse W(); _ -> W() end end, W(), halt().' &&
        [ -z "$(events u.sbt call)" ] && grep '^strobe: no ' err.log | diff - wanted
}
cat > wanted <<'TXT'
strobe: no application lateapp was loaded: did you mean late_app?
strobe: no application nosuch was loaded
strobe: no module Lists was loaded: did you mean lists?
strobe: no module lsits was loaded: did you mean lists?
TXT
check "unknown names are reported, with the nearest name" unknown
# The program adds to its code path; it goes on when the rings hold the new folder.
mkdir -p far/away
printf -- '-module(faraway).\n-export([run/0]).\nrun() -> spawn(fun() -> ok end).\n' > far/away/faraway.erl &&
    erlc -o far/away far/away/faraway.erl
fun_names() {
    exits 0 "$STROBE" record -o f.sbt --buffer 1M -- erl -noshell -eval \
        'code:add_patha("far/away"), faraway:run(),
         Rings = filename:join(os:getenv("STROBE_RECORD"), os:getpid() ++ ".rings"),
         W = fun W() -> case file:read_file(Rings) of
             {ok, B} -> binary:match(B, list_to_binary(filename:absname("far/away"))) =/= nomatch orelse W();
             _ -> W() end end, W(), halt().' &&
        "$STROBE" dump f.sbt | grep -q "spawned .*entry=faraway:'-run/0-fun-0-'/0"
}
check "funs of modules from a path that is added later have their names" fun_names
if command -v elixir >/dev/null; then
    elixir_names() {
        exits 0 "$STROBE" record -o n.sbt --trace calls --module Enum -- elixir -e 'Enum.map([1, 2], fn x -> x end)' &&
            ! grep -q 'no module' err.log && "$STROBE" query \
                --format csv n.sbt "SELECT mfa FROM function WHERE calls > 0" > names &&
            grep -q "'Elixir.Enum':map/2" names && ! sed 1d names | grep -qv "'Elixir.Enum':"
    }
    check "a module of Elixir, by its name there" elixir_names
fi

printf '#!/usr/bin/env escript\nmain(A) -> io:format("~%%p", [A]), halt(7).\n' | sed 's/%//' > s.escript
script() {
    chmod +x s.escript
    exits 7 "$STROBE" record -o s.sbt -- ./s.escript a b > said && [ "$(cat said)" = '["a","b"]' ]
}
check "an escript, with its output untouched" script

several() {
    printf '#!/bin/sh\nerl -noshell -eval "halt()."\nerl -noshell -eval "%s, halt()."\n' "$spawns" > two.sh
    exits 0 "$STROBE" record -o v.sbt -- sh two.sh && [ "$(events v.sbt spawn)" -ge 100 ] &&
        [ "$(ls v.*.sbt | wc -l)" = 1 ]
}
check "two VMs give two traces, the larger by the name asked for" several

check "a command that starts no BEAM keeps its exit code" exits 4 "$STROBE" record -- sh -c 'exit 4'
check "no BEAM at all is our failure" exits 125 "$STROBE" record -- true
check "a command that does not exist" exits 127 "$STROBE" record -- ./nosuch
check "calls of everything are refused" exits 2 "$STROBE" record --trace calls -- erl
check "an unknown class is refused" exits 2 "$STROBE" record --trace sneezes -- erl
