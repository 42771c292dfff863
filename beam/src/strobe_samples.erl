%% Samples of values: run queues and process count at each tick of the session, utilisation of the schedulers every
%% tenth of a second, memory five times a second while something happens, clocks once a second.
%%
%% The VM answers for the utilisation and the memory by asking each scheduler, which wakes those that sleep. So they
%% are sampled less often than what can be read in passing. A sample of the utilisation covers all time since the one
%% before. While the session sleeps no process runs, and after the first sample of that time the next ones may wait.
-module(strobe_samples).
-export([open/1, take/3, idle/1]).

-define(TICK_MS, 10). % strobe_session's
-define(UTILISATION_MS, 100).
-define(MEMORY_MS, 200).
-define(IDLE_MS, 900).
-define(REST_MS, 4500).
-define(CLOCKS_MS, 1000).

%% When each was sampled last, and the VM's account of its schedulers at that time. `Memory' is false if it is not to be
%% sampled.
open(Memory) ->
    Now = erlang:monotonic_time(millisecond),
    State = #{utilisation => Now - ?UTILISATION_MS, clocks => Now - ?CLOCKS_MS, busy => account(), rested => false},
    case Memory of true -> State#{memory => Now - ?MEMORY_MS}; false -> State end.

%% The VM measures the work of its schedulers as long as the process that requested it lives. Early in a boot the
%% process that keeps count of the requests does not exist yet.
account() ->
    case whereis(kernel_refc) of
        undefined -> none;
        _ -> erlang:system_flag(scheduler_wall_time, true), busy()
    end.

busy() -> lists:sort(erlang:statistics(scheduler_wall_time)).

%% Takes the samples of a tick. If no scheduler ran this process in time, the tick is that many milliseconds late, and
%% the utilisation shows whether the schedulers were at work meanwhile. `Since' tells what happened since the last tick:
%% events were recorded (stirred) or none (still), and none although the session slept (rested).
take(LateMs, Since, #{rested := Rested} = State) ->
    Now = erlang:monotonic_time(millisecond),
    LateMs >= 2 * ?TICK_MS andalso sample(ticks_missed, <<>>, LateMs div ?TICK_MS - 1),
    queues(1, erlang:statistics(run_queue_lengths_all)),
    sample(process_count, <<>>, erlang:system_info(process_count)),
    Account = map_get(busy, State) =:= none orelse LateMs >= ?TICK_MS,
    {Utilisation, Memory} = case Since of
                                stirred           -> {?UTILISATION_MS, ?MEMORY_MS};
                                rested when Rested -> {?REST_MS, ?REST_MS};
                                _                 -> {?UTILISATION_MS, ?IDLE_MS}
                            end,
    Due = [utilisation || Account orelse is_due(utilisation, Utilisation, Now, State)]
        ++ [memory || is_due(memory, Memory, Now, State)]
        ++ [clocks || is_due(clocks, ?CLOCKS_MS, Now, State)],
    lists:foldl(fun(Item, S) -> take(Item, S#{Item := Now}) end, State#{rested := Since =:= rested}, Due).

is_due(Item, Every, Now, State) -> Now - maps:get(Item, State, Now) >= Every.

take(utilisation, #{busy := none} = State) -> State#{busy := account()};
take(utilisation, #{busy := Before} = State) ->
    Now = busy(),
    [sample(utilisation, integer_to_binary(Id), (Active - Active0) * 1000000 div (Total - Total0))
     || {{Id, Active0, Total0}, {Id, Active, Total}} <- lists:zip(Before, Now), Total > Total0],
    State#{busy := Now};
take(memory, State) ->
    [sample(memory, atom_to_binary(Kind, latin1), Bytes) || {Kind, Bytes} <- erlang:memory()],
    State;
take(clocks, State) -> % as their distance from the time stamps of events, so that each sample can be used alone
    sample(otp_minus_at_ns, <<>>, erlang:monotonic_time(nanosecond) - strobe_nif:clock()),
    sample(wall_minus_at_ns, <<>>, erlang:system_time(nanosecond) - strobe_nif:clock()),
    State.

queues(_, []) -> ok;
queues(N, [Length | Rest]) ->
    sample(run_queue, integer_to_binary(N), Length),
    queues(N + 1, Rest).

%% Records that from the last tick until so many nanoseconds ago no process had an event.
idle(EndedAgo) -> sample(idle_ended_ago_ns, <<>>, EndedAgo).

sample(Item, Key, Value) -> strobe_nif:emit(sample, none, Item, Key, Value).
