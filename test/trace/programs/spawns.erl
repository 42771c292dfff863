%% Six children with five children with four.
-module(program_spawns).
-export([run/0]).

run() ->
    fan(3, 6).

fan(0, _) -> ok;
fan(Depth, Width) ->
    Kids = [spawn_monitor(fun() -> fan(Depth - 1, Width - 1) end) || _ <- lists:seq(1, Width)],
    [receive {'DOWN', Ref, _, _, normal} -> ok end || {_, Ref} <- Kids].
