%% Eight processes update one Mnesia row in transactions. Cured: a row each.
-module(mnesia_row).
-export([main/1]).
-record(acct, {id, sum}).
main(A) ->
    ok = mnesia:start(),
    {atomic, ok} = mnesia:create_table(acct, [{attributes, record_info(fields, acct)}]),
    [mnesia:dirty_write(#acct{id = I, sum = 0}) || I <- lists:seq(0, 8)],
    Me = self(),
    Ps = [spawn_link(fun() -> many(case A of [] -> 0; _ -> I end), Me ! {self(), ok} end) || I <- lists:seq(1, 8)],
    [receive {P, ok} -> ok end || P <- Ps],
    io:format("transactions=1200 restarts=~p~n", [mnesia:system_info(transaction_restarts)]),
    mnesia:stop().
many(I) -> [{atomic, ok} = mnesia:transaction(fun() -> add(I) end) || _ <- lists:seq(1, 150)].
add(I) ->
    [R] = mnesia:read(acct, I, write),
    timer:sleep(1),
    mnesia:write(R#acct{sum = R#acct.sum + 1}).
