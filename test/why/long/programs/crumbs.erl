%% A parallel map that spawns one process per word. Cured: one per thousand.
-module(crumbs).
-export([main/1]).
main(A) ->
    Ws = lists:seq(1, 120000),
    R = case A of [] -> pmap(fun(W) -> erlang:phash2(W, 100) end, Ws);
                  _ -> lists:append(pmap(fun(C) -> [erlang:phash2(W, 100) || W <- C] end, chunk(Ws))) end,
    io:format("processes=~p sum=~p~n", [length(R), lists:sum(R)]).
pmap(F, L) ->
    Me = self(),
    Rs = [begin R = make_ref(), spawn(fun() -> Me ! {R, F(X)} end), R end || X <- L],
    [receive {R, V} when is_reference(R) -> V end || _ <- Rs].
chunk([]) -> [];
chunk(L) -> {H, T} = lists:split(min(1000, length(L)), L), [H | chunk(T)].
