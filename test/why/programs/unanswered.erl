%% A client asks three replicas in turn, and the next one if no answer comes in 40 ms; one of them never answers. fixed:
%% it is left out.
-module(unanswered).
-export([main/1]).

main(Args) ->
    Live = [spawn(fun answer/0) || _ <- [1, 2]],
    Silent = spawn(fun ignore/0),
    Replicas = case Args of ["fixed"] -> Live; _ -> [Silent | Live] end,
    Client = fun() -> [ask(rotate(N, Replicas), N) || N <- lists:seq(1, 60)] end,
    Refs = [element(2, spawn_monitor(Client)) || _ <- lists:seq(1, 4)],
    [receive {'DOWN', R, _, _, _} -> ok end || R <- Refs].

rotate(N, L) -> {A, B} = lists:split(N rem length(L), L), B ++ A.
ask([To | Rest], N) ->
    Ref = make_ref(),
    To ! {self(), Ref, N},
    receive {Ref, V} -> V after 40 -> ask(Rest, N) end.
answer() -> receive {From, Ref, N} -> From ! {Ref, price(N)}, answer() end.
price(N) -> lists:foldl(fun(I, A) -> erlang:phash2({N, I, A}) end, 0, lists:seq(1, 5000)).
ignore() -> receive _ -> ignore() end.
