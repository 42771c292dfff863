%% Samples at each tick the mailbox lengths of the processes that receive the most messages. The number of messages sent
%% less those fetched is not the length, since code may leave messages in its mailbox. The tracer counts the receivers
%% (strobe_nif:receivers), so the work does not depend on the number of processes.
%%
%% The VM answers for a process that does not run, without waking it; a running process answers itself when its slice
%% ends. So each process is asked by a process of our own, and one that computes for a second delays no other.
-module(strobe_mailboxes).
-export([open/0, pids/1, look/1, close/1]).

-define(WATCHED, 5).
-define(KEPT, 3). % so many of them stay while their mailboxes are not empty

%% `seen' has a place for each asker: the length it found last, or BUSY while it waits for an answer.
-define(BUSY, -1).

open() ->
    Seen = atomics:new(?WATCHED, []),
    #{seen => Seen, askers => [{N, spawn_opt(fun() -> asker(N, Seen) end, [link, {priority, high}]), none}
                               || N <- lists:seq(1, ?WATCHED)]}.

pids(#{askers := Askers}) -> [Pid || {_, Pid, _} <- Askers].

%% Ends the askers, even those that wait for an answer.
close(Mailboxes) -> [begin unlink(Pid), exit(Pid, kill) end || Pid <- pids(Mailboxes)], ok.

look(#{askers := Askers, seen := Seen} = State) ->
    Last = [{atomics:get(Seen, N), Who} || {N, _, Who} <- Askers, Who =/= none],
    Kept = [Who || {_, Who} <- lists:sublist(lists:reverse(lists:sort([L || {Length, _} = L <- Last, Length > 0])),
                                             ?KEPT)],
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

%% Skips an asker that still waits for its answer.
ask([{N, Pid, Who} | Askers], Wanted, Seen) ->
    case {atomics:get(Seen, N), Wanted} of
        {?BUSY, _} -> [{N, Pid, Who} | ask(Askers, Wanted, Seen)];
        {_, [Next | Rest]} ->
            atomics:put(Seen, N, ?BUSY), Pid ! {ask, Next}, [{N, Pid, Next} | ask(Askers, Rest, Seen)];
        {_, []} -> [{N, Pid, none} | ask(Askers, [], Seen)]
    end;
ask([], _, _) -> [].

asker(N, Seen) ->
    receive {ask, Pid} -> atomics:put(Seen, N, record_length(Pid, erlang:process_info(Pid, message_queue_len))) end,
    asker(N, Seen).

record_length(_, undefined) -> 0;
record_length(Pid, {_, Length}) ->
    strobe_nif:emit(sample, none, mailbox, list_to_binary(pid_to_list(Pid)), Length),
    Length.
