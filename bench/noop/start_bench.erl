%% Where the CPU time goes that a node needs to begin and end a recording: microseconds of each part, in a fresh node
%% whose modules none has loaded. bench/noop/whole.py runs it.
-module(start_bench).
-export([main/2]).

main(Dir, Ebin) ->
    ok = noop_tracer:load(Dir),
    Rings = filename:join(in_memory(Dir), "strobe-bench-" ++ os:getpid() ++ ".rings"),
    Options = #{rings => Rings, trace => [all], missing => Rings ++ ".missing"},
    First = [strobe_boot, strobe_session],
    {module, _} = code:load_abs(filename:join(Ebin, "strobe_program")),
    Modules = part("loading the modules", fun() ->
                  strobe_program:load_at_once(First),
                  All = strobe_session:modules(Options),
                  strobe_program:load_at_once(All -- [strobe_nif]),
                  All end),
    part("loading the library", fun() -> strobe_program:load_at_once(Modules) end),
    part("the rings", fun() ->
             ok = strobe_layout:open(unicode:characters_to_binary(Rings), strobe_layout:sizes(64 bsl 20), false),
             strobe_nif:close(true) end),
    ok = file:delete(Rings),
    part("the cost of an event", fun() -> strobe_cost:measure([messages, running, gc]) end),
    {ok, Owner} = part("the begin, with rings and cost", fun() -> strobe_session:start_loaded(Options) end),
    part("100 ms of ticks", fun() -> timer:sleep(100) end),
    part("the end", fun() -> {ok, _} = strobe_session:stop(Owner) end),
    ok = file:delete(Rings),
    halt().

%% A recording keeps its rings in memory too, if there is a file system in memory.
in_memory(Dir) ->
    hd([Root || Root <- ["/dev/shm", Dir], filelib:is_dir(Root)]).

part(Name, Fun) ->
    Before = noop_tracer:cpu_ns(),
    Result = Fun(),
    io:format("~s|~b~n", [Name, (noop_tracer:cpu_ns() - Before) div 1000]),
    Result.
