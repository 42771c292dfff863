%% 4 processes write to one ordered_set without write_concurrency. fixed: each to its own.
-module(lock_contention).
-export([main/1]).

main(Args) ->
    Shared = ets:new(stats, [ordered_set, public]),
    Table = fun() -> case Args of ["fixed"] -> ets:new(own, [ordered_set]); _ -> Shared end end,
    Refs = [element(2, spawn_monitor(fun() -> write(Table(), W, 60000) end)) || W <- lists:seq(1, 4)],
    [receive {'DOWN', R, _, _, _} -> ok end || R <- Refs].

write(_, _, 0) -> ok;
write(T, W, N) -> ets:update_counter(T, (N * W) rem 64, {2, 1}, {0, 0}), ets:insert(T, {{W, N rem 64}, N}),
write(T, W, N - 1).
