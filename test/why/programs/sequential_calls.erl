%% A page asks 8 servers for 60 rows, one after the other; each waits 4 ms for a disk elsewhere. fixed: all at once.
-module(sequential_calls).
-export([main/1]).

main(Args) ->
    Dbs = list_to_tuple([spawn_link(fun db/0) || _ <- lists:seq(1, 8)]),
    Rows = [{element(1 + N rem 8, Dbs), N} || N <- lists:seq(1, 60)],
    {_, Ref} = spawn_monitor(fun() -> register(page, self()), [show(Args, Rows) || _ <- lists:seq(1, 3)] end),
    receive {'DOWN', Ref, _, _, _} -> ok end.

show(["fixed"], Rows) -> [receive {R, V} -> V end || R <- [ask(D, N) || {D, N} <- Rows]];
show(_, Rows) -> [begin R = ask(D, N), receive {R, V} -> V end end || {D, N} <- Rows].
ask(Db, N) -> Ref = make_ref(), Db ! {self(), Ref, N}, Ref.
db() ->
    receive
        {From, Ref, N} -> erlang:send_after(4, self(), {row, From, Ref, N}), db();
        {row, From, Ref, N} -> From ! {Ref, erlang:phash2(N)}, db()
    end.
