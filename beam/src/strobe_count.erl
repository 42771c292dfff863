%% @doc The counters of `strobe count', `strobe time' and `strobe memory', which start this module in each VM of their
%% command.
%%
%% It sets the counters before the program begins, and writes their values when the VM ends: on `init:stop/0' as a
%% child of kernel's supervisor, on `halt' through {@link strobe_halt}. The folder that STROBE_RECORD names has the
%% request in its file `options'; the result is written there as OSPID.counts:
%%
%% ```
%% strobe-count 1
%% PROCESS tab FUNCTION tab CALLS tab VALUE          a line each; VALUE is microseconds, words or 0
%% '''
-module(strobe_count).
-behaviour(gen_server).

-export([start/0, start_link/1]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2]).

-define(OURS, "strobe_").
-define(LOOK_AGAIN_MS, 50).

-type plan() :: #{kind := strobe_otp:kind(), folder := file:filename(),
                  modules := [module()], asked := [strobe_names:asked()], processes := [string()],
                  by_process := boolean()}.

%% @doc Called by the VM's flags. A failure does not affect the program, but where the VM cannot count it does not run.
-spec start() -> ok.
start() ->
    case os:getenv("STROBE_RECORD") of
        false  -> ok;
        Folder ->
            try {ok, _} = start_counting(plan(Folder)), ok
            catch
                throw:{needs_otp_26, _} = Why -> failed(Folder, Why), halt(125); % it would run for nothing
                _:Reason                      -> failed(Folder, Reason)
            end
    end.

start_counting(#{kind := Kind, folder := Folder} = Plan) ->
    lists:member(Kind, strobe_otp:kinds()) orelse throw({needs_otp_26, Kind}),
    _ = [code:ensure_loaded(M) || M <- [?MODULE, strobe_otp, strobe_names, strobe_halt, lists, io_lib, unicode,
                                        prim_file, maps, string, filename]],
    {ok, Keeper} = supervisor:start_child(kernel_safe_sup, #{id => ?MODULE, start => {?MODULE, start_link, [Plan]},
                                                             restart => temporary, shutdown => infinity,
                                                             type => worker}),
    case strobe_halt:before(fun() -> collect(Plan) end) of
        ok              -> ok;
        {error, Reason} -> write(Folder, "no_halt", io_lib:format("~0tp~n", [Reason]))
    end,
    ok = gen_server:call(Keeper, count, infinity),
    {ok, Keeper}.

-spec plan(file:filename()) -> plan().
plan(Folder) ->
    {ok, Text} = file:read_file(filename:join(Folder, "options")),
    Lines = [string:split(L, "=") || L <- string:lexemes(unicode:characters_to_list(Text), "\n")],
    All = fun(Key) -> [V || [K, V] <- Lines, K =:= Key] end,
    Kind = case All("kind") of ["count"] -> call_count; ["time"] -> call_time; ["memory"] -> call_memory end,
    By = All("by_process") =/= [] orelse All("process") =/= [],
    #{kind => case By andalso Kind =:= call_count of true -> call_time; false -> Kind end,
      folder => Folder, by_process => By, processes => All("process"),
      modules => [M || Name <- All("module"), M <- strobe_names:modules(Name)],
      asked => [{module, list_to_atom(Name)} || Name <- All("module")]}.

%% ---- the keeper: owns the session, and is notified when the VM stops in an orderly way

%% @private
start_link(Plan) -> gen_server:start_link({local, ?MODULE}, ?MODULE, Plan, []).

%% @private
init(Plan) ->
    process_flag(trap_exit, true),
    {ok, Plan}.

%% @private
handle_call(count, _, #{kind := Kind, modules := Modules} = Plan) ->
    Session = strobe_otp:open(?MODULE),
    persistent_term:put({?MODULE, session}, Session),
    persistent_term:put({?MODULE, pids}, #{}),
    _ = Kind =:= call_count orelse strobe_otp:processes(Session, processes, true, [call]),
    _ = [strobe_otp:pattern(Session, P, true, [Kind]) || P <- patterns(Modules)],
    {reply, ok, look(Plan)}.

%% Modules that are not on the code path yet are counted from the time they are loaded.
patterns([])      -> [on_load, {'_', '_', '_'}];
patterns(Modules) -> [on_load | [{M, '_', '_'} || M <- Modules, code:ensure_loaded(M) =:= {module, M}]].

%% @private
handle_cast(_, Plan) -> {noreply, Plan}.

%% @private
handle_info(look, Plan) -> {noreply, look(Plan)};
handle_info(_, Plan)    -> {noreply, Plan}.

%% @private
terminate(_, Plan) ->
    _ = collect(Plan),
    strobe_halt:nevermind().

%% Remembers the pids that have had the names asked for, since the processes may be gone at the end.
look(#{processes := []} = Plan) ->
    Plan;
look(#{processes := Names} = Plan) ->
    Known = persistent_term:get({?MODULE, pids}),
    case maps:merge(Known, maps:from_list([{Pid, Name} || Name <- Names, Pid <- has_name(Name)])) of
        Known -> ok;
        More  -> persistent_term:put({?MODULE, pids}, More)
    end,
    erlang:send_after(?LOOK_AGAIN_MS, self(), look),
    Plan.

has_name("<" ++ _ = Text) ->
    try [list_to_pid(Text)] catch error:badarg -> [] end;
has_name(Text) ->
    try whereis(list_to_existing_atom(Text)) of
        Pid when is_pid(Pid) -> [Pid];
        _ -> []
    catch error:badarg -> []
    end.

%% ---- the end

%% Either the process that halts or the keeper collects, whichever comes first.
collect(#{kind := Kind, folder := Folder, asked := Asked} = Plan) ->
    case persistent_term:get({?MODULE, session}, none) of
        none -> ok;
        Session ->
            persistent_term:erase({?MODULE, session}),
            _ = [strobe_otp:pattern(Session, P, pause, [Kind]) || P <- [{'_', '_', '_'}]],
            Rows = [row(Process, MFA, Calls, Value) || {MFA, Counted} <- counters(Session, Plan),
                                                       {Process, Calls, Value} <- shown(Counted, Plan)],
            Missing = strobe_names:missing_now(Asked),
            _ = Missing =:= [] orelse write(Folder, os:getpid() ++ ".missing", [[Line, $\n] || Line <- Missing]),
            write(Folder, os:getpid() ++ ".counts", ["strobe-count 1\n" | Rows])
    end.

counters(Session, #{kind := Kind, modules := Wanted}) ->
    [{MFA, Counted} || M <- erlang:loaded(), wanted(M, Wanted), {F, A} <- M:module_info(functions), MFA <- [{M, F, A}],
                       Counted <- [strobe_otp:read(Session, MFA, Kind)], Counted =/= false, Counted =/= undefined].

wanted(M, [])     -> not lists:prefix(?OURS, atom_to_list(M));
wanted(M, Wanted) -> lists:member(M, Wanted).

%% Returns the rows of a function: {Process, Calls, Value}; the process is empty if the rows of all are summed up.
shown(0, _) ->
    [];
shown(Calls, _) when is_integer(Calls) ->
    [{"", Calls, 0}];
shown(Counted, #{by_process := false}) ->
    case lists:unzip3([plain(C) || C <- Counted]) of
        {[], _, _}         -> [];
        {_, Calls, Values} -> [{"", lists:sum(Calls), lists:sum(Values)}]
    end;
shown(Counted, #{processes := []}) ->
    [{process(Pid), Calls, Value} || {Pid, Calls, Value} <- [plain(C) || C <- Counted]];
shown(Counted, _) ->
    Known = persistent_term:get({?MODULE, pids}),
    [{maps:get(Pid, Known), Calls, Value} || {Pid, Calls, Value} <- [plain(C) || C <- Counted], is_map_key(Pid, Known)].

plain({Pid, Calls, Seconds, Us}) -> {Pid, Calls, Seconds * 1000000 + Us};
plain({_, _, _} = Words)         -> Words.

process(Pid) ->
    case is_process_alive(Pid) andalso process_info(Pid, registered_name) of
        {registered_name, Name} -> io_lib:format("~tw ~w", [Name, Pid]);
        _                       -> pid_to_list(Pid)
    end.

row(Process, {M, F, A}, Calls, Value) ->
    io_lib:format("~ts\t~tw:~tw/~b\t~b\t~b~n", [Process, M, F, A, Calls, Value]).

%% Uses prim_file, since the file server has ended when the VM stops. The file appears complete or not at all.
write(Folder, Name, Text) ->
    Path = filename:join(Folder, Name),
    ok = prim_file:write_file(Path ++ ".new", unicode:characters_to_binary(Text)),
    ok = prim_file:rename(Path ++ ".new", Path).

failed(Folder, Reason) ->
    try write(Folder, os:getpid() ++ ".failed", io_lib:format("~0tp~n", [Reason])) catch _:_ -> ok end.
