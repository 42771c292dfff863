%% Sixteen clients look up a price list; whoever finds it expired makes it anew, so most of them do at once. It expires
%% after 15 times what the making takes on this machine now. fixed: the first one does, and the others use the old one.
-module(stampede).
-export([main/1]).

main(Args) ->
    ets:new(prices, [named_table, public]),
    {Took, List} = timer:tc(fun make/0),
    ets:insert(prices, [{list, List, now_ms()}, {maker, none}]),
    Fixed = Args =:= ["fixed"],
    Lives = max(300, 15 * Took div 1000),
    Ends = now_ms() + 8 * Lives,
    [receive {'DOWN', M, _, _, _} -> ok end
     || M <- [monitor(process, spawn(fun() -> client(Fixed, Lives, Ends) end)) || _ <- lists:seq(1, 16)]].

client(Fixed, Lives, Ends) ->
    [{list, List, Made}] = ets:lookup(prices, list),
    true = is_integer(List),
    now_ms() - Made < Lives orelse renew(Fixed, Made),
    timer:sleep(4),
    now_ms() > Ends orelse client(Fixed, Lives, Ends).

renew(false, _) -> ets:insert(prices, {list, make(), now_ms()});
renew(true, Made) ->
    case ets:select_replace(prices, [{{maker, '$1'}, [{'=/=', '$1', Made}], [{{maker, Made}}]}]) of
        1 -> renew(false, Made);
        0 -> ok % another one makes it
    end.

make() -> erlang:phash2(lists:sort([erlang:phash2(N) || N <- lists:seq(1, 20000)])).

now_ms() -> erlang:monotonic_time(millisecond).
