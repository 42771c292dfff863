%% escript test/trace/programs.escript DIR PROGRAM.FLAGS...    while OTP traces all that goes on: DIR/PROGRAM.FLAGS
%% each,
%%                                                             with what tracing.erl adds to it (wrap sets, other nodes)
%% escript test/trace/programs.escript run PROGRAM...          as it is, for others to record
%% Runs small real programs: programs/PROGRAM.erl or .ex, modules program_PROGRAM with run/0. One that has prepare/0 is
%% made ready by it before; that may give {peers, [Pid], fun() -> after it}.
-mode(compile).

main(["run" | Programs]) ->
    logger:set_primary_config(level, none),
    [begin
         Module = module(Program),
         {Peers, After} = prepare(Module),
         send_to(Peers, [Module]),
         Module:run(),
         After()
     end || Program <- Programs];
main([Dir | Names]) ->
    logger:set_primary_config(level, none),
    {Tracing, _} = load(file("tracing.erl")),
    [begin
         [Program, Kind] = string:lexemes(Name, "."),
         Module = module(Program),
         {Peers, After} = prepare(Module),
         send_to(Peers, [Module, Tracing]),
         tracing:traced(filename:join(Dir, Name), list_to_atom(Kind), fun Module:run/0, Peers),
         After()
     end || Name <- Names],
    halt(0).

file(Name) -> filename:join(filename:dirname(escript:script_name()), Name).

module(Program) ->
    {Module, _} = case filelib:is_file(file("programs/" ++ Program ++ ".ex")) of
        true -> load_elixir(file("programs/" ++ Program ++ ".ex"));
        false -> load(file("programs/" ++ Program ++ ".erl"))
    end,
    Module.

load(File) ->
    {ok, Module, Binary} = compile:file(File, [binary, report, nowarn_underscore_match]),
    {module, Module} = code:load_binary(Module, File, Binary),
    put(Module, Binary),
    {Module, Binary}.

load_elixir(File) ->
    Elixir = filename:dirname(filename:dirname(os:find_executable("elixirc"))),
    code:add_pathsz(filelib:wildcard("/usr/lib/elixir/lib/*/ebin") ++ filelib:wildcard(Elixir ++ "/lib/*/ebin")),
    {ok, _} = application:ensure_all_started(elixir),
    [Loaded] = 'Elixir.Code':compile_file(list_to_binary(File)),
    Loaded.

prepare(Module) ->
    case erlang:function_exported(Module, prepare, 0) andalso Module:prepare() of
        {peers, Peers, After} -> {Peers, After};
        _ -> {[], fun() -> ok end}
    end.

send_to(Peers, Modules) ->
    [{module, M} = peer:call(P, code, load_binary, [M, "sent", get(M)]) || P <- Peers, M <- Modules].
