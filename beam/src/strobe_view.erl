%% The part of the live table, `strobe top', in the node: answers about processes. It is a process of its own, which
%% waits where one of them does not answer, as in a NIF; the recording goes on meanwhile. strobe_attach starts and ends
%% it.
-module(strobe_view).
-export([start/2]).

-define(LOT, 40).
-define(PAUSE_MS, 10).

%% `Keeper' is the group leader of our own processes, `Client' the program, to which the answers go.
-spec start(pid(), pid()) -> pid().
start(Keeper, Client) -> spawn_link(fun() -> view([], #{keeper => Keeper, client => Client}) end).

answer(#{client := Client}, What) -> erlang:send(Client, {strobe, What}, [noconnect]).

%% `Left' are the processes that the sweep has not seen yet.
view(Left, State) ->
    receive
        {watch, Pids, {N, What}, Opened} ->
            {Swept, Rest, End} = sweep(N, Left),
            Seen = in_lots(Swept, parts(What), State),
            Shown = [shown(P, State) || P <- parts(Pids)],
            Facts = [facts(pid(P)) || P <- parts(Opened)],
            answer(State, {watched, iolist_to_binary([Seen, Shown, Facts, End])}),
            End =:= [] orelse erase(),
            view(Rest, State)
    end.

%% A process in view; a plus marks one whose memory may have changed.
shown(<<"+", Pid/binary>>, State) -> seen(pid(Pid), [<<"memory">>, <<"entry">>, <<"label">>], State);
shown(Pid, State)                 -> seen(pid(Pid), [<<"entry">>, <<"label">>], State).

pid(Text) -> list_to_pid(binary_to_list(Text)).

sweep(0, Left) -> {[], Left, []};
sweep(N, [])   -> sweep(N, erlang:processes());
sweep(N, Left) when length(Left) =< N -> {Left, [], "e\n"};
sweep(N, Left) -> {Swept, Rest} = lists:split(N, Left), {Swept, Rest, []}.

%% A process whose memory is asked for wakes to answer. Where requests wait behind hundreds of them, the longest take a
%% fifth more, so a sweep that need not hurry pauses between lots of a few.
in_lots(Pids, What, State) when length(Pids) =< ?LOT -> [seen(P, What, State) || P <- Pids];
in_lots(Pids, What, State) ->
    {Lot, Rest} = lists:split(?LOT, Pids),
    Seen = in_lots(Lot, What, State),
    _ = [receive after ?PAUSE_MS -> ok end || lists:member(<<"pauses">>, What)],
    [Seen | in_lots(Rest, What, State)].

%% A process as a line; none for our own and for one that has ended. Of a process that does not run, all but its memory
%% is read without waking it. Entries are those of few functions, so their text is kept in the process dictionary
%% during a sweep.
seen(Keeper, _, #{keeper := Keeper}) -> [];
seen(Pid, What, #{keeper := Keeper}) ->
    With = fun(Which) -> lists:member(Which, What) end,
    case process_info(Pid, [group_leader, message_queue_len, registered_name, initial_call
                            | [memory || With(<<"memory">>)]]) of
        undefined         -> [];
        [{_, Keeper} | _] -> [];
        [_, {_, N}, {_, Name}, {_, Initial} | Memory] ->
            ["p\t", pid_to_list(Pid), $\t, [integer_to_list(Bytes) || {_, Bytes} <- Memory], $\t,
             integer_to_list(N), $\t,
             case Name of [] -> []; _ -> field(Name) end, $\t,
             case With(<<"entry">>) of true -> entry(Pid, Initial); false -> "\t\t" end, $\t,
             case With(<<"label">>) of true -> label(Pid); false -> [] end, $\n]
    end.

entry(Pid, {proc_lib, init_p, _}) -> entry(strobe_snapshot:initial_call(Pid));
entry(_, MFA)                     -> entry(MFA).

entry({M, F, A} = MFA) ->
    case get(MFA) of
        undefined ->
            Text = iolist_to_binary([field(M), $\t, field(F), $\t, integer_to_list(A)]),
            put(MFA, Text),
            Text;
        Text -> Text
    end;
entry(none) -> "\t\t".

label(Pid) ->
    case strobe_snapshot:label(Pid) of
        undefined -> [];
        Text      -> field(Text)
    end.

%% Facts of one process, for its page.
facts(Pid) ->
    Items = [status, current_function, initial_call, message_queue_len, memory, total_heap_size, stack_size, reductions,
             priority, trap_exit, suspending, links, monitors, monitored_by, group_leader, current_stacktrace],
    case process_info(Pid, Items) of
        undefined -> ["f\tpid\t", pid_to_list(Pid), "\nf\tstatus\tended\n"];
        Facts     -> Entry = {entry, strobe_snapshot:initial_call(Pid)},
                     ["f\tpid\t", pid_to_list(Pid), $\n | [lines_of(Key, Value) || {Key, Value} <- Facts ++ [Entry]]]
    end.

lines_of(Key, Value) -> [[$f, $\t, atom_to_list(Key), $\t, field(Text), $\n] || Text <- fact(Key, Value)].

fact(_, {M, F, A}) when is_integer(A)    -> [function(M, F, A)];
fact(current_stacktrace, Frames)         -> [frame(Frame) || Frame <- Frames];
fact(_, [])                              -> [];
fact(Key, List) when Key =:= links; Key =:= monitors; Key =:= monitored_by ->
    [[io_lib:format("~b: ", [length(List)]),
      lists:join(" ", [io_lib:format("~0tp", [case X of {_, Who} -> Who; _ -> X end]) || X <- lists:sublist(List, 20)]),
      case List of [_ | _] when length(List) > 20 -> " ..."; _ -> [] end]];
fact(_, Value)                           -> [io_lib:format("~0tP", [Value, 20])].

frame({M, F, Args, Where}) ->
    Arity = case is_list(Args) of true -> length(Args); false -> Args end,
    Line = case {lists:keyfind(file, 1, Where), lists:keyfind(line, 1, Where)} of
               {{_, File}, {_, N}} -> io_lib:format(" (~ts:~b)", [filename:basename(File), N]);
               _                   -> []
           end,
    [function(M, F, Arity), Line].

function(M, F, A) -> io_lib:format("~tw:~tw/~b", [M, F, A]).

%% Text between tabs, in one line.
field(Atom) when is_atom(Atom) -> field(atom_to_binary(Atom, utf8));
field(Text) ->
    case unicode:characters_to_binary(Text) of
        Utf8 when is_binary(Utf8) ->
            case binary:match(Utf8, [<<"\t">>, <<"\n">>, <<"\r">>]) of
                nomatch -> Utf8;
                _       -> << <<(case C < $\s of true -> $?; false -> C end)>> || <<C>> <= Utf8 >>
            end;
        _NoUnicode -> <<>>
    end.

parts(Text) -> binary:split(Text, <<",">>, [global, trim_all]).
