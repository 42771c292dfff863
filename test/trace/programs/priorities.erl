%% Who is of low priority is ready long; who is of max or high goes first.
-module(program_priorities).
-export([run/0]).

run() ->
    Parent = self(),
    Workers = [spawn_opt(fun() -> work(Parent, 8) end, [{priority, P}, monitor])
               || P <- [low, low, normal, normal, high, low]],
    {Max, Ref} = spawn_opt(fun Echo() -> receive stop -> ok; From -> From ! from_max, Echo() end end,
    [{priority, max}, monitor]),
    [begin Max ! self(), receive from_max -> ok end end || _ <- lists:seq(1, 20)],
    process_flag(priority, low),
    [begin Max ! self(), receive from_max -> ok end end || _ <- lists:seq(1, 3)],
    process_flag(priority, normal),
    Max ! stop,
    [receive {'DOWN', R, _, _, normal} -> ok end || {_, R} <- [{Max, Ref} | Workers]],
    [receive {done, _} -> ok end || _ <- Workers].

work(Parent, 0) -> Parent ! {done, self()};
work(Parent, N) -> lists:sort([erlang:phash2(I) || I <- lists:seq(1, 5000)]), work(Parent, N - 1).
