%% Programs of about half a second, each recorded alone, and what the VM says of its schedulers meanwhile: the time that
%% they were active (scheduler wall time) and that they collected garbage (microstate accounting).
%% scheduled:main() prints a line of JSON for each and ends.
-module(scheduled).
-export([main/0]).

-define(MS, 1000000).

main() ->
    ok = code:ensure_modules_loaded([strobe, lists, maps]),
    erlang:system_flag(scheduler_wall_time, true),
    erlang:system_flag(microstate_accounting, true),
    [run(Program) || Program <- [compute, collect, ask, pipeline, bursts, timers]],
    halt().

%% The counters are read within the recording, close to its ends.
run(Program) ->
    {ok, _} = strobe:profile(atom_to_list(Program) ++ ".sbt", #{quiet => true}),
    Before = counters(),
    From = now_ns(),
    work(Program),
    After = counters(),
    To = now_ns(),
    {ok, _} = strobe:stop_profile(),
    [Active, Total, Gc, All] = [B - A || {A, B} <- lists:zip(Before, After)],
    io:format("{\"program\":\"~s\",\"from\":~b,\"to\":~b,\"active\":~f,\"gc\":~f}~n",
              [Program, From, To, Active / Total, Gc / All]).

%% One scheduler of two computes.
work(compute) -> all([fun() -> spin_to(now_ns() + 500 * ?MS) end]);
work(collect) ->
    all([fun() -> collect_to(now_ns() + 500 * ?MS, terms(20000)) end, fun() -> spin_to(now_ns() + 300 * ?MS) end]);
%% Clients that wait for one server, with some work of their own.
work(ask) ->
    Server = spawn(fun server/0),
    all([fun() -> ask_to(now_ns() + 500 * ?MS, Server) end || _ <- lists:seq(1, 3)]);
%% Three stages, the second of which needs longest.
work(pipeline) ->
    Self = self(),
    Last = spawn(fun() -> stage(Self, ?MS div 4) end),
    First = spawn(fun() -> stage(Last, ?MS) end),
    [begin spin_to(now_ns() + ?MS div 2), First ! N end || N <- lists:seq(1, 400)],
    [receive N -> ok end || N <- lists:seq(1, 400)];
%% Bursts of short processes, with pauses between them.
work(bursts) ->
    [begin
         all([fun() -> spin_to(now_ns() + ?MS) end || _ <- lists:seq(1, 8)]),
         timer:sleep(4)
     end || _ <- lists:seq(1, 40)];
%% Processes that mostly sleep, and collect a little.
work(timers) ->
    all([fun() -> [begin timer:sleep(5), terms(2000), spin_to(now_ns() + ?MS div 2) end || _ <- lists:seq(1, 60)] end
         || _ <- lists:seq(1, 6)]).

stage(To, Ns) ->
    receive Item -> spin_to(now_ns() + Ns), To ! Item end,
    stage(To, Ns).

all(Funs) -> [receive {'DOWN', Ref, _, _, normal} -> ok end || {_, Ref} <- [spawn_monitor(F) || F <- Funs]].

spin_to(Until) ->
    case now_ns() < Until of
        true -> spin_to(Until);
        false -> ok
    end.

collect_to(Until, Live) ->
    erlang:garbage_collect(),
    spin_to(now_ns() + ?MS),
    case now_ns() < Until of
        true -> collect_to(Until, Live);
        false -> {ok, length(Live)}
    end.

terms(N) -> [{I, I} || I <- lists:seq(1, N)].

ask_to(Until, Server) ->
    Ref = make_ref(),
    Server ! {self(), Ref},
    receive Ref -> ok end,
    spin_to(now_ns() + ?MS),
    case now_ns() < Until of
        true -> ask_to(Until, Server);
        false -> ok
    end.

server() ->
    receive {From, Ref} -> spin_to(now_ns() + ?MS), From ! Ref end,
    server().

now_ns() -> erlang:monotonic_time(nanosecond).

%% Of all normal schedulers: the time that they were active, and all; the time that they collected, and all.
counters() ->
    Times = [T || {Id, _, _} = T <- erlang:statistics(scheduler_wall_time), Id =< erlang:system_info(schedulers)],
    Accounts = [C || #{type := scheduler, counters := C} <- erlang:statistics(microstate_accounting)],
    [lists:sum([Active || {_, Active, _} <- Times]), lists:sum([Total || {_, _, Total} <- Times]),
     lists:sum([maps:get(gc, C) || C <- Accounts]), lists:sum(lists:append([maps:values(C) || C <- Accounts]))].
