%% Keeps calls from flooding the rings. When a ring is three quarters full, or a function has used up its budget of
%% events, the calls of the hottest functions are counted and no longer recorded. The trace states which functions
%% these are, and the number of their calls: at each look at which it has changed, since a node that halts or is killed
%% writes nothing at its end, and at the end of a recording that ends before the node.
-module(strobe_governor).
-export([open/2, look/2, counts/1, record/1, clear/1]).

-define(FULL, 75).
-define(COUNTED_FROM, 1000).  % functions with fewer records between two looks are ignored
-define(LOOK_TICKS, 10).
-define(PATIENCE, 100).       % in steps of 10 ms
-define(SILENT, [{'_', [], [{message, false}]}]).

%% `Budget': events of a function before its calls are only counted; infinity: they are only counted if a ring is full.
open(Tracing, Budget) -> #{tracing => Tracing, budget => Budget, seen => #{}, counted => [], ticks => 0,
                           written => #{}}.

look(Fullest, State) -> write(choose(Fullest, State)).

choose(Fullest, State) when Fullest >= ?FULL ->
    Hot = lists:reverse(lists:sort(hot())),
    count(hottest(Hot, lists:sum([N || {N, _} <- Hot]) div 2), remember(Hot, State));
choose(_, #{budget := infinity} = State) -> State;
choose(_, #{ticks := N} = State) when N rem ?LOOK_TICKS =/= 0 -> State#{ticks := N + 1};
choose(_, #{budget := Budget, ticks := N} = State0) ->
    #{seen := Seen} = State = remember(hot(), State0#{ticks := N + 1}),
    count([MFA || {MFA, Events} <- maps:to_list(Seen), Events > Budget], State).

%% Sums up the threads.
hot() ->
    Sum = lists:foldl(fun({N, M, F, A}, Acc) -> maps:update_with({M, F, A}, fun(K) -> K + N end, N, Acc) end, #{},
                      strobe_nif:hot(?COUNTED_FROM)),
    [{N, MFA} || {MFA, N} <- maps:to_list(Sum)].

remember(Hot, #{seen := Seen} = State) ->
    State#{seen := lists:foldl(fun({N, MFA}, Acc) -> maps:update_with(MFA, fun(K) -> K + N end, N, Acc) end, Seen,
                               Hot)}.

%% Returns the functions that make half of the events.
hottest(_, Half) when Half =< 0 -> [];
hottest([], _) -> [];
hottest([{N, MFA} | Rest], Half) -> [MFA | hottest(Rest, Half - N)].

count(MFAs, #{tracing := Tracing, counted := Counted} = State) ->
    New = [MFA || MFA <- MFAs, not lists:member(MFA, Counted), is_free(Tracing, MFA), begin_(Tracing, MFA)],
    New =:= [] orelse application:set_env(strobe, ?MODULE, New ++ Counted),
    State#{counted := New ++ Counted}.

%% The trace must state that calls of a function are only counted, whatever happens to the node after that. So a
%% function is recorded until that statement has found room in a ring; its calls that find none are counted as lost.
begin_(Tracing, MFA) ->
    strobe_nif:emit(counter, none, MFA, unknown, 0) =:= ok andalso
        (switch(Tracing, MFA) > 0 orelse end_(MFA)).

%% The code is gone: nothing was counted.
end_(MFA) ->
    strobe_nif:emit(counter, none, MFA, 0, 1),
    false.

%% Counts that find no room in a full ring are written at the next look.
write(#{counted := []} = State) -> State;
write(#{written := Written} = State) ->
    State#{written := lists:foldl(fun write/2, Written, counts(State))}.

write({MFA, N}, Written) ->
    case maps:get(MFA, Written, none) =/= N andalso strobe_nif:emit(counter, none, MFA, N, 0) of
        ok -> Written#{MFA => N};
        _  -> Written
    end.

%% A function that another tool counts stays recorded, since both counts would be one.
is_free(Tracing, MFA) -> not is_integer(strobe_otp:read(Tracing, MFA, call_count)).

%% Replaces the breakpoint by one that only counts, at a twentieth of the cost. One change silences the first and sets
%% the second, so that each call is either recorded or counted. Then the silent one is removed.
switch(Tracing, MFA) ->
    N = strobe_otp:pattern(Tracing, MFA, ?SILENT, [local, call_count]),
    strobe_otp:pattern(Tracing, MFA, false, [local]),
    N.

%% Returns how often each function was called since its calls are only counted. Call this before the tracing ends.
counts(#{tracing := Tracing, counted := Counted}) ->
    [{MFA, N} || MFA <- Counted, N <- [strobe_otp:read(Tracing, MFA, call_count)], is_integer(N)].

%% Removes the counters. The list is where it outlives the owner, whose guard may have to do this.
clear(Tracing) ->
    [strobe_otp:pattern(node, MFA, false, [local, call_count])
     || Tracing =:= node, {ok, Counted} <- [application:get_env(strobe, ?MODULE)], MFA <- Counted],
    application:unset_env(strobe, ?MODULE).

%% Records the counts. Call this after the tracing has ended, when the full rings soon have room again.
record(Counts) ->
    wait_for_room(?PATIENCE),
    [strobe_nif:emit(counter, none, MFA, N, 1) || {MFA, N} <- Counts],
    ok.

wait_for_room(0) -> ok;
wait_for_room(Patience) ->
    case strobe_nif:status() of
        {_, Fullest, _} when Fullest >= ?FULL -> timer:sleep(10), wait_for_room(Patience - 1);
        _ -> ok
    end.
