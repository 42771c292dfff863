%% Who sleeps a millisecond at a time beside processes that keep all schedulers busy is ready for most of the rest.
-module(program_sleepers).
-export([run/0]).

run() ->
    Parent = self(),
    Busy = [spawn_monitor(fun() -> work(60) end) || _ <- lists:seq(1, 6)],
    Sleepers = [spawn_monitor(fun() -> sleep(Parent, 40) end) || _ <- lists:seq(1, 8)],
    [receive {tick, _} -> ok end || _ <- lists:seq(1, 8 * 40)],
    [receive {'DOWN', R, _, _, normal} -> ok end || {_, R} <- Busy ++ Sleepers].

work(0) -> ok;
work(N) -> lists:sort([erlang:phash2(I) || I <- lists:seq(1, 10000)]), work(N - 1).

sleep(_, 0) -> ok;
sleep(Parent, N) -> timer:sleep(1), Parent ! {tick, self()}, sleep(Parent, N - 1).
