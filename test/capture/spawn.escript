#!/usr/bin/env escript
%%! +S 2
%% Selective spawning: whose calls are recorded, and that all else is.
-mode(compile).

main(_) ->
    Root = filename:dirname(filename:dirname(filename:dirname(filename:absname(escript:script_name())))),
    put(strobe, os:getenv("STROBE", filename:join(Root, "build/strobe"))),
    code:add_patha(filename:join(filename:dirname(get(strobe)), "erlang/strobe/ebin")),
    Dir = string:trim(os:cmd("mktemp -d")),
    ok = file:set_cwd(Dir),
    ok = file:write_file("work.erl", "-module(work). -export([entry/1, step/1]).\n"
                         "entry(P) -> receive go -> step(1), P ! {done, self()} end.\nstep(N) -> N + 1.\n"),
    {ok, work} = compile:file("work"),
    code:add_patha("."),
    [run(Name, Test) || {Name, Test} <- tests()],
    file:set_cwd("/"),
    os:cmd("rm -rf " ++ Dir),
    halt().

run(Name, Test) ->
    try Test() of
        ok -> io:format("ok spawn: ~s~n", [Name])
    catch _:Reason:Stack -> io:format("not ok spawn: ~s: ~0P ~0P~n", [Name, Reason, 30, hd(Stack), 12])
    after
        catch strobe:stop_profile()
    end.

tests() ->
    Self = self(),
    [{"of forty by module and function nine have their calls recorded",
      fun() -> forty(fun() -> strobe:spawn(work, entry, [Self]) end) end},
     {"linked", fun() -> forty(fun() -> strobe:spawn_link(work, entry, [Self]) end) end},
     {"monitored", fun() -> forty(fun() -> {P, _} = strobe:spawn_monitor(work, entry, [Self]), P end) end},
     {"with options", fun() -> forty(fun() -> strobe:spawn_opt(work, entry, [Self], [{priority, low}]) end) end},
     {"funs of one place, whatever they close over",
      fun() -> forty(fun() -> X = make_ref(), strobe:spawn(fun() -> work:entry(Self), X end) end) end},
     {"on this node by name", fun() -> forty(fun() -> strobe:spawn(node(), work, entry, [Self]) end) end},
     {"what is not alike is not left out", fun different/0},
     {"the next recording counts anew", fun() -> forty(fun() -> strobe:spawn(work, entry, [Self]) end) end},
     {"without a recording it is plain spawning", fun plain/0}].

steps() ->
    Dump = string:lexemes(os:cmd(get(strobe) ++ " dump t.sbt"), "\n"),
    Calls = [L || L <- Dump, string:find(L, " call mfa=work:step/1") =/= nomatch],
    {length(Calls), length([L || L <- Dump, re:run(L, " spawn child=") =/= nomatch])}.

%% They do nothing until all are there: what is recorded of them does not depend on how fast they start.
together(Spawn, N) ->
    Pids = [Spawn() || _ <- lists:seq(1, N)],
    [P ! go || P <- Pids],
    [receive {done, P} -> ok end || P <- Pids],
    ok.

forty(Spawn) ->
    {ok, ok, #{lost := 0}} = strobe:profile("t.sbt", fun() -> together(Spawn, 40) end,
                                            [{trace, [procs, calls]}, {functions, [{work, step, 1}]},
                                             {processes, [self()]}]),
    %% the 1st, 2nd, 4th, 7th, 11th, 16th, 22nd, 29th, 37th
    {9, 40} = steps(),
    true = is_noted(),
    ok.

%% Every report of such a trace says that calls were left out.
is_noted() ->
    string:prefix(os:cmd(get(strobe) ++ " report t.sbt functions"), "THINNED: ") =/= nomatch.

different() ->
    Self = self(),
    {ok, _, _} = strobe:profile("t.sbt",
        fun() -> [ok, ok] = [together(fun() -> strobe:spawn(work, entry, [Self]) end, 2),
                             together(fun() -> strobe:spawn(fun() -> work:entry(Self) end) end, 2)] end,
        [{trace, [procs, calls]}, {functions, [{work, step, 1}]}, {processes, [self()]}]),
    {4, 4} = steps(),
    false = is_noted(),
    ok.

plain() ->
    Self = self(),
    together(fun() -> strobe:spawn(work, entry, [Self]) end, 5),
    {ok, _, _} = strobe:profile("t.sbt", fun() -> together(fun() -> strobe:spawn(work, entry, [Self]) end, 5) end,
                                [{trace, [procs]}, {processes, [self()]}]),
    {0, 5} = steps(),
    false = is_noted(),
    ok.
