%% Tables that are handed on, inherited, and end with their owners.
-module(program_tables).
-export([run/0]).

run() ->
    Self = self(),
    {Owner, Ref} = spawn_monitor(fun() ->
        T = ets:new(t, [public, {heir, Self, inherited}]),
        [ets:insert(T, {I, lists:seq(1, I rem 50)}) || I <- lists:seq(1, 5000)],
        Self ! {table, T},
        receive stop -> ok end
    end),
    T = receive {table, Table} -> Table end,
    Readers = [spawn_monitor(fun() -> [ets:lookup(T, I) || I <- lists:seq(1, 500)],
                                 ets:select(T, [{{'$1', '_'}, [], ['$1']}]) end)
               || _ <- lists:seq(1, 4)],
    [receive {'DOWN', R, _, _, normal} -> ok end || {_, R} <- Readers],
    Owner ! stop,
    receive {'ETS-TRANSFER', T, Owner, inherited} -> ok end,
    receive {'DOWN', Ref, _, _, normal} -> ok end,
    {Next, Gone} = spawn_monitor(fun() -> receive {'ETS-TRANSFER', X, Self, given} -> ets:tab2list(X) end end),
    ets:give_away(T, Next, given),
    receive {'DOWN', Gone, _, _, normal} -> ok end,
    [begin ets:new(x, []), ets:new(y, [ordered_set]) end || _ <- lists:seq(1, 100)].
