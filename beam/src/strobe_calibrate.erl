%% @doc The loops of `strobe calibrate', which starts this module in a VM of its own for each number of schedulers.
%%
%% The folder that STROBE_RECORD names gets a file `numbers' with a line `NAME NANOSECONDS' for each loop. A loop is run
%% several times and its shortest time counts, because whatever else the machine does only makes it longer.
-module(strobe_calibrate).

-export([start/0]).

-define(ROUNDS, 15).
-define(MESSAGES, 300).
-define(HOPS, 2000).
-define(WAKES, 200).
-define(YIELDS, 3000).
-define(SPAWNS, 1000).
-define(MEMORY_WORDS, 500000).

%% @doc Called by the VM's flags.
-spec start() -> no_return().
start() ->
    Folder = os:getenv("STROBE_RECORD"),
    Lines = [io_lib:format("~s ~.1f~n", [Name, float(Value)]) || {Name, Value} <- numbers()],
    ok = file:write_file(filename:join(Folder, "numbers"), Lines),
    halt(0, [{flush, false}]).

numbers() ->
    Schedulers = erlang:system_info(schedulers_online),
    Other = min(2, Schedulers),
    [{"schedulers", Schedulers},
     {"hop", shortest(fun() -> hop(Other) end)},
     {"send", shortest(fun() -> element(1, batch(Other)) end)},
     {"receive", shortest(fun() -> element(2, batch(Other)) end)},
     {"wake", wake(Other)},
     {"yield", shortest(fun() -> on_all(Schedulers, fun yields/0) end)},
     {"spawn", shortest(fun spawns/0)},
     {"memory", shortest(fun() -> on_all(Schedulers, fun memory/0) end)}].

shortest(Loop) ->
    lists:min([Loop() || _ <- lists:seq(1, ?ROUNDS)]).

%% Runs the function in a process of its own on a scheduler.
on(Scheduler, Fun) ->
    Self = self(),
    spawn_opt(fun() -> Self ! {self(), Fun()} end, [link, {scheduler, Scheduler}]).

result(Pid) ->
    receive {Pid, Result} -> Result end.

time(Fun) ->
    Before = erlang:monotonic_time(nanosecond),
    Fun(),
    erlang:monotonic_time(nanosecond) - Before.

%% From one process to another and back, half of it: both wait in turns.
hop(Other) ->
    Echo = spawn_opt(fun echo/0, [link, {scheduler, Other}]),
    Ns = result(on(1, fun() -> time(fun() -> hops(Echo, ?HOPS) end) end)),
    unlink(Echo),
    exit(Echo, kill),
    Ns / (2 * ?HOPS).

echo() -> receive {From, N} -> From ! N, echo() end.

hops(_, 0) -> ok;
hops(Echo, N) -> Echo ! {self(), N}, receive N -> hops(Echo, N - 1) end.

%% A batch of messages to a process that does not wait: {for each send, for each receive}. With one scheduler the
%% receiver is runnable meanwhile, with several it runs.
batch(Other) ->
    Flag = atomics:new(1, []),
    Receiver = on(Other, fun() ->
                             hold(Other, Flag),
                             time(fun() -> drain(?MESSAGES) end) / ?MESSAGES end),
    Sender = on(1, fun() ->
                       arrived(Other, Flag),
                       Ns = time(fun() -> sends(Receiver, ?MESSAGES) end),
                       atomics:put(Flag, 1, 2),
                       Ns / ?MESSAGES end),
    Send = result(Sender),
    {Send, result(Receiver)}.

hold(1, Flag) ->
    case atomics:get(Flag, 1) of 2 -> ok; _ -> erlang:yield(), hold(1, Flag) end;
hold(Other, Flag) ->
    atomics:compare_exchange(Flag, 1, 0, 1),
    case atomics:get(Flag, 1) of 2 -> ok; _ -> hold(Other, Flag) end.

arrived(1, _) -> ok;
arrived(Other, Flag) -> case atomics:get(Flag, 1) of 1 -> ok; _ -> arrived(Other, Flag) end.

sends(_, 0) -> ok;
sends(To, N) -> To ! {message, N}, sends(To, N - 1).

drain(0) -> ok;
drain(N) -> receive {message, N} -> drain(N - 1) end.

%% One send to a process that waits: the median, less the time of reading the clock.
wake(Other) ->
    Sleeper = spawn_opt(fun sleeper/0, [link, {scheduler, Other}]),
    All = result(on(1, fun() -> [wake_once(Sleeper) || _ <- lists:seq(1, ?WAKES)] end)),
    unlink(Sleeper),
    exit(Sleeper, kill),
    Clock = lists:min([time(fun() -> ok end) || _ <- lists:seq(1, 100)]),
    max(0, lists:nth(?WAKES div 2, lists:sort(All)) - Clock).

wake_once(Sleeper) ->
    Ns = time(fun() -> Sleeper ! {self(), wake} end),
    receive awake -> ok end,
    pause(erlang:monotonic_time(nanosecond) + 5000),
    Ns.

sleeper() -> receive {From, wake} -> From ! awake, sleeper() end.

pause(Until) ->
    case erlang:monotonic_time(nanosecond) of Now when Now < Until -> pause(Until); _ -> ok end.

%% The same work on all schedulers at once: the mean of what each needed.
on_all(Schedulers, Work) ->
    Pids = [on(N, Work) || N <- lists:seq(1, Schedulers)],
    lists:sum([result(P) || P <- Pids]) / Schedulers.

%% Two processes of a scheduler that yield to each other.
yields() ->
    Scheduler = erlang:system_info(scheduler_id),
    Partner = on(Scheduler, fun() -> yield(?YIELDS) end),
    Ns = time(fun() -> yield(?YIELDS) end),
    _ = result(Partner),
    Ns / (2 * ?YIELDS).

yield(0) -> ok;
yield(N) -> erlang:yield(), yield(N - 1).

spawns() ->
    time(fun() -> spawns(?SPAWNS) end) / ?SPAWNS.

spawns(0) -> ok;
spawns(N) ->
    {Pid, Ref} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', Ref, process, Pid, _} -> spawns(N - 1) end.

%% Builds a list that is larger than caches of the second level, and walks through it.
memory() ->
    time(fun() -> sum(lists:seq(1, ?MEMORY_WORDS div 2), 0) end).

sum([], Sum) -> Sum;
sum([X | Rest], Sum) -> sum(Rest, X + Sum).
