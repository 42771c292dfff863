%% main takes the results of 30 fetches in the order of starting, and works on each; the first takes 500 ms. fixed: as
%% they come.
-module(head_of_line).
-export([main/1]).

main(Args) ->
    Me = self(),
    Pids = [spawn_link(fun() -> fetch(N), Me ! {self(), N} end) || N <- lists:seq(1, 30)],
    [receive {P, N} when Args =:= ["fixed"]; P =:= Pid -> render(N) end || Pid <- Pids].

fetch(1) -> receive after 500 -> ok end;
fetch(_) -> receive after 5 -> ok end.
render(N) -> lists:foldl(fun(I, A) -> erlang:phash2({I, A, N}) end, 0, lists:seq(1, 90000)).
