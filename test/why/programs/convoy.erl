%% Sessions call account, which calls ledger for each and does nothing else; ledger waits 2 ms for a disk elsewhere and
%% could take more meanwhile. fixed: account lets ledger answer the session.
-module(convoy).
-export([main/1]).

main(Args) ->
    Ledger = spawn_link(fun() -> register(ledger, self()), ledger() end),
    How = case Args of ["fixed"] -> forward; _ -> hold end,
    Account = spawn_link(fun() -> register(account, self()), account(Ledger, How) end),
    Refs = [element(2, spawn_monitor(fun() -> [call(Account, N) || N <- lists:seq(1, 50)] end))
            || _ <- lists:seq(1, 8)],
    [receive {'DOWN', R, _, _, _} -> ok end || R <- Refs].

call(To, N) -> Ref = make_ref(), To ! {{self(), Ref}, N}, receive {Ref, V} -> V end.
account(Ledger, forward) -> receive {From, N} -> Ledger ! {From, N}, account(Ledger, forward) end;
account(Ledger, hold) -> receive {{P, R}, N} -> P ! {R, call(Ledger, N)}, account(Ledger, hold) end.
ledger() ->
    receive
        {From, N} -> erlang:send_after(2, self(), {disk, From, N}), ledger();
        {disk, {P, R}, N} -> P ! {R, erlang:phash2(N)}, ledger()
    end.
