%% Processes limit each of their short steps by timer:kill_after/1. fixed: by a timer of the VM.
-module(timer_server).
-export([main/1]).

main(Args) ->
    {Start, Cancel} = timers(Args),
    Refs = [element(2, spawn_monitor(fun() -> steps(400, Start, Cancel) end)) || _ <- lists:seq(1, 16)],
    [receive {'DOWN', R, _, _, normal} -> ok end || R <- Refs].

timers(["fixed"]) -> {fun() -> erlang:start_timer(60000, self(), late) end, fun erlang:cancel_timer/1};
timers(_) -> {fun() -> {ok, T} = timer:kill_after(60000), T end, fun timer:cancel/1}.

steps(0, _, _) -> ok;
steps(N, Start, Cancel) ->
    T = Start(),
    _ = lists:foldl(fun(X, A) -> erlang:phash2({X, A}) end, N, lists:seq(1, 100)),
    Cancel(T),
    steps(N - 1, Start, Cancel).
