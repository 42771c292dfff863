%% 24 clients share a semaphore of 2 database slots; a query waits 5 ms for the disk elsewhere
-module(db_slots).
-export([main/1]).
main(Args) ->
    N = case Args of ["cured"] -> 24; _ -> 2 end,
    S = spawn_link(fun() -> register(slots, self()), slots(N, []) end),
    T = erlang:monotonic_time(millisecond),
    Cs = [spawn_monitor(fun() -> [query(S, 5) || _ <- lists:seq(1, 20)] end) || _ <- lists:seq(1, 24)],
    [receive {'DOWN', R, _, _, _} -> ok end || {_, R} <- Cs],
    io:format("480 queries in ~p ms~n", [erlang:monotonic_time(millisecond) - T]).
query(S, Ms) -> S ! {take, self()}, receive granted -> ok end, timer:sleep(Ms), S ! give.
slots(0, Q) ->
    receive
        give ->
            case Q of [] -> slots(1, []); _ -> P = lists:last(Q), P ! granted, slots(0, lists:droplast(Q)) end;
        {take, P} -> slots(0, [P | Q])
    end;
slots(N, Q) -> receive give -> slots(N + 1, Q); {take, P} -> P ! granted, slots(N - 1, Q) end.
