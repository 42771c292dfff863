#!/usr/bin/env escript
%%! +S 1 -kernel logger_level emergency
%% A VM whose terms are laid out in an unknown way: the tracer then asks the VM for what it would read from their words,
%% and records the same events.
-mode(compile).

main(_) ->
    Root = filename:dirname(filename:dirname(filename:dirname(filename:absname(escript:script_name())))),
    put(strobe, os:getenv("STROBE", filename:join(Root, "build/strobe"))),
    code:add_patha(filename:join(filename:dirname(get(strobe)), "erlang/strobe/ebin")),
    Dir = string:trim(os:cmd("mktemp -d")),
    ok = file:set_cwd(Dir),
    program_loaded(),
    Probes = erlang:append_element(strobe_layout:probes(), {true, []}),
    Known = recorded("known", Probes),
    Unknown = recorded("unknown", nothing_learned(Probes)),
    [run(Name, Test) || {Name, Test} <- [{"the program has events of each kind", fun() -> kinds(Known) end},
                                         {"the same events, whether terms are known or not",
                                          fun() -> same(Known, Unknown) end},
                                         {"pids have the numbers that the VM prints", fun() -> pids(Known) end}]],
    file:set_cwd("/"),
    os:cmd("rm -rf " ++ Dir),
    halt().

run(Name, Test) ->
    try Test() of
        ok -> io:format("ok fallback: ~s~n", [Name])
    catch _:Reason:Stack -> io:format("not ok fallback: ~s: ~0tP ~0tP~n", [Name, Reason, 60, hd(Stack), 12])
    end.

%% Probes of no pid, no port, no alias and no fun; the sizes of terms are no layout.
nothing_learned({{Limit, _}, {PortLimit, _}, _, Words, _, Room}) ->
    {{Limit, []}, {PortLimit, []}, none, Words, {}, Room}.

%% ---- the program: one process after another on one scheduler, so that the order of its events is known

program_loaded() ->
    ok = file:write_file("work.erl", "-module(work). -export([one/1, two/2]).\n"
                                     "one(X) -> X + two(X, 1) + 1.\ntwo(X, Y) -> X * Y.\n"),
    {ok, work} = compile:file("work"),
    code:add_patha("."),
    {module, work} = code:load_file(work).

messages() ->
    [a, {}, {a}, {1, 2, 3}, [], [a], [1, 2, 3], "text", [[1], [2, [3]]], 1.5, {1.5, [2.5]}, #{}, #{a => 1},
     #{a => 1, b => {2}, c => [3]}, make_ref(), 1 bsl 62, -(1 bsl 62), 1 bsl 59, 1 bsl 80, <<1, 2, 3>>, <<5:3>>,
     binary:copy(<<1>>, 300), [a | b], {self(), ok}, fun lists:map/2, {'EXIT', self(), normal},
     {'DOWN', make_ref(), process, self(), gone}].

program(From) ->
    process_flag(trap_exit, true),
    register(famous, self()),
    [begin self() ! M, receive M -> ok end end || M <- messages()],
    famous ! {by, name}, receive {by, name} -> ok end,
    {famous, node()} ! {by, name, node()}, receive {by, name, _} -> ok end,
    binary_to_term(<<131, 88, 119, 5, "a@b.c", 12:32, 3:32, 7:32>>) ! far,
    P = spawn_link(fun() -> receive {go, To} -> To ! {self(), done} end, exit({because, [work, {one, 1}]}) end),
    P ! {go, self()},
    receive {P, done} -> ok end,
    receive {'EXIT', P, _} -> ok end,
    {Q, R} = spawn_monitor(work, one, [1]),
    receive {'DOWN', R, process, Q, _} -> ok end,
    N = erlang:system_info(process_limit) div 4, % since OTP 26 such a number has other low bits in its word
    [work:one(I) || I <- [1, 2, 3, N]],
    erlang:garbage_collect(),
    unregister(famous),
    From ! {self(), [self(), P, Q]}.

%% ---- recorded by the tracer alone, without a session

recorded(Name, Probes) ->
    Rings = filename:absname(os:getpid() ++ ".rings"),
    ok = strobe_nif:open(list_to_binary(Rings), strobe_layout:sizes(8 bsl 20), Probes),
    {Pid, Ref} = spawn_monitor(fun() -> receive {go, From} -> program(From) end end),
    strobe_nif:begin_(),
    erlang:trace_pattern({work, '_', '_'}, true, [local]),
    erlang:trace(Pid, true, [procs, send, 'receive', call, return_to, garbage_collection, arity, set_on_spawn,
                             {tracer, strobe_nif, 0}]),
    Pid ! {go, self()},
    Pids = receive {Pid, Made} -> Made end,
    receive {'DOWN', Ref, process, Pid, _} -> ok end,
    erlang:trace(all, false, [all]),
    erlang:trace_pattern({work, '_', '_'}, false, [local]),
    strobe_nif:halt_(),
    closed(),
    Trace = Name ++ ".sbt",
    "" = os:cmd(filename:join(filename:dirname(get(strobe)), "strobe-drain") ++ " " ++ Rings ++ " " ++ Trace),
    {Pids, string:lexemes(os:cmd(get(strobe) ++ " dump " ++ Trace), "\n")}.

closed() ->
    case strobe_nif:quiet() of
        true  -> strobe_nif:close(true);
        false -> receive after 1 -> closed() end
    end.

%% ---- the events

kinds({_, Lines}) ->
    Wanted = ["spawn", "spawned", "exit", "register", "unregister", "link", "getting_linked", "send", "receive", "call",
              "return_to", "gc_major_start", "gc_major_end"],
    [] = [K || K <- Wanted, not lists:any(fun(L) -> re:run(L, " " ++ K ++ "( |$)") =/= nomatch end, Lines)],
    ok.

same({Pids1, Lines1}, {Pids2, Lines2}) ->
    [] = [{A, B} || {A, B} <- pairs(events(Pids1, Lines1), events(Pids2, Lines2)), A =/= B],
    ok.

pairs([A | As], [B | Bs]) -> [{A, B} | pairs(As, Bs)];
pairs([], Bs)             -> [{missing, B} || B <- Bs];
pairs(As, [])             -> [{A, missing} || A <- As].

pids({[Pid, P, Q], Lines}) ->
    [] = [Who || Who <- [Pid, P, Q], not lists:any(fun(L) -> string:find(L, pid_to_list(Who)) =/= nomatch end, Lines)],
    ok.

%% Those of each process in order, without times, schedulers and sizes of heaps; pids and fingerprints by the order
%% in which they come.
events(Pids, Lines) ->
    Own = [{pid_to_list(P), "<" ++ integer_to_list(I) ++ ">"}
           || {I, P} <- lists:zip(lists:seq(1, length(Pids)), Pids)],
    Of = [[L || L <- Lines, string:find(L, " " ++ pid_to_list(P) ++ " ") =/= nomatch] || P <- Pids],
    {Events, _} = lists:mapfoldl(fun plain/2, {Own, []}, lists:append(Of)),
    Events.

plain(Line, {Pids, Prints}) ->
    Event = re:replace(Line, "^.*?(<[0-9.]+>) [^ ]+ ", "\\1 ", [{return, list}]),
    Bare = re:replace(Event, " (heap|block|bin|old|mbuf|need)=[0-9]+", "", [global, {return, list}]),
    Named = lists:foldl(fun({From, To}, E) -> string:replace(E, From, To, all) end, Bare, Pids),
    {Text, Known} = renamed(lists:flatten(Named), Prints),
    {Text, {Pids, Known}}.

renamed(Event, Prints) ->
    case re:run(Event, "^(.*hash=)([0-9a-f]+)(.*)$", [{capture, all_but_first, list}]) of
        {match, [Before, Print, After]} ->
            Known = Prints ++ [Print || not lists:member(Print, Prints)],
            Nth = length(lists:takewhile(fun(P) -> P =/= Print end, Known)),
            {Before ++ integer_to_list(Nth) ++ After, Known};
        nomatch -> {Event, Prints}
    end.
