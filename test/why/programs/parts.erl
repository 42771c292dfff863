-module(parts).
-export([main/0]).

%% Each part is one kind of work of the VM for the same CPU time, by the clock of the process of the operating system.
main() ->
    ets:new(t, [named_table]),
    ets:insert(t, [{N, N} || N <- lists:seq(1, 3000)]),
    List = [{N, N} || N <- lists:seq(1, 3000)],
    Bytes = binary:copy(<<"0123456789abcdef">>, 1000),
    Sink = spawn_link(fun sink/0),
    Said = [{Name, part(F)} || {Name, F} <- [
        {cpu_erlang, fun() -> loop(100000) end},
        {cpu_bif, fun() -> lists:keyfind(0, 1, List) end},
        {cpu_ets, fun() -> ets:match(t, {'_', none}) end},
        {cpu_nif, fun() -> crypto:hash(sha512, Bytes) end},
        {cpu_gc, fun() -> erlang:garbage_collect() end},
        {cpu_send, fun() -> Sink ! List, Sink ! {self(), List}, receive Sink -> ok end end}]],
    [io:format("~s ~b~n", [Name, Ms]) || {Name, Ms} <- Said],
    length(List) > 0 andalso halt().

sink() ->
    receive {From, _} -> From ! self(); _ -> ok end,
    erlang:garbage_collect(),
    sink().

part(F) -> {T, _} = statistics(runtime), until(F, T + 500), {End, _} = statistics(runtime), End - T.

until(F, End) ->
    case statistics(runtime) of
        {T, _} when T < End -> [F() || _ <- lists:seq(1, 10)], until(F, End);
        _ -> ok
    end.

loop(0) -> ok;
loop(N) -> loop(N - 1).
