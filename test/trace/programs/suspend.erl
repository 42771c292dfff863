%% Suspended while it runs and while mail comes, yielding, polling, timing out; a large table.
-module(program_suspend).
-export([run/0]).

run() ->
    P = spawn_link(fun() -> spin(0) end),
    [begin erlang:suspend_process(P), timer:sleep(1), erlang:resume_process(P), timer:sleep(1) end || _ <- [1, 2]],
    Q = spawn_link(fun Answer() -> receive From -> From ! here, Answer() end end),
    [begin erlang:suspend_process(Q), Q ! self(), timer:sleep(1), erlang:resume_process(Q), receive here -> ok end end
     || _ <- [1, 2, 3]],
    [receive after 0 -> ok end || _ <- lists:seq(1, 50)],
    [erlang:yield() || _ <- lists:seq(1, 50)],
    [receive never -> ok after 1 -> ok end || _ <- lists:seq(1, 5)],
    [begin unlink(X), exit(X, kill) end || X <- [P, Q]],
    ets:new(x, [named_table, public]),
    [ets:insert(x, {I, I}) || I <- lists:seq(1, 20000)],
    ets:delete(x).

spin(N) -> spin(N + 1).
