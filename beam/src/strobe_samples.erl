%% Values over time: run queues, how busy the schedulers are and process count at each tick, memory every 20th, clocks
%% every 100th. What a tick has to remember for the next goes through its caller.
-module(strobe_samples).
-export([open/0, take/2, missed/1]).

%% The VM measures its schedulers for as long as the process lives that asked for it. Early in a boot there is nobody yet
%% who would see to that.
open() ->
    case whereis(kernel_refc) of
        undefined -> not_yet;
        _ -> erlang:system_flag(scheduler_wall_time, true), busy()
    end.

busy() -> lists:sort(erlang:statistics(scheduler_wall_time)).

take(_, not_yet) -> open();
take(Tick, Before) ->
    queues(1, erlang:statistics(run_queue_lengths_all)),
    Now = busy(),
    utilisation(Before, Now),
    sample(process_count, <<>>, erlang:system_info(process_count)),
    Tick rem 20 =:= 0 andalso
        [sample(memory, atom_to_binary(Kind, latin1), Bytes) || {Kind, Bytes} <- erlang:memory()],
    Tick rem 100 =:= 0 andalso clocks(),
    Now.

%% Ticks that could not be taken, because no scheduler took this process in time.
missed(N) when N > 0 -> sample(ticks_missed, <<>>, N);
missed(_) -> ok.

%% In millionths of the time since the last tick.
utilisation([{Id, Active0, Total0} | Before], [{Id, Active, Total} | Now]) ->
    Total > Total0 andalso
        sample(utilisation, integer_to_binary(Id), (Active - Active0) * 1000000 div (Total - Total0)),
    utilisation(Before, Now);
utilisation(_, _) -> ok.

queues(_, []) -> ok;
queues(N, [Length | Rest]) ->
    sample(run_queue, integer_to_binary(N), Length),
    queues(N + 1, Rest).

%% Both clocks as the distance from the stamps of the events, so that each sample stands alone.
clocks() ->
    sample(otp_minus_at_ns, <<>>, erlang:monotonic_time(nanosecond) - strobe_nif:clock()),
    sample(wall_minus_at_ns, <<>>, erlang:system_time(nanosecond) - strobe_nif:clock()).

sample(Item, Key, Value) -> strobe_nif:emit(sample, none, Item, Key, Value).
