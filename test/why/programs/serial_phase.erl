%% main makes the table alone, then 8 processes use it. fixed: they make it together.
-module(serial_phase).
-export([main/1]).

main(["fixed"]) -> pmap(fun(C) -> make(C), use(C) end);
main(_) -> [make(C) || C <- lists:seq(1, 8)], pmap(fun use/1).

pmap(F) -> Refs = [element(2, spawn_monitor(fun() -> F(C) end)) || C <- lists:seq(1, 8)],
           [receive {'DOWN', R, _, _, _} -> ok end || R <- Refs].
make(C) -> lists:foldl(fun(I, A) -> erlang:phash2({I, A, C}) end, 0, lists:seq(1, 700000)).
use(C) -> lists:foldl(fun(I, A) -> erlang:phash2({A, I, C}) end, 0, lists:seq(1, 300000)).
