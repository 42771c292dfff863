%% Five processes want one lock.
-module(program_mnesia).
-export([prepare/0, run/0]).

prepare() ->
    application:load(mnesia),
    application:set_env(mnesia, schema_location, ram).

run() ->
    ok = mnesia:start(),
    {atomic, ok} = mnesia:create_table(t, [{ram_copies, [node()]}]),
    Writers = [spawn_monitor(fun() -> [{atomic, ok} = mnesia:transaction(fun count_up/0) || _ <- lists:seq(1, 20)] end)
               || _ <- lists:seq(1, 5)],
    [receive {'DOWN', Ref, _, _, normal} -> ok end || {_, Ref} <- Writers],
    mnesia:stop().

count_up() ->
    N = case mnesia:read(t, 1, write) of [{t, 1, V}] -> V; [] -> 0 end,
    mnesia:write({t, 1, N + 1}).
