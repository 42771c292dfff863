%% Samples of values: run queues and process count at each tick, utilisation of the schedulers every 10th, memory every
%% 20th, clocks every 100th.
%%
%% The VM answers for the utilisation and the memory by asking each scheduler, which wakes those that sleep. So they are
%% sampled less often than what can be read in passing. A sample of the utilisation covers all time since the one before.
-module(strobe_samples).
-export([open/0, take/3]).

-define(UTILISATION_TICKS, 10).
-define(MEMORY_TICKS, 20).
-define(CLOCK_TICKS, 100).

%% The VM measures the work of its schedulers as long as the process that requested it lives. Early in a boot the process
%% that keeps count of the requests does not exist yet.
open() ->
    case whereis(kernel_refc) of
        undefined -> not_yet;
        _ -> erlang:system_flag(scheduler_wall_time, true), busy()
    end.

busy() -> lists:sort(erlang:statistics(scheduler_wall_time)).

%% Takes the samples of a tick. `Missed' ticks before it did not take place because no scheduler ran this process in time;
%% the utilisation then shows whether the schedulers were at work all the while.
take(_, _, not_yet) -> open();
take(Tick, Missed, Before) ->
    Missed > 0 andalso sample(ticks_missed, <<>>, Missed),
    queues(1, erlang:statistics(run_queue_lengths_all)),
    Now = case Missed > 0 orelse Tick rem ?UTILISATION_TICKS =:= 0 of
              true -> utilisation(Before);
              false -> Before
          end,
    sample(process_count, <<>>, erlang:system_info(process_count)),
    Tick rem ?MEMORY_TICKS =:= 0 andalso
        [sample(memory, atom_to_binary(Kind, latin1), Bytes) || {Kind, Bytes} <- erlang:memory()],
    Tick rem ?CLOCK_TICKS =:= 0 andalso clocks(),
    Now.

%% In millionths of the time since the sample before.
utilisation(Before) ->
    Now = busy(),
    [sample(utilisation, integer_to_binary(Id), (Active - Active0) * 1000000 div (Total - Total0))
     || {{Id, Active0, Total0}, {Id, Active, Total}} <- lists:zip(Before, Now), Total > Total0],
    Now.

queues(_, []) -> ok;
queues(N, [Length | Rest]) ->
    sample(run_queue, integer_to_binary(N), Length),
    queues(N + 1, Rest).

%% Both clocks as their distance from the time stamps of events, so that each sample can be used alone.
clocks() ->
    sample(otp_minus_at_ns, <<>>, erlang:monotonic_time(nanosecond) - strobe_nif:clock()),
    sample(wall_minus_at_ns, <<>>, erlang:system_time(nanosecond) - strobe_nif:clock()).

sample(Item, Key, Value) -> strobe_nif:emit(sample, none, Item, Key, Value).
