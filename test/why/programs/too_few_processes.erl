%% Fetches 60 pages that take 15 ms each to arrive, two at a time. fixed: all at once.
-module(too_few_processes).
-export([main/1]).

main(Args) -> fetch(lists:seq(1, 60), 0, case Args of ["fixed"] -> 60; _ -> 2 end).

fetch([], 0, _) -> ok;
fetch([Page | Rest], N, Most) when N < Most ->
    spawn_monitor(fun() -> timer:sleep(15), erlang:phash2(Page) end),
    fetch(Rest, N + 1, Most);
fetch(Pages, N, Most) -> receive {'DOWN', _, process, _, _} -> fetch(Pages, N - 1, Most) end.
