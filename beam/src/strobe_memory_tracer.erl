%% @doc Adds up the collections of a process and of the processes that it starts.
%%
%% Before and after each collection the VM reports the number of words in every part of the process:
%%
%% ```
%% heap_size + old_heap_size          terms on the heaps
%% mbuf_size                          messages copied in, not yet on the heap
%% bin_vheap_size + bin_old_vheap_size   binaries off the heap that the process refers to
%% ..._block_size                     room taken for them
%% '''
%%
%% A process allocated what its collections reclaimed, and what is left at the end. For a child that exits, no event
%% tells what was left: at least what its last collection left, and at most the size of its heap then.
%%
%% Spawns are not traced, since a report of one costs the runner four words. So a child is known by its collections,
%% or if it is alive at the end; a child that ended and never outgrew its first heap is not known.
-module(strobe_memory_tracer).

-export([start/2]).

-define(NAME, strobe_memory).
-define(FLAGS, [garbage_collection, set_on_spawn]).
%% Collections that the runner forces while it is traced.
-define(FORCED, 1).

%% Sums of one process, in words.
-record(sums, {own = 0, messages = 0, binaries = 0,     % reclaimed
               first :: undefined | [{atom(), non_neg_integer()}],  % before the first collection
               live = 0, binaries_live = 0, room = 0,   % after the last
               peak = 0,                                % heaps and messages, the most seen
               collections = 0,
               before :: undefined | [{atom(), non_neg_integer()}]}).

%% @doc Trace `Runner' from its `start' to its `stop', then answer its `report'. The process is linked to the runner,
%% and ends it when `Owner' is gone.
-spec start(pid(), pid()) -> ok.
start(Runner, Owner) ->
    _ = erlang:monitor(process, Owner),
    Session = strobe_otp:open(?NAME),
    receive start -> begin_tracing(Session, Runner, Owner) end.

begin_tracing(Session, Runner, Owner) ->
    {_, First} = process_info(Runner, garbage_collection_info),
    try {false, 1} = {strobe_otp:is_traced(Runner), strobe_otp:processes(Session, Runner, true, ?FLAGS)} of
        _ ->
            Runner ! started,
            trace(Session, Runner, Owner, #{Runner => #sums{first = First}})
    catch
        error:_ -> Runner ! {refused, already_traced}, strobe_otp:shut(Session)
    end.

trace(Session, Runner, Owner, Processes) ->
    receive
        stop ->
            Sums = finish(Session, Runner, Processes),
            Runner ! stopped,
            receive {report, Runner, Ref} -> Runner ! {Ref, report(Runner, Sums)} end,
            strobe_otp:shut(Session);
        {'DOWN', _, process, Owner, _} -> exit(Runner, kill), strobe_otp:shut(Session);
        Event -> trace(Session, Runner, Owner, add(Event, Processes))
    end.

%% The events that the runner caused before its stop have arrived or are on their way.
finish(Session, Runner, Processes) ->
    ok = strobe_otp:delivered(Session, all),
    Alive = [Pid || Pid <- processes(), strobe_otp:is_traced_by(Session, Pid)],
    Sums = maps:merge(maps:from_list([{Pid, child()} || Pid <- Alive]), drain(Processes)),
    _ = [switch_off(Session, Pid) || Pid <- Alive],
    maps:map(fun(Pid, S) when Pid =:= Runner -> S; (Pid, S) -> still_alive(Pid, S) end, Sums).

drain(Processes) ->
    receive
        Event when element(1, Event) =:= trace -> drain(add(Event, Processes))
    after 0 -> Processes
    end.

switch_off(Session, Pid) ->
    try strobe_otp:processes(Session, Pid, false, ?FLAGS) catch error:badarg -> gone end.

%% A child that is alive can be asked for what it holds.
still_alive(Pid, Sums) ->
    case process_info(Pid, garbage_collection_info) of
        {_, Info} -> Live = heap(Info) + value(mbuf_size, Info), Sums#sums{live = Live, room = Live};
        undefined -> Sums
    end.

add({trace, Pid, Start, Info}, Processes) when Start =:= gc_minor_start; Start =:= gc_major_start ->
    Processes#{Pid => collecting(maps:get(Pid, Processes, child()), Info)};
add({trace, Pid, End, Info}, Processes) when End =:= gc_minor_end; End =:= gc_major_end ->
    #{Pid := #sums{before = Before} = Sums} = Processes,
    case End =:= gc_minor_end andalso gave_up(Before, Info) of
        true  -> Processes;
        false -> Processes#{Pid => collected(Sums, Info)}
    end;
add(_, Processes) ->
    Processes.

%% A minor collection that turns into a major one ends without an effect. Its report costs the process a few words of
%% message buffer, which belong to the tracing and not to the program, so the values from its beginning count.
collecting(#sums{before = undefined} = S, Info) ->
    S#sums{before = Info, peak = max(S#sums.peak, heap_room(Info) + value(mbuf_size, Info))};
collecting(#sums{before = Before} = S, Info) ->
    case gave_up(Before, Info) of
        true  -> S;
        false -> collecting(S#sums{before = undefined}, Info)
    end.

gave_up(Before, After) -> lists:all(fun({Key, Words}) -> value(Key, After) =:= Words end, essence(Before)).

essence(Info) -> [I || {Key, _} = I <- Info, Key =/= wordsize, Key =/= mbuf_size].

%% A process that was never collected has at most the room that every process starts with.
child() ->
    {min_heap_size, Room} = erlang:system_info(min_heap_size),
    #sums{room = Room}.

collected(#sums{before = Before, peak = Peak} = S, After) ->
    S#sums{own = S#sums.own + heap(Before) - heap(After),
           messages = S#sums.messages + value(mbuf_size, Before) - value(mbuf_size, After),
           binaries = S#sums.binaries + binaries(Before) - binaries(After),
           live = heap(After), binaries_live = binaries(After), room = heap_room(After),
           peak = max(Peak, heap_room(After)),
           collections = S#sums.collections + 1, before = undefined}.

heap(Info)      -> value(heap_size, Info) + value(old_heap_size, Info).
heap_room(Info) -> value(heap_block_size, Info) + value(old_heap_block_size, Info).
binaries(Info)  -> value(bin_vheap_size, Info) + value(bin_old_vheap_size, Info).

value(Key, Info) ->
    {Key, Words} = lists:keyfind(Key, 1, Info),
    Words.

report(Runner, Processes) ->
    #sums{first = First} = Own = maps:get(Runner, Processes),
    #{own => Own#sums.own,
      heap_bytes => max(0, Own#sums.own + Own#sums.live - heap(First)),
      message_bytes => max(0, Own#sums.messages - value(mbuf_size, First)),
      binary_bytes => max(0, Own#sums.binaries + Own#sums.binaries_live - binaries(First)),
      peak_bytes => Own#sums.peak, retained_bytes => max(0, Own#sums.live - heap(First)),
      collections => Own#sums.collections - ?FORCED,
      children => children(maps:values(maps:remove(Runner, Processes)))}.

children(All) ->
    Reclaimed = lists:sum([S#sums.own + S#sums.messages + S#sums.binaries || S <- All]),
    #{processes => length(All),
      bytes => Reclaimed + lists:sum([S#sums.live || S <- All]),
      at_most_bytes => Reclaimed + lists:sum([S#sums.room || S <- All])}.
