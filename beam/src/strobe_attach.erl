%% The part of `strobe attach` in the node. The program loads this module first, by the distribution, and runs open/1;
%% all else goes through the two processes that open/1 starts:
%%
%%     program ──requests──> worker    loads the other modules and the tracer, starts and stops the session
%%             ──beats─────> keeper    watches the connection and the worker, and cleans up
%%
%% The keeper does nothing that blocks. When the worker ends, the connection is lost, or no beat arrives, it removes
%% processes, tracing, files and modules, this one last, and compares the node with what it was before. If the keeper
%% is killed, the worker does the same. The keeper is the group leader of the worker and so of all that it starts:
%% that tells which processes are ours.
-module(strobe_attach).
-export([open/1]).

%% A program that ends, in whatever way, loses its connection at once. The limit is for one that is stopped or cannot
%% be reached. It is generous, as a busy machine may leave the program without a core for a while.
-define(SILENCE_MS, 10000).
-define(ENDING_MS, 700).
-define(POLL_MS, 10).
-define(LOOKS, 5).
-define(LOOK_MS, 20).

%% Called by the program, by way of a remote call, in a process that is registered as strobe_attach. `Client' is the
%% pid of the program.
-spec open(pid()) -> {Keeper :: pid(), Worker :: pid()}.
open(Client) ->
    unregister(?MODULE),
    Self = self(),
    Keeper = spawn(fun() -> keeper(Client, Self) end),
    receive {Keeper, Worker} -> {Keeper, Worker} end.

%% ---- the keeper

keeper(Client, Opener) ->
    true = register(?MODULE, self()),
    process_flag(priority, high),
    Before = state(),
    Self = self(),
    Connection = case connection(node(Client)) of
                     [Owner | _] -> erlang:monitor(process, Owner);
                     []          -> self() ! lost, none
                 end,
    {Worker, Ref} = spawn_monitor(fun() -> worker(Self, Client, Before) end),
    Opener ! {Self, Worker},
    keep(#{client => Client, worker => Worker, monitor => Ref, connection => Connection, before => Before,
           folders => []}).

keep(#{monitor := Ref, connection := Connection, folders := Folders} = State) ->
    receive
        beat                                -> keep(State);
        {folder, Folder}                    -> keep(State#{folders := [Folder | Folders]});
        {'DOWN', Ref, process, _, _}        -> clean(State);
        {'DOWN', Connection, process, _, _} -> lost(State);
        lost                                -> lost(State)
    after ?SILENCE_MS                       -> lost(State)
    end.

lost(#{worker := Worker} = State) ->
    exit(Worker, kill),
    clean(State).

%% ---- the worker

worker(Keeper, Client, Before) ->
    group_leader(Keeper, self()),
    Ref = erlang:monitor(process, Keeper),
    State = #{keeper => Keeper, monitor => Ref, client => Client, before => Before, library => [], modules => [],
              session => none, folders => []},
    answer(State, {node, facts()}),
    work(State).

work(#{monitor := Ref, library := Library, modules := Modules} = State) ->
    receive
        {'DOWN', Ref, process, _, _} -> clean(State#{worker => none});
        {library, Piece}             -> answer(State, ok), work(State#{library := [Piece | Library]});
        {module, Module, Beam}       -> answer(State, ok), work(State#{modules := [{Module, Beam} | Modules]});
        {needs, Options}             -> answer(State, needed(maps:from_list(Options), State)), work(State);
        {look, Pids}                 -> answer(State, {looked, lines([look(P) || P <- parts(Pids)])}), work(State);
        {record, Options}            -> record(maps:from_list(Options), State);
        stop                         -> stop(State)
    end.

%% A node connects to whom it sends. The program cannot be connected to: the attempt would only start OTP's resolver.
answer(#{client := Client}, What) -> erlang:send(Client, {strobe, What}, [noconnect]).

stop(#{session := none} = State) -> answer(State, {recorded, <<>>});
stop(#{session := Session} = State) ->
    answer(State, case strobe_session:stop(Session) of
                    {ok, Summary}   -> {recorded, lines(maps:get(missing, Summary, []))};
                    {error, Reason} -> {error, text(Reason)}
                end).

%% A process as a line for `strobe top`: its memory, the length of its mailbox, and its name.
look(Text) ->
    Pid = list_to_pid(binary_to_list(Text)),
    case process_info(Pid, [memory, message_queue_len]) of
        [{memory, Bytes}, {message_queue_len, N}] -> io_lib:format("~b ~b ~ts", [Bytes, N, strobe_snapshot:name(Pid)]);
        undefined                                 -> ""
    end.

lines(Lines) -> unicode:characters_to_binary(lists:join($\n, Lines)).

record(Options, State) ->
    case recording(Options, State) of
        {ok, Session, Rings, New} -> answer(New, {recording, unicode:characters_to_binary(Rings)}),
                                     work(New#{session := Session});
        {error, Text}             -> answer(State, {error, Text})
    end.

%% The module of the session knows which others a recording needs.
needed(_, #{before := #{modules := [_ | _]}}) ->
    {error, <<"strobe is loaded in this node already: use strobe:profile/2 there">>};
needed(Options, #{modules := Modules}) ->
    case load_modules(Modules, "/") of
        ok    -> Names = strobe_session:modules(maps:map(fun needs/2, Options)),
                 {needed, lines([atom_to_list(M) || M <- Names])};
        Error -> Error
    end.

needs(_, Text) -> names(Text).

recording(#{library_roots := Roots, ring_roots := RingRoots} = Options, State) ->
    case folder(Roots, State) of
        {ok, Home, New} ->
            Loaded = load(Home, New),
            _ = file:del_dir_r(Home),
            case Loaded of
                ok    -> session(folder(RingRoots, New), Options);
                Error -> Error
            end;
        Error -> Error
    end.

%% The library is mapped when the module is loaded; its file can go then. The module finds it beside strobe_program,
%% which counts as loaded from there.
load(Home, #{library := Library, modules := Modules}) ->
    Priv = filename:join(Home, "priv"),
    Written = [file:make_dir(Priv), file:write_file(filename:join(Priv, "strobe_nif.so"), lists:reverse(Library))],
    Last = fun({M, _}) -> {M =:= strobe_nif, M} end,
    Missing = [M || {Name, _} = M <- Modules, not erlang:module_loaded(Name)],
    Ordered = lists:sort(fun(A, B) -> Last(A) =< Last(B) end, Missing),
    case [Error || {error, _} = Error <- Written] of
        [{error, Reason} | _] -> {error, text({library, Home, Reason})};
        []                    -> load_modules(Ordered, Home)
    end.

load_modules([], _) -> ok;
load_modules([{Module, Beam} | Rest], Home) ->
    case code:load_binary(Module, filename:join([Home, "ebin", atom_to_list(Module) ++ ".beam"]), Beam) of
        {module, Module} -> load_modules(Rest, Home);
        {error, Reason}  -> {error, text({module, Module, Reason})}
    end.

session({ok, Folder, State}, Options) ->
    Rings = filename:join(Folder, os:getpid() ++ ".rings"),
    case strobe_session:start(session_options(Options, Rings, State)) of
        {ok, Session}   -> {ok, Session, Rings, State};
        {error, Reason} -> {error, text(Reason)}
    end;
session(Error, _) -> Error.

session_options(#{trace := Trace, bytes := Bytes} = Options, Rings, #{keeper := Keeper, client := Client}) ->
    Limit = maps:with([duration], Options),
    Limit#{rings => Rings, trace => names(Trace), bytes => Bytes, caller => self(),
           modules => names(maps:get(modules, Options, <<>>)),
           apps => [strobe_names:app(A) || A <- parts(maps:get(apps, Options, <<>>))],
           apart => [Keeper, self() | connection(node(Client))]}.

names(Text) -> [binary_to_atom(A, utf8) || A <- parts(Text)].

parts(Text) -> binary:split(Text, <<",">>, [global, trim_all]).

%% The processes and ports that serve the connection to the program.
connection(Node) ->
    case net_kernel:node_info(Node, owner) of
        {ok, Owner} when is_pid(Owner) ->
            [Owner | case process_info(Owner, links) of {links, Links} -> [P || P <- Links, is_port(P)]; _ -> [] end];
        _ -> []
    end.

%% Creates a folder of our own in the first place that takes one. The keeper hears of it first.
folder(Roots, State) -> folder([unicode:characters_to_list(R) || R <- Roots], none, State).

folder([], Why, _) -> {error, text({folder, Why})};
folder([Root | Rest], _, #{keeper := Keeper, folders := Folders} = State) ->
    Folder = filename:join(Root, lists:flatten(io_lib:format("strobe-~s-~.36b", [os:getpid(), number()]))),
    Keeper ! {folder, Folder},
    case file:make_dir(Folder) of
        ok              -> ok = file:change_mode(Folder, 8#700), {ok, Folder, State#{folders := [Folder | Folders]}};
        {error, Reason} -> folder(Rest, {Root, Reason}, State)
    end.

number() -> erlang:unique_integer([positive]) bsl 20 + erlang:phash2(make_ref(), 1 bsl 20).

%% ---- what the program asks before it records

facts() ->
    Info = fun erlang:system_info/1,
    [{name, atom_to_binary(node(), utf8)},
     {os_pid, list_to_integer(os:getpid())},
     {words, Info({wordsize, external})},
     {architecture, list_to_binary(Info(system_architecture))},
     {schedulers, Info(schedulers_online)},
     {processes, Info(process_count)}, {most_processes, Info(process_limit)},
     {atoms, Info(atom_count)}, {most_atoms, Info(atom_limit)},
     {runnable, least_runnable(?LOOKS)}].

%% The least of several looks: a queue that is long for a moment is no trouble.
least_runnable(1) -> erlang:statistics(total_run_queue_lengths);
least_runnable(N) ->
    Now = erlang:statistics(total_run_queue_lengths),
    receive after ?LOOK_MS -> min(Now, least_runnable(N - 1)) end.

text({already_traced_by, Who}) ->
    printed("this node is traced by ~0tp already: stop that first (before OTP 27 a process has one tracer)", [Who]);
text({folder, {Root, Reason}}) ->
    printed("the node cannot create a folder in ~ts: ~ts", [Root, file:format_error(Reason)]);
text({folder, none}) ->
    <<"the node has no folder to run code from: mount /tmp, /var/tmp or its TMPDIR writable and without noexec">>;
text({library, Home, Reason}) ->
    printed("the node cannot write to ~ts: ~ts", [Home, file:format_error(Reason)]);
text({module, Module, Reason}) ->
    printed("the node does not load ~ts: ~0tp", [Module, Reason]);
text({_, enospc}) ->
    <<"the node has no room for the rings: use a smaller --buffer">>;
text(Reason) when Reason =:= noproc; Reason =:= killed ->
    <<"the process that recorded was killed: the trace ends there">>;
text(Reason) -> printed("the node could not record: ~0tp", [Reason]).

printed(Format, Arguments) -> unicode:characters_to_binary(io_lib:format(Format, Arguments)).

%% ---- cleaning up: called by the keeper, or by the worker if the keeper was killed

clean(#{before := Before, folders := Folders0} = State) ->
    Folders = folders(Folders0),
    Keeper = maps:get(keeper, Before),
    Ended = fun() -> ours(Before, Keeper) =:= [] end,
    _ = within(?ENDING_MS, Ended) orelse kill(Before, Keeper),
    _ = has_tracer(Before) andalso close(),
    _ = within(?ENDING_MS, fun() -> [] =:= lists:append([filelib:wildcard(F ++ "/*.rings") || F <- Folders]) end),
    _ = [file:del_dir_r(F) || F <- Folders],
    _ = [unload(M) || M <- modules() -- maps:get(modules, Before), M =/= ?MODULE],
    After = state(),
    answer(State, {left, left(Before, After, Folders), maps:get(atoms, After) - maps:get(atoms, Before)}),
    code:delete(?MODULE),
    spawn(code, purge, [?MODULE]).

folders(Known) -> receive {folder, Folder} -> folders([Folder | Known]) after 0 -> Known end.

within(Ms, IsSo) when Ms =< 0 -> IsSo();
within(Ms, IsSo)              -> IsSo() orelse receive after ?POLL_MS -> within(Ms - ?POLL_MS, IsSo) end.

%% Kills what has not ended by itself, and does the work of the session's guard, which may be among it.
kill(Before, Keeper) ->
    _ = [exit(P, kill) || P <- ours(Before, Keeper)],
    _ = within(?ENDING_MS, fun() -> ours(Before, Keeper) =:= [] end),
    _ = has_tracer(Before) andalso strobe_otp:clear(strobe_otp:orphan()),
    ok.

%% Closes the capture of a session that was killed together with its guard.
close() ->
    try
        strobe_nif:halt_(),
        _ = within(?ENDING_MS, fun strobe_nif:quiet/0),
        strobe_nif:close(true)
    catch error:_ -> ok
    end.

%% Whether the tracer is there and is ours.
has_tracer(#{modules := Before}) -> erlang:module_loaded(strobe_nif) andalso not lists:member(strobe_nif, Before).

unload(Module) ->
    code:purge(Module),
    code:delete(Module),
    code:purge(Module).

ours(#{processes := Before}, Keeper) ->
    [P || P <- ordsets:subtract(ordsets:from_list(processes()), Before), P =/= self(),
          process_info(P, group_leader) =:= {group_leader, Keeper}].

%% ---- the node before and after

%% `keeper' is the first process that calls this; the state is passed on.
state() ->
    #{keeper => self(), processes => ordsets:from_list(processes()), ports => erlang:ports(), tables => ets:all(),
      names => registered(), modules => modules() -- [?MODULE], sessions => sessions(), flags => flags(),
      atoms => erlang:system_info(atom_count)}.

%% Modules of strobe.
modules() -> [M || M <- erlang:loaded(), lists:prefix("strobe", atom_to_list(M))].

%% Our trace sessions, from OTP 27 on.
sessions() ->
    try trace:session_info(all) of
        Sessions when is_list(Sessions) -> [S || {strobe, _} = S <- Sessions];
        _                               -> []
    catch error:undef -> []
    end.

flags() ->
    [erlang:trace_info(Who, What) || Who <- [new_processes, new_ports], What <- [flags, tracer]]
        ++ [erlang:trace_info(on_load, all), erlang:statistics(scheduler_wall_time) =:= undefined].

left(#{keeper := Keeper} = Before, After, Folders) ->
    Ours = ours(Before, Keeper),
    New = fun(Key) -> maps:get(Key, After) -- maps:get(Key, Before) end,
    [printed("module ~ts", [M]) || M <- New(modules)]
        ++ [printed("process ~w", [P]) || P <- Ours]
        ++ [printed("port ~w", [P]) || P <- New(ports), {connected, Owner} <- [erlang:port_info(P, connected)],
                                       lists:member(Owner, Ours)]
        ++ [printed("table ~0tp", [T]) || T <- New(tables), lists:member(ets:info(T, owner), Ours)]
        ++ [printed("name ~ts", [N]) || N <- New(names), lists:prefix("strobe", atom_to_list(N)), N =/= ?MODULE]
        ++ [printed("trace session ~0tp", [S]) || S <- New(sessions)]
        ++ [<<"trace flags">> || maps:get(flags, After) =/= maps:get(flags, Before)]
        ++ [printed("folder ~ts", [F]) || F <- Folders, filelib:is_dir(F)].
