%% @doc Finds and runs the program `strobe'.
-module(strobe_program).

-export([find/0, command/1, in_rebar3/0, missing/0, run/1, home/0, modules/0, has/1, stay/0, load/1, load_at_once/1]).

-define(LIBRARIES, [strobe_nif, strobe_drain_nif]). % each loads a library, and so cannot be loaded with others

%% @doc Looks in the environment variable STROBE, in the application's priv folder, beside the application's folder
%% (where the build puts it), and on the PATH.
-spec find() -> {ok, file:filename()} | {error, no_strobe_program}.
find() ->
    Home = home(),
    Candidates = [os:getenv("STROBE"), filename:join([Home, "priv", "strobe"]),
                  filename:join([Home, "..", "..", "strobe"]), os:find_executable("strobe")],
    case [C || C <- Candidates, C =/= false, C =/= "", filelib:is_regular(C)] of
        [Program | _] -> {ok, Program};
        []            -> {error, no_strobe_program}
    end.

%% @doc Returns what to type in a shell for this command of the program, `report' or `serve': the program if the shell
%% finds it; in a project, the task of its build tool; otherwise the path of the program.
-spec command(string()) -> string().
command(Verb) ->
    case {os:find_executable("strobe"), tool(), find()} of
        {false, mix, _}           -> "mix strobe." ++ Verb;
        {false, rebar3, _}        -> "rebar3 strobe " ++ Verb;
        {false, _, {ok, Program}} -> from_here(Program) ++ " " ++ Verb;
        _                         -> "strobe " ++ Verb
    end.

%% @doc Remember that strobe is a plugin of rebar3 in this node.
-spec in_rebar3() -> ok.
in_rebar3() -> persistent_term:put({?MODULE, tool}, rebar3).

tool() ->
    case code:is_loaded('Elixir.Mix') =/= false andalso code:which('Elixir.Mix.Tasks.Strobe.Report') of
        Task when is_list(Task) -> mix;
        _                       -> persistent_term:get({?MODULE, tool}, none)
    end.

from_here(Program) ->
    {ok, Here} = file:get_cwd(),
    case string:prefix(filename:absname(Program), Here ++ "/") of
        nomatch -> Program;
        Path    -> Path
    end.

%% @doc Returns the advice for a missing program.
-spec missing() -> string().
missing() ->
    "strobe: the program strobe was not found: put it on the PATH, or name it in the environment variable STROBE "
    "(`make\' in a checkout of strobe builds it)\n".

%% @doc Returns the folder of this application.
-spec home() -> file:filename().
home() ->
    case code:which(?MODULE) of
        cover_compiled -> persistent_term:get({?MODULE, home});
        Beam           -> filename:dirname(filename:dirname(filename:absname(Beam)))
    end.

%% @doc Returns the modules of this application in Erlang.
-spec modules() -> [module()].
modules() ->
    [list_to_atom(filename:basename(F, ".beam"))
     || F <- filelib:wildcard(filename:join([home(), "ebin", "strobe*.beam"]))].

%% @doc A strobe that was built without Elixir lacks the modules of Elixir.
-spec has(module()) -> boolean().
has(Module) ->
    filelib:is_regular(filename:join([home(), "ebin", atom_to_list(Module) ++ ".beam"])).

%% @doc Load these modules of this application. In embedded mode the code server loads no module by name.
-spec load([module()]) -> ok.
load(Modules) ->
    Missing = [M || M <- Modules, not erlang:module_loaded(M), code:ensure_loaded(M) =/= {module, M}],
    lists:foreach(fun(M) -> {module, M} = code:load_abs(filename:join([home(), "ebin", M])) end, Missing).

%% @doc Load these modules of this application in one step. One after another they cost several times as much, since the
%% VM changes its code in one step for all schedulers. Only for a boot: no other process may load them meanwhile.
-spec load_at_once([module()]) -> ok.
load_at_once(Modules) ->
    Missing = [M || M <- Modules, not erlang:module_loaded(M)],
    {Libraries, Plain} = lists:partition(fun(M) -> lists:member(M, ?LIBRARIES) end, Missing),
    Ebin = filename:join(home(), "ebin"),
    ok = code:atomic_load([beam(M, filename:join(Ebin, M) ++ ".beam") || M <- Plain]),
    lists:foreach(fun(M) -> {module, M} = code:load_abs(filename:join(Ebin, M)) end, Libraries).

beam(Module, File) ->
    {ok, Beam, _} = erl_prim_loader:get_file(File),
    {Module, File, Beam}.

%% @doc Reload all modules of this application as if they came from no file. A build tool that switches between builds
%% unloads modules of which the next build has another file, and with the tracer it would unload the trace. It leaves
%% modules without a file alone.
-spec stay() -> ok.
stay() ->
    persistent_term:put({?MODULE, home}, home()),
    lists:foreach(fun stay/1, [M || M <- modules(), code:which(M) =/= cover_compiled]).

stay(Module) ->
    {Module, Beam, _} = code:get_object_code(Module),
    code:soft_purge(Module) andalso code:load_binary(Module, cover_compiled, Beam).

%% @doc Run it with these arguments. Returns its exit code and all that it printed.
-spec run([file:filename_all()]) -> {non_neg_integer(), string()} | {error, no_strobe_program}.
run(Args) ->
    case find() of
        {ok, Program} ->
            Port = open_port({spawn_executable, Program},
                             [{args, Args}, {env, width()}, exit_status, stderr_to_stdout, binary, use_stdio, hide]),
            output(Port, []);
        Error ->
            Error
    end.

%% The program writes to a pipe here, so it cannot ask the terminal for its width.
width() ->
    case io:columns() of
        {ok, Columns} -> [{"COLUMNS", integer_to_list(Columns)}];
        _             -> []
    end.

output(Port, Text) ->
    receive
        {Port, {data, More}}        -> output(Port, [Text | More]);
        {Port, {exit_status, Code}} -> {Code, unicode:characters_to_list(iolist_to_binary(Text))}
    end.
