%% index keeps 100,000 documents on its heap and collects after every fourth question. fixed: documents in ETS.
-module(gc_heavy).
-export([main/1]).

main(Args) ->
    Fixed = Args =:= ["fixed"],
    Me = self(),
    Ix = spawn_link(fun() -> register(index, self()), D = load(Fixed), Me ! ready, index(D, 0) end),
    receive ready -> ok end,
    Refs = [element(2, spawn_monitor(fun() -> [ask(Ix, W * Q) || Q <- lists:seq(1, 40)] end)) || W <- lists:seq(1, 4)],
    [receive {'DOWN', R, _, _, _} -> ok end || R <- Refs].

load(true) -> ets:new(docs, [named_table]), [ets:insert(docs, doc(N)) || N <- lists:seq(1, 100000)], docs;
load(false) -> maps:from_list([doc(N) || N <- lists:seq(1, 100000)]).
doc(N) -> {N, {doc, N, [N rem 7, N rem 11], integer_to_list(N)}}.
ask(Ix, Q) -> Ref = make_ref(), Ix ! {self(), Ref, Q}, receive {Ref, V} -> V end.
index(D, N) ->
    receive {P, Ref, Q} ->
        P ! {Ref, find(D, 1 + Q rem 100000)},
        is_map(D) andalso N rem 4 =:= 0 andalso erlang:garbage_collect(),
        index(D, N + 1)
    end.
find(docs, K) -> ets:lookup(docs, K);
find(D, K) -> maps:get(K, D).
