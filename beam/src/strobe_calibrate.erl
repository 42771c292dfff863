%% @doc The loops of `strobe calibrate', which starts this module in a VM of its own for each number of schedulers.
%%
%% The folder that STROBE_RECORD names gets a file `numbers' with a line `NAME NANOSECONDS' for each loop. A loop is run
%% several times and its shortest time counts, because whatever else the machine does only makes it longer.
-module(strobe_calibrate).

-export([start/0]).

-define(ROUNDS, 15).
-define(USUAL_ROUNDS, 11).
-define(MESSAGES, 3000).
-define(HOPS, 2000).
-define(PAIRS, 8).
-define(TURNS, 2000).
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
     {"cross", usual(fun() -> pairs(1, Other) end)},
     {"within", usual(fun() -> pairs(0, Other) end)},
     {"send", shortest(fun() -> stream(Other) end)},
     {"receive", shortest(fun() -> batch(Other) end)},
     {"wake", shortest(fun() -> wake(Other) end)},
     {"yield", shortest(fun() -> on_all(Schedulers, fun yields/0) end)},
     {"spawn", shortest(fun spawns/0)},
     {"memory", shortest(fun() -> on_all(Schedulers, fun memory/0) end)}].

shortest(Loop) ->
    lists:min([Loop() || _ <- lists:seq(1, ?ROUNDS)]).

%% How often schedulers wait for each other's locks differs from round to round: the median of some.
usual(Loop) ->
    lists:nth(?USUAL_ROUNDS div 2 + 1, lists:sort([Loop() || _ <- lists:seq(1, ?USUAL_ROUNDS)])).

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

%% Pairs of processes that send to each other in turns, as many on one scheduler as on another: the partners are on the
%% same scheduler, or on different ones. The CPU time of a message: a scheduler sleeps until another one wakes it, and
%% that is measured by itself.
pairs(Apart, Other) ->
    Scheduler = fun(Nth) -> element(1 + Nth rem 2, {1, Other}) end,
    Echoes = [spawn_opt(fun echo/0, [link, {scheduler, Scheduler(Nth + Apart)}]) || Nth <- lists:seq(1, ?PAIRS)],
    Before = element(1, erlang:statistics(runtime)),
    Pids = [on(Scheduler(Nth), fun() -> hops(Echo, ?TURNS) end)
            || {Nth, Echo} <- lists:zip(lists:seq(1, ?PAIRS), Echoes)],
    [result(P) || P <- Pids],
    Ms = element(1, erlang:statistics(runtime)) - Before,
    [begin unlink(Echo), exit(Echo, kill) end || Echo <- Echoes],
    Ms * 1000000 / (2 * ?PAIRS * ?TURNS).

echo() -> receive {From, N} -> From ! N, echo() end.

hops(_, 0) -> ok;
hops(Echo, N) -> Echo ! {self(), N}, receive N -> hops(Echo, N - 1) end.

%% Sends to a process that receives meanwhile, so that both need the mailbox.
stream(Other) ->
    Receiver = on(Other, fun() -> drain(?MESSAGES) end),
    Ns = result(on(1, fun() -> time(fun() -> sends(Receiver, ?MESSAGES) end) end)),
    _ = result(Receiver),
    Ns / ?MESSAGES.

%% The receipt of messages that another process has sent before. With one scheduler the receiver is runnable meanwhile,
%% with several it runs.
batch(Other) ->
    Flag = atomics:new(1, []),
    Receiver = on(Other, fun() ->
                             hold(Other, Flag),
                             time(fun() -> drain(?MESSAGES) end) / ?MESSAGES end),
    _ = result(on(1, fun() ->
                         arrived(Other, Flag),
                         sends(Receiver, ?MESSAGES),
                         atomics:put(Flag, 1, 2) end)),
    result(Receiver).

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

%% What a send costs in the same exchange, less the time of reading the clock.
wake(Other) ->
    Echo = spawn_opt(fun echo/0, [link, {scheduler, Other}]),
    Ns = result(on(1, fun() -> wakes(Echo, ?WAKES, 0) end)),
    unlink(Echo),
    exit(Echo, kill),
    Clock = lists:min([time(fun() -> ok end) || _ <- lists:seq(1, 100)]),
    max(0, Ns / ?WAKES - Clock).

wakes(_, 0, Ns) -> Ns;
wakes(Echo, N, Ns) ->
    Took = time(fun() -> Echo ! {self(), N} end),
    receive N -> wakes(Echo, N - 1, Ns + Took) end.

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
