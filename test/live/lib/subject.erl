%% A node to attach to. It counts the messages that its workers exchange, and answers by files, not by the
%% distribution: for a file `ask' it writes `said', with all that a recording could leave behind.
-module(subject).
-export([start/0, work/1, allocators/0]).

start() ->
    inet:gethostbyname("localhost"), % starts OTP's resolver, which may also start later
    file:write_file("pid", os:getpid()),
    Counter = counters:new(1, []),
    Echo = spawn(fun Echo() -> receive {From, N} -> From ! N, Echo() end end),
    [spawn(fun() -> work({Echo, Counter}) end) || _ <- [1, 2]],
    spawn(fun() -> register(reporter, self()), report(Counter) end).

work({Echo, Counter} = State) ->
    [begin counters:add(Counter, 1, 1), Echo ! {self(), N}, receive N -> ok end end || N <- lists:seq(1, 50)],
    receive after 1 -> ok end,
    work(State).

report(Counter) ->
    case file:read_file("ask") of
        {ok, Question} ->
            file:delete("ask"),
            answer(Question, Counter);
        _ -> ok
    end,
    receive after 10 -> report(Counter) end.

answer(<<"state", _/binary>>, _) -> say(state());
answer(<<"sizes", _/binary>>, _) ->
    [erlang:garbage_collect(P) || P <- processes()],
    System = erlang:memory(system), % makes atoms when it is first asked
    say([{atoms, erlang:system_info(atom_count)}, {memory, System + memory(processes())}]);
%% As a node is that nobody collects: what those have that take part in loading and unloading of modules.
answer(<<"heaps", _/binary>>, _) ->
    say(memory([P || P <- processes(), is_of_code(P)]));
answer(<<"crowd", _/binary>>, _) ->
    _ = [spawn(fun() -> receive stop -> ok end end) || _ <- lists:seq(1, 20000)],
    say(done);
answer(<<"atoms", _/binary>>, _) -> say(erlang:system_info(atom_count));
answer(<<"count", _/binary>>, Counter) -> say(counters:get(Counter, 1));
answer(<<"overload", _/binary>>, _) -> % of low priority, so that all else goes on quickly
    Busy = [spawn_opt(fun spin/0, [{priority, low}]) || _ <- lists:seq(1, 40 * erlang:system_info(schedulers_online))],
    register(busy, spawn(fun() -> receive stop -> [exit(P, kill) || P <- Busy] end end)),
    say(done);
answer(<<"calm", _/binary>>, _) ->
    busy ! stop,
    say(done);
answer(<<"trace", _/binary>>, _) ->
    Tracer = spawn(fun() -> register(other_tracer, self()), receive stop -> ok end end),
    say(erlang:trace(new_processes, true, [procs, {tracer, Tracer}]));
answer(<<"untrace", _/binary>>, _) ->
    other_tracer ! stop,
    say(erlang:trace(new_processes, false, [all]));
answer(<<"cut", _/binary>>, _) ->
    spawn(fun cut/0),
    say(done);
answer(<<"kill session", _/binary>>, _) -> say(kill(strobe_nif)); % the module that attach sends
answer(<<"kill keeper", _/binary>>, _) -> say(kill(strobe_attach)).

%% This process is as large as its questions are.
memory(Pids) -> lists:sum([Bytes || P <- Pids, P =/= self(), {memory, Bytes} <- [process_info(P, memory)]]).

is_of_code(P) ->
    lists:member(P, [whereis(code_server), whereis(erts_code_purger)])
        orelse process_info(P, initial_call) =:= {initial_call, {erts_literal_area_collector, start, 0}}.

%% Names that a library for memory has, as RabbitMQ's does, also where nobody has asked for the memory.
allocators() -> [sys_alloc_carriers_size, mseg_alloc_carriers_size, mbcs_pool, binary_alloc].

spin() -> lists:seq(1, 1000), spin().

%% Kills what waits in a loop of this module. The process is elsewhere while it works, so this looks again, for a
%% minute at most.
kill(Module) -> kill(Module, 6000).
kill(Module, Times) ->
    case [P || P <- processes(), {current_function, {M, F, _}} <- [process_info(P, current_function)],
               M =:= Module, F =:= loop orelse F =:= keep] of
        [] when Times > 0 -> receive after 10 -> kill(Module, Times - 1) end;
        Found -> [exit(P, kill) || P <- Found], length(Found)
    end.

%% Cuts the connection of strobe when it has a process here that holds its name, and nothing else yet.
cut() ->
    case [P || P <- processes(), process_info(P, current_function) =:= {current_function, {prim_eval, 'receive', 2}}] of
        [] -> cut();
        _  -> [erlang:disconnect_node(N) || N <- nodes(hidden)]
    end.

say(What) ->
    ok = file:write_file("said.new", io_lib:format("~0p~n", [What])),
    ok = file:rename("said.new", "said").

state() ->
    [{processes, length(processes())}, {ports, length(erlang:ports())}, {tables, length(ets:all())},
     {names, lists:sort(registered())}, {modules, [M || M <- erlang:loaded(), ours(M)]},
     {known, [M || {M, _} <- code:all_loaded(), ours(M)]},
     {traced, [P || P <- [new_processes, new_ports | processes()], erlang:trace_info(P, flags) =/= {flags, []}]},
     {patterns, [erlang:trace_info(F, all) || F <- [{subject, work, 1}, {lists, seq, 2}, on_load]]},
     {sessions, try trace:session_info(all) catch error:undef -> none end},
     {terms, maps:get(count, persistent_term:info())},
     {flags, accounting(), erlang:statistics(scheduler_wall_time)},
     {drivers, erl_ddll:loaded_drivers()},
     {library, mapped()}].

ours(Module) -> lists:prefix("strobe", atom_to_list(Module)).

%% Whether microstate accounting is on: its counters grow.
accounting() ->
    Before = erlang:statistics(microstate_accounting),
    receive after 5 -> ok end,
    lists:sort(Before) =/= lists:sort(erlang:statistics(microstate_accounting)).

mapped() ->
    {ok, Maps} = file:read_file("/proc/self/maps"),
    binary:match(Maps, <<"strobe">>) =/= nomatch.
