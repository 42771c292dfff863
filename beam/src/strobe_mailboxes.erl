%% How long the mailboxes are of those that get most messages, at each tick: what was sent less what was fetched is not
%% that, since code may leave in its mailbox what it does not want yet. The tracer knows who gets most (strobe_nif:receivers),
%% so the work is the same with any number of processes.
%%
%% The VM answers for a process that does not run, without waking it; one that runs answers itself when its slice ends. So
%% each is asked by a process of its own, and one that computes for a second holds nobody up.
-module(strobe_mailboxes).
-export([open/0, pids/1, look/1, close/1]).

-define(WATCHED, 5).
-define(KEPT, 3). % of them, for as long as their mailboxes are not empty

%% Of each asker a place in `seen`: the length that it found last, BUSY while it waits for it, and what it has not asked yet.
-define(BUSY, -1).

open() ->
    Seen = atomics:new(?WATCHED, []),
    #{seen => Seen, askers => [{N, spawn_opt(fun() -> asker(N, Seen) end, [link, {priority, high}]), none} || N <- lists:seq(1, ?WATCHED)]}.

pids(#{askers := Askers}) -> [Pid || {_, Pid, _} <- Askers].

%% Whatever they wait for.
close(Mailboxes) -> [begin unlink(Pid), exit(Pid, kill) end || Pid <- pids(Mailboxes)], ok.

look(#{askers := Askers, seen := Seen} = State) ->
    Last = [{atomics:get(Seen, N), Who} || {N, _, Who} <- Askers, Who =/= none],
    Kept = [Who || {_, Who} <- lists:sublist(lists:reverse(lists:sort([L || {Length, _} = L <- Last, Length > 0])), ?KEPT)],
    Own = [self() | pids(State)],
    Wanted = lists:sublist(unique(Kept ++ [Pid || R <- strobe_nif:receivers(), Pid <- pid(R)], Own), ?WATCHED),
    Asked = [Who || {N, _, Who} <- Askers, atomics:get(Seen, N) =:= ?BUSY],
    State#{askers := ask(Askers, Wanted -- Asked, Seen)}.

pid(Pid) when is_pid(Pid) -> [Pid];
pid(Name) -> [Pid || Pid <- [whereis(Name)], is_pid(Pid)].

unique([Pid | Rest], Had) ->
    case lists:member(Pid, Had) of
        true -> unique(Rest, Had);
        false -> [Pid | unique(Rest, [Pid | Had])]
    end;
unique([], _) -> [].

%% One that still waits for its answer is left alone.
ask([{N, Pid, Who} | Askers], Wanted, Seen) ->
    case {atomics:get(Seen, N), Wanted} of
        {?BUSY, _} -> [{N, Pid, Who} | ask(Askers, Wanted, Seen)];
        {_, [Next | Rest]} -> atomics:put(Seen, N, ?BUSY), Pid ! {ask, Next}, [{N, Pid, Next} | ask(Askers, Rest, Seen)];
        {_, []} -> [{N, Pid, none} | ask(Askers, [], Seen)]
    end;
ask([], _, _) -> [].

asker(N, Seen) ->
    receive {ask, Pid} -> atomics:put(Seen, N, tell(Pid, erlang:process_info(Pid, message_queue_len))) end,
    asker(N, Seen).

tell(_, undefined) -> 0;
tell(Pid, {_, Length}) ->
    strobe_nif:emit(sample, none, mailbox, list_to_binary(pid_to_list(Pid)), Length),
    Length.
