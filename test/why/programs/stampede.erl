%% Sixteen clients look up a price list that expires every 300 ms; whoever finds it expired makes it anew, so most of
%% them do at once. fixed: the first one does, and the others use the old one.
-module(stampede).
-export([main/1]).

main(Args) ->
    ets:new(prices, [named_table, public]),
    ets:insert(prices, [{list, make(), now_ms()}, {maker, none}]),
    Fixed = Args =:= ["fixed"],
    Ends = now_ms() + 2500,
    [receive {'DOWN', M, _, _, _} -> ok end || M <- [monitor(process, spawn(fun() -> client(Fixed, Ends) end))
        || _ <- lists:seq(1, 16)]].

client(Fixed, Ends) ->
    [{list, List, Made}] = ets:lookup(prices, list),
    true = is_integer(List),
    now_ms() - Made < 300 orelse renew(Fixed, Made),
    timer:sleep(4),
    now_ms() > Ends orelse client(Fixed, Ends).

renew(false, _) -> ets:insert(prices, {list, make(), now_ms()});
renew(true, Made) ->
    case ets:select_replace(prices, [{{maker, '$1'}, [{'=/=', '$1', Made}], [{{maker, Made}}]}]) of
        1 -> renew(false, Made);
        0 -> ok % another one makes it
    end.

make() -> erlang:phash2(lists:sort([erlang:phash2(N) || N <- lists:seq(1, 50000)])).

now_ms() -> erlang:monotonic_time(millisecond).
