%% What an event costs the node on this machine: a process of our own does the same work untraced and traced, into rings
%% that nobody reads, before the recording begins. So the VM's share is in it: asking the tracer, making the terms that
%% it is called with, calling it. What is not in it: caches that a larger program keeps busy, and schedulers that wake up
%% more often because everything takes longer.
-module(strobe_cost).
-export([measure/1]).

-define(TRACER, {strobe_nif, 0}).
-define(ROUNDS, 3).

%% [{Class, Hundredths of a nanosecond}], of these classes those that can be measured; [] when it cannot be done now.
%% Takes some 2 ms. No capture is open yet.
-spec measure([atom()]) -> [{atom(), non_neg_integer()}].
measure(Classes) ->
    case strobe_nif:open(<<>>, strobe_layout:sizes(8 bsl 20), strobe_layout:probes()) of
        ok ->
            strobe_nif:begin_(),
            {Pid, Ref} = spawn_opt(fun worker/0, [link, monitor, {priority, high}]),
            Tracing = strobe_otp:open(strobe_cost, ?TRACER),
            Costs = [{C, cost(Tracing, Pid, C)} || C <- [messages, running, gc], lists:member(C, Classes), strobe_session:process_flags(C) =/= []],
            strobe_otp:shut(Tracing),
            strobe_nif:halt_(),
            Pid ! stop,
            receive {'DOWN', Ref, process, Pid, _} -> ok end,
            close(),
            Costs;
        {error, _} ->
            []
    end.

close() ->
    case strobe_nif:quiet() of
        true -> strobe_nif:close(false);
        false -> receive after 1 -> close() end
    end.

%% The least of some rounds each, taken in turns: whatever else the machine does can only add to them.
cost(Tracing, Pid, Class) ->
    Rounds = [{times(Pid, Class), traced(Tracing, Pid, Class)} || _ <- lists:seq(1, ?ROUNDS)],
    {Plain, Traced} = {lists:min([P || {P, _} <- Rounds]), lists:min([T || {_, T} <- Rounds])},
    max(0, Traced - Plain) * 100 div (2 * times(Class)).

traced(Tracing, Pid, Class) ->
    strobe_otp:send_to(Tracing, ?TRACER, Pid, strobe_session:process_flags(Class)),
    Time = times(Pid, Class),
    strobe_otp:processes(Tracing, Pid, false, [all]),
    Time.

%% Nanoseconds
times(Pid, Class) ->
    Pid ! {self(), Class},
    receive {Pid, Time} -> Time end.

worker() ->
    receive
        {From, Class} ->
            N = times(Class),
            Before = erlang:monotonic_time(nanosecond),
            work(Class, N),
            From ! {self(), erlang:monotonic_time(nanosecond) - Before},
            worker();
        stop -> ok
    end.

%% So often, which makes two events each.
times(messages) -> 150;
times(running) -> 120;
times(gc) -> 8.

work(_, 0) -> ok;
work(messages, N) -> self() ! {message, N}, receive {message, N} -> work(messages, N - 1) end;
work(running, N) -> erlang:yield(), work(running, N - 1);
work(gc, N) -> erlang:garbage_collect(self(), [{type, minor}]), work(gc, N - 1).
