%% Measures what an event costs the node on this machine, before the recording begins: a process does the same work
%% untraced and traced, into rings that nobody reads. So the figure includes the VM's share: it asks the tracer,
%% builds the terms for it, and calls it. It leaves out that a larger program keeps the caches busy, and that
%% schedulers wake up more often because everything takes longer.
-module(strobe_cost).
-export([measure/1]).

-define(TRACER, {strobe_nif, 0}).
-define(ROUNDS, 3).

%% Returns [{Class, Hundredths of a nanosecond}] for those of the classes that can be measured; [] if that is not
%% possible now. Takes about 1 ms. No recording may be open.
-spec measure([atom()]) -> [{atom(), non_neg_integer()}].
measure(Classes) ->
    Measured = [C || C <- [messages, running, gc], lists:member(C, Classes)],
    case Measured =/= [] andalso strobe_layout:open(<<>>, strobe_layout:sizes(8 bsl 20), false) of
        ok ->
            strobe_nif:begin_(),
            Costs = costs(Measured),
            strobe_nif:halt_(),
            close(),
            Costs;
        _ ->
            []
    end.

close() ->
    case strobe_nif:quiet() of
        true -> strobe_nif:close(false);
        false -> receive after 1 -> close() end
    end.

%% The process traces itself, so that no other process and no other scheduler takes part.
costs(Classes) ->
    Tracing = strobe_otp:open(strobe_cost, ?TRACER),
    {Pid, Ref} = spawn_opt(fun() ->
                               exit({costs, [{C, cost(Tracing, C)} || C <- Classes,
                                             strobe_session:process_flags(C) =/= []]}) end,
                           [monitor, {priority, high}]),
    Costs = receive {'DOWN', Ref, process, Pid, {costs, Measured}} -> Measured;
                {'DOWN', Ref, process, Pid, _} -> [] end,
    strobe_otp:shut(Tracing),
    Costs.

%% The shortest of some rounds of each kind, in turns: whatever else the machine does only makes them longer.
cost(Tracing, Class) ->
    Rounds = [{time(Class), traced(Tracing, Class)} || _ <- lists:seq(1, ?ROUNDS)],
    {Plain, Traced} = {lists:min([P || {P, _} <- Rounds]), lists:min([T || {_, T} <- Rounds])},
    max(0, Traced - Plain) * 100 div (2 * times(Class)).

traced(Tracing, Class) ->
    strobe_otp:send_to(Tracing, ?TRACER, self(), strobe_session:process_flags(Class)),
    Time = time(Class),
    strobe_otp:processes(Tracing, self(), false, [all]),
    Time.

%% Nanoseconds
time(Class) ->
    N = times(Class),
    Before = erlang:monotonic_time(nanosecond),
    work(Class, N),
    erlang:monotonic_time(nanosecond) - Before.

%% Each time makes two events.
times(messages) -> 75;
times(running) -> 60;
times(gc) -> 8.

work(_, 0) -> ok;
work(messages, N) -> self() ! {message, N}, receive {message, N} -> work(messages, N - 1) end;
work(running, N) -> erlang:yield(), work(running, N - 1);
work(gc, N) -> erlang:garbage_collect(self(), [{type, minor}]), work(gc, N - 1).
