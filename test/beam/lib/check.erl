%% Runs the tests of a module, its functions NAME_test/0, and says `ok` or `not ok` of each.
-module(check).

-export([main/1, same/2, output/1, skip/1]).

main([Name]) ->
    Module = list_to_atom(Name),
    {module, Module} = code:ensure_loaded(Module),
    Results = [test(Module, F) || {F, 0} <- lists:sort(Module:module_info(exports)), is_test(F)],
    [] =/= Results orelse halt(1),
    lists:member(false, Results) andalso halt(1).

is_test(Function) ->
    lists:suffix("_test", atom_to_list(Function)).

test(Module, Function) ->
    Name = lists:flatten(io_lib:format("~s: ~s", [Module, title(Function)])),
    {Tester, Monitor} = spawn_monitor(fun() -> Module:Function(), exit(passed) end),
    receive
        {'DOWN', Monitor, process, Tester, passed} -> io:format("ok ~s~n", [Name]), true;
        {'DOWN', Monitor, process, Tester, {skip, Why}} -> io:format("ok ~s # SKIP ~s~n", [Name, Why]), true;
        {'DOWN', Monitor, process, Tester, Why} -> io:format("not ok ~s: ~tp~n", [Name, Why]), false
    end.

title(Function) ->
    Words = lists:sublist(atom_to_list(Function), length(atom_to_list(Function)) - length("_test")),
    [case C of $_ -> $\s; _ -> C end || C <- Words].

%% Both terms are the same, or the test fails showing where they differ first.
same(Expected, Expected) -> ok;
same(Expected, Found)    -> differ(Expected, Found, []).

differ(Expected, Found, At) when is_list(Expected), is_list(Found), length(Expected) =:= length(Found) ->
    [{N, E, F} | _] = [Differ || {_, E, F} = Differ <- lists:zip3(lists:seq(1, length(Found)), Expected, Found),
                       E =/= F],
    differ(E, F, [N | At]);
differ(Expected, Found, At) ->
    exit({expected, Expected, found, Found, at, lists:reverse(At)}).

%% This release can't run the test.
skip(Why) ->
    exit({skip, Why}).

%% What `Fun' answers, and the text it wrote to its group leader.
output(Fun) ->
    Self = self(),
    Leader = group_leader(),
    Collector = spawn_link(fun() -> collect(Self, []) end),
    group_leader(Collector, self()),
    Value = try Fun() after group_leader(Leader, self()) end,
    Collector ! {self(), done},
    receive {Collector, Text} -> {Value, Text} end.

collect(Owner, Text) ->
    receive
        {io_request, From, As, Request} ->
            {Reply, More} = written(Request),
            From ! {io_reply, As, Reply},
            collect(Owner, [Text | More]);
        {Owner, done} ->
            Owner ! {self(), unicode:characters_to_list(Text)}
    end.

written({put_chars, _, Chars})   -> {ok, Chars};
written({put_chars, _, M, F, A}) -> {ok, apply(M, F, A)};
written({requests, Requests})    -> {ok, [element(2, written(R)) || R <- Requests]};
written({get_geometry, columns}) -> {80, []};
written(_)                       -> {{error, enotsup}, []}.
