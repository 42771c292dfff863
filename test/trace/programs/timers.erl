%% Timers that fire, are cancelled, come late; of a server and of the VM.
-module(program_timers).
-export([run/0]).

run() ->
    Refs = [erlang:start_timer(I rem 4, self(), I) || I <- lists:seq(1, 60)],
    [erlang:cancel_timer(R) || {R, I} <- lists:zip(Refs, lists:seq(1, 60)), I rem 4 =:= 3],
    [receive {timeout, R, _} -> ok after 0 -> erlang:cancel_timer(R) end || R <- Refs],
    {ok, Every} = timer:send_interval(1, tick),
    [receive tick -> ok end || _ <- lists:seq(1, 5)],
    timer:cancel(Every),
    timer:send_after(1, later),
    receive later -> ok end,
    Dead = spawn(fun() -> ok end),
    erlang:send_after(1, Dead, nobody),
    {Lots, Ref} = spawn_monitor(fun() -> [receive after 1 -> ok end || _ <- lists:seq(1, 5)] end),
    [begin Lots ! I, erlang:yield() end || I <- lists:seq(1, 20)],
    receive {'DOWN', Ref, _, _, normal} -> ok end.
