%% Each process gets the whole list in its fun and looks at one element. fixed: the fun holds the element, and the large
%% heap is one that the process asks for and fills itself.
-module(spawn_copying).
-export([main/1]).

main(How) ->
    All = [{N, integer_to_list(N)} || N <- lists:seq(1, 20000)],
    [wait(start(How, All, N)) || N <- lists:seq(1, 400)].

start(["fixed"], All, N) ->
    Item = lists:nth(N, All),
    spawn_opt(fun() -> work(Item) end, [monitor, {min_heap_size, 300000}]);
start(_, All, N) -> spawn_monitor(fun() -> work(lists:nth(N, All)) end).

wait({P, R}) -> receive {'DOWN', R, process, P, _} -> ok end.

work({N, S}) -> lists:foldl(fun(X, A) -> [X * N | tl([a | A])] end, S, lists:seq(1, 60000)).
