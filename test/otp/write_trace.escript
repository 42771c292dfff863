#!/usr/bin/env escript
%% Writes FILE by OTP's own file port, while a small program does a little of everything, and FILE.counts:
%% how many records of each tag OTP's own reader sees in it, one `tag count` a line.
% %     write_trace.escript FILE STAMP [wrap]      STAMP: none | timestamp | monotonic_timestamp |
% strict_monotonic_timestamp
-mode(compile).

main([File, Stamp]) ->
    trace(File, list_to_atom(Stamp)),
    count(File, File);
main([File, Stamp, "wrap"]) ->
    Set = {File, wrap, ".trace", 60000, 30},
    trace(Set, list_to_atom(Stamp)),
    count(Set, File).

trace(Where, Stamp) ->
    Port = dbg:trace_port(file, Where),
    {ok, _} = dbg:tracer(port, Port),
    Flags = [call, return_to, send, 'receive', procs, running, exiting, garbage_collection, ports, arity,
             set_on_spawn] ++ [Stamp || Stamp =/= none] ++ [scheduler_id || Stamp =:= monotonic_timestamp],
    {module, _} = code:ensure_loaded(lists),
    erlang:trace_pattern({lists, '_', '_'}, [{'_', [], [{message, {{cp, {caller}}}}]}], [local]),
    Tracer = dbg_tracer(),
    Pid = spawn(fun() -> receive go -> program() end end),
    1 = erlang:trace(Pid, true, [{tracer, Tracer} | Flags]),
    erlang:trace(new_ports, true, [{tracer, Tracer}, ports, running_ports | [Stamp || Stamp =/= none]]),
    Ref = monitor(process, Pid),
    Pid ! go,
    receive {'DOWN', Ref, _, _, _} -> ok end,
    erlang:trace_pattern({'_', '_', '_'}, false, [local]),
    dbg:flush_trace_port(),
    dbg:stop(),
    timer:sleep(100).

dbg_tracer() ->
    {ok, Port} = dbg:get_tracer(),
    Port.

program() ->
    Self = self(),
    Kids = [spawn_link(fun() -> kid(Self, N) end) || N <- lists:seq(1, 20)],
    true = register('a name "with" things', hd(Kids)),
    [K ! {work, lists:seq(1, 50), <<"binary">>, #{key => 1.5}, make_ref(), Self, fun lists:map/2} || K <- Kids],
    [receive {done, K, _} -> ok end || K <- Kids],
    'a name "with" things' ! stop,
    [K ! stop || K <- tl(Kids)],
    P = open_port({spawn, "cat"}, [binary]),
    P ! {Self, {command, <<"hello\n">>}},
    receive {P, {data, _}} -> ok end,
    port_close(P),
    try lists:nth(5, [1]) catch error:_ -> ok end,
    receive nothing -> ok after 5 -> ok end,
    erlang:garbage_collect().

kid(Parent, N) ->
    receive {work, L, _, _, _, _, _} -> Parent ! {done, self(), lists:foldl(fun(A, B) -> A * B bsl N end, 1, L)} end,
    garbage(60),
    receive stop -> ok end.

garbage(0) -> ok;
garbage(N) -> _ = lists:reverse(lists:seq(1, 100)), garbage(N - 1).

count(What, File) ->
    Self = self(),
    dbg:trace_client(file, What, {fun(end_of_trace, C) -> Self ! {counts, C}, C;
                                     (T, C) -> maps:update_with(tag(T), fun(V) -> V + 1 end, 1, C) end, #{}}),
    receive {counts, C} -> ok after 60000 -> C = #{}, halt(1) end,
    {ok, F} = file:open(File ++ ".counts", [write, {encoding, utf8}]),
    [io:format(F, "~ts ~b~n", [K, V]) || {K, V} <- lists:sort(maps:to_list(C))],
    file:close(F).

tag(T) when element(1, T) =:= trace; element(1, T) =:= trace_ts -> element(3, T);
tag(T) when element(1, T) =:= drop -> drop.
