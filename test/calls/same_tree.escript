#!/usr/bin/env escript
%%! +S 2
%% One program recorded by our tracer, by OTP's file port, and by it with fprof's {cp, Caller}: the same functions are
%% called as often, by the same callers, in the same trees.
-mode(compile).

main(_) ->
    Root = filename:dirname(filename:dirname(filename:dirname(filename:absname(escript:script_name())))),
    put(strobe, os:getenv("STROBE", filename:join(Root, "build/strobe"))),
    code:add_patha(filename:join(filename:dirname(get(strobe)), "erlang/strobe/ebin")),
    Dir = string:trim(os:cmd("mktemp -d")),
    ok = file:set_cwd(Dir),
    make(filename:join(Root, "test/calls")),
    [run(Name, Modules, Program) || {Name, Modules, Program} <- programs()],
    file:set_cwd("/"),
    os:cmd("rm -rf " ++ Dir),
    halt().

run(Name, Modules, Program) ->
    catch Program(), %% all it needs is loaded now
    try
        [{module, M} = code:ensure_loaded(M) || M <- Modules],
        native(Modules, Program),
        otp(Modules, Program, true, "o.trace"),
        otp(Modules, Program, [{'_', [], [{message, {{cp, {caller}}}}]}], "c.trace"),
        Same = [{What, difference(ask("n.sbt", Sql, Modules), ask(Trace, Sql, Modules))} ||
                   {What, Trace, Sql} <- [{"functions", "o.trace", functions()}, {"callers", "o.trace", edges()},
                                          {"trees", "o.trace", trees()}, {"functions with cp", "c.trace", functions()},
                                          {"callers with cp", "c.trace", edges()}],
                   What =/= "callers with cp" orelse hd(Modules) =:= same],
        case [D || {_, [_ | _]} = D <- Same] of
            [] -> io:format("ok same tree: ~s~n", [Name]);
            Bad -> io:format("not ok same tree: ~s: ~0p~n", [Name, Bad])
        end
    catch _:Reason:Stack -> io:format("not ok same tree: ~s: ~0P ~0P~n", [Name, Reason, 30, hd(Stack), 12])
    end.

functions() -> "SELECT mfa, sum(calls) FROM call_node GROUP BY mfa HAVING sum(calls) > 0 ORDER BY 1".

%% Who called a function that nothing traced called is told by cp alone; so is, where traced functions tail call each
%% other below one that is not traced, which of them that one was called by.
edges() ->
    "SELECT caller, callee, sum(calls) FROM call_edge WHERE caller IN (SELECT mfa FROM call_node WHERE calls > 0) "
        "GROUP BY 1, 2 HAVING sum(calls) > 0 ORDER BY 1, 2".

trees() -> "SELECT p.mfa, c.mfa, sum(c.calls), sum(c.recursive), sum(c.tail) FROM call_node c JOIN call_node p ON "
           "p.id = c.parent "
               "WHERE c.mfa NOT IN ('suspend', 'garbage_collect') GROUP BY 1, 2 ORDER BY 1, 2".

%% A new process runs it, so its stack begins with it.
start(Program) ->
    {Pid, Ref} = spawn_monitor(fun() -> receive go -> catch Program() end end),
    {Pid, fun() -> Pid ! go, receive {'DOWN', Ref, process, Pid, _} -> ok end end}.

native(Modules, Program) ->
    {Pid, Go} = start(Program),
    {ok, _, Summary} = strobe:profile("n.sbt", Go, [{trace, [procs, calls]}, {modules, Modules}, {processes, [Pid]},
                                                    {governor, false}, {buffer, 256 bsl 20}]),
    Summary.

otp(Modules, Program, Spec, File) ->
    {Pid, Go} = start(Program),
    Port = (dbg:trace_port(file, File))(),
    [erlang:trace_pattern({M, '_', '_'}, Spec, [local]) || M <- Modules],
    1 = erlang:trace(Pid, true, [call, return_to, procs, arity, timestamp, set_on_spawn, {tracer, Port}]),
    Go(),
    Seen = erlang:trace_delivered(all),
    receive {trace_delivered, all, Seen} -> ok end,
    [erlang:trace_pattern({M, '_', '_'}, false, [local]) || M <- Modules],
    erlang:port_close(Port).

ask(Trace, Sql, Modules) ->
    Quiet = [" analyze ", Trace, " -o p.sbp >/dev/null && ", get(strobe), " query p.sbp \"", Sql, "\" --format csv"],
    Lines = string:lexemes(os:cmd(lists:flatten([get(strobe) | Quiet])), "\n"),
    length(Lines) > 1 orelse exit({nothing_in, Trace, Modules, Lines}),
    Lines.

difference(A, B) -> lists:sublist([{ours, X} || X <- A -- B] ++ [{otp, X} || X <- B -- A], 6).

make(Here) ->
    {ok, same} = compile:file(filename:join(Here, "same")),
    code:add_patha(".").

programs() ->
    %% OTP 27 has no v3_kernel
    Compiler = [M || M <- [beam_asm, beam_block, beam_jump, beam_ssa, beam_ssa_opt, beam_ssa_type, beam_validator,
                           compile, core_lib, sys_core_fold, v3_core, v3_kernel, cerl, cerl_trees],
                     code:which(M) =/= non_existing],
    %% comparing callers with cp takes programs that begin with `same`
    Stdlib = [lists, maps, ordsets, gb_sets, gb_trees, erl_lint, erl_scan, erl_parse, erl_expand_records, sofs, io_lib],
    [{atom_to_list(F), [same], fun() -> same:F() end}
     || F <- [recursion, tails, exceptions, funs, comprehensions, processes]] ++
    [{"with the functions of OTP it calls", [same, lists, maps], fun() -> {same:funs(), same:exceptions()} end},
     {"scanner and parser", [same | Stdlib], fun same:forms/0},
     {"compiler", Compiler ++ Stdlib, fun() -> {ok, m, _, _} = compile:forms(same:forms(), [binary, return]) end},
     {"printing", [io_lib, io_lib_format, io_lib_pretty, lists],
      fun() -> io_lib:format("~p ~80tp", [same:forms(), #{a => same:funs()}]) end},
     {"a gen_server that crashes", [gen_server, proc_lib, gen, sys], fun server/0}].

server() ->
    {ok, P} = gen_event:start(),
    [gen_event:sync_notify(P, N) || N <- lists:seq(1, 20)],
    catch gen_event:call(P, nobody, x),
    gen_event:stop(P).
