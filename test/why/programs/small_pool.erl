%% 8 callers, a pool with one worker. fixed: as many workers as schedulers.
-module(small_pool).
-export([main/1]).

main(Args) ->
    Size = case Args of ["fixed"] -> erlang:system_info(schedulers_online); _ -> 1 end,
    Workers = [spawn_link(fun worker/0) || _ <- lists:seq(1, Size)],
    Pool = spawn_link(fun() -> register(pool, self()), pool(Workers, []) end),
    Refs = [element(2, spawn_monitor(fun() -> [run(Pool, {C, J}) || J <- lists:seq(1, 15)] end))
            || C <- lists:seq(1, 8)],
    [receive {'DOWN', R, _, _, _} -> ok end || R <- Refs].

run(Pool, Job) ->
    Pool ! {out, self()},
    receive {worker, W} -> W ! {job, self(), Job}, receive {done, V} -> Pool ! {in, W}, V end end.
pool(Free, Queue) ->
    receive
        {out, P} -> hand_out(Free, Queue ++ [P]);
        {in, W} -> hand_out([W | Free], Queue)
    end.
hand_out([W | Free], [P | Queue]) -> P ! {worker, W}, hand_out(Free, Queue);
hand_out(Free, Queue) -> pool(Free, Queue).
worker() ->
    receive {job, From, J} ->
        From ! {done, lists:foldl(fun(I, A) -> erlang:phash2({J, I, A}) end, 0, lists:seq(1, 60000))}, worker()
    end.
