%% The windows of `strobe top' where the program cannot map the rings. This process makes them: it copies what is in the
%% rings at the end of a window, and the program fetches the copy in pieces. strobe_attach starts and ends it.
%%
%%     on  --(the interval is over)--> on: the next window follows
%%         --(as many events as are allowed, or the program has not fetched the last window)--> off
%%     off --(the program asks, and the average is right again)--> on
%%
%% So tracing costs no more than was asked for, however slow the way to the program is.
-module(strobe_windows).
-export([start/2]).

-define(STEP_MS, 50).

%% Returns the processes of the windows and of the answers about processes (strobe_view), to be hidden from the trace.
%% The first is told {recorded, Session, Rings} when the recording has begun. A request of the program:
%%
%%     {window, Interval, Most, {At, Bytes, Ms}, Question}
%%
%% Interval is in nanoseconds and Most in events; {At, Bytes, Ms} asks for a piece of the last window from a byte on and
%% says how long it may take. Question is one of strobe_view or `none'; its answer comes with some later piece.
-spec start(pid(), pid()) -> {Windows :: pid(), View :: pid()}.
start(Keeper, Client) ->
    Self = self(),
    Windows = spawn_link(fun() -> wait(Client, receive {Self, View} -> View end) end),
    View = strobe_view:start(Keeper, Windows),
    Windows ! {Self, View},
    {Windows, View}.

wait(Client, View) ->
    receive
        {recorded, Session, Path} ->
            case strobe_drain_nif:rings(unicode:characters_to_binary(Path)) of
                {ok, Rings} ->
                    {Clock, Events} = strobe_drain_nif:look(Rings),
                    loop(#{client => Client, view => View, session => Session, rings => Rings, interval => 0, most => 0,
                           on => true, from => Clock, before => Events, due => Clock, ready => none, asked => none,
                           lines => none});
                {error, _} = Error -> erlang:send(Client, {strobe, Error}, [noconnect])
            end
    end.

loop(#{view := View} = State) ->
    receive
        {window, Interval, Most, {At, Bytes, Ms}, Question} ->
            _ = Question =:= none orelse (View ! Question),
            Until = erlang:monotonic_time(millisecond) + Ms,
            loop(step(State#{interval := Interval, most := Most, asked := {At, Bytes, Until}}));
        {strobe, {watched, Lines}} -> loop(State#{lines := Lines})
    after ?STEP_MS -> loop(step(State))
    end.

step(#{rings := Rings} = State) ->
    {Clock, Events} = strobe_drain_nif:look(Rings),
    answer(switch(Clock, Events, State)).

%% Nothing happens before the first request, which states the interval.
switch(_, _, #{asked := none, interval := 0} = State) -> State;
switch(Clock, Events, #{on := true, from := From, before := Before, interval := Interval, most := Most} = State) ->
    IsMost = Events - Before >= Most,
    case {IsMost orelse Clock - From >= Interval, State} of
        {false, _}               -> State;
        {true, #{ready := none}} -> ended(IsMost, State);
        {true, _}                -> paused(Clock, State)
    end;
switch(Clock, _, #{on := false, due := Due, most := Most, ready := none, asked := {_, _, _}} = State)
  when Clock >= Due, Most > 0 ->
    resumed(State);
switch(_, _, State) -> State.

%% A window that has cost as much as is allowed is followed by a pause for the rest of its share.
ended(IsMost, #{rings := Rings, from := From, before := Before, interval := Interval, most := Most} = State) ->
    {Clock, Copy} = strobe_drain_nif:copy(Rings),
    {_, Events} = strobe_drain_nif:look(Rings),
    New = State#{ready := {Copy, From, Clock, IsMost}, from := Clock, before := Events},
    case IsMost of
        true  -> paused(due(From, Interval, Events - Before, Most), New);
        false -> New
    end.

due(From, _, _, 0)              -> From;
due(From, Interval, Were, Most) -> From + max(Interval, Interval * Were div Most).

paused(Due, #{session := Session} = State) ->
    _ = strobe_session:tracing(Session, false),
    State#{on := false, due := Due}.

resumed(#{session := Session, rings := Rings} = State) ->
    _ = strobe_session:tracing(Session, true),
    {Clock, Events} = strobe_drain_nif:look(Rings),
    State#{on := true, from := Clock, before := Events}.

%% {windowed, Piece, IsLast, From, To, IsPaused, Lines}. IsLast without a piece: there is no window yet.
answer(#{asked := {At, Bytes, _}, ready := {Copy, From, To, IsPaused}} = State) ->
    Piece = binary:part(Copy, At, min(Bytes, byte_size(Copy) - At)),
    case At + byte_size(Piece) =:= byte_size(Copy) of
        true  -> answer(State#{ready := none}, Piece, {true, From, To, IsPaused});
        false -> answer(State, Piece, {false, From, To, IsPaused})
    end;
answer(#{asked := {_, _, Until}} = State) ->
    case erlang:monotonic_time(millisecond) >= Until of
        true  -> answer(State, <<>>, {true, 0, 0, false});
        false -> State
    end;
answer(State) -> State.

answer(#{client := Client, lines := Lines} = State, Piece, {IsLast, From, To, IsPaused}) ->
    erlang:send(Client, {strobe, {windowed, Piece, IsLast, From, To, IsPaused, Lines}}, [noconnect]),
    State#{asked := none, lines := none}.
