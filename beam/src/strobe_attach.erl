%% The part of `strobe attach` in the node. The program loads this module first and runs open/1; all else goes through
%% the two processes that open/1 starts:
%%
%%     program ──requests──> worker    loads the other modules and the tracer, starts and stops the session
%%             ──beats─────> keeper    watches the connection and the worker, and cleans up
%%
%% With `--via` there is no connection. Each request comes with a run of the user's command, which evaluates an
%% expression here. The process that evaluates it hands the request to the keeper and waits for the answers, which the
%% keeper collects. Each request states how long the keeper waits for the next one:
%%
%%     program ──command──> evaluating process ──{via, ...}──> keeper ──> worker
%%
%% The keeper does nothing that blocks. When the worker ends, the connection is lost, or no beat or request arrives, it
%% removes processes, tracing, files and modules, this one last, and compares the node with what it was before. If the
%% keeper is killed, the worker does the same. The keeper is the group leader of the worker and so of all that the
%% worker starts: that tells which processes are ours.
-module(strobe_attach).
-export([open/1, place/3, connection/1]).

%% A program that ends, in whatever way, loses its connection at once. The limit is for one that is stopped or cannot
%% be reached. It is generous, as a busy machine may leave the program without a core for a while.
-define(SILENCE_MS, 10000).
-define(ENDING_MS, 700).
-define(POLL_MS, 10).
-define(LOOKS, 5).
-define(LOOK_MS, 20).
-define(PURGED_MS, 500). % after it a module that was purged is forgotten
-define(FIRST, 16). % processes, with those of the emulator among them
-define(SENT, "/strobe"). % the file of a module that was sent

%% Called while this process, or one that the program has started for that, is registered as strobe_attach. `Client' is
%% the pid of the program; with --via it is a number that only this program knows, and the time to wait for its next
%% request.
-spec open(pid() | {via, Token :: integer(), Ms :: pos_integer()}) -> {Keeper :: pid(), Worker :: pid()}.
open(Client) ->
    Self = self(),
    release(whereis(?MODULE), Self),
    Keeper = spawn(fun() -> keeper(Client, Self) end),
    receive {Keeper, Worker} -> {Keeper, Worker} end.

%% The program's process has ended if the connection is lost by now. Then the keeper finds that out, and cleans up.
release(undefined, _) -> ok;
release(Self, Self)   -> unregister(?MODULE);
release(Holder, _)    -> unregister(?MODULE), exit(Holder, kill).

%% ---- the keeper

keeper(Client, Opener) ->
    true = register(?MODULE, self()),
    process_flag(priority, high),
    Before = state(),
    Self = self(),
    Common = #{before => Before, folders => [], connection => none, asker => none, answers => []},
    State = line(Client, Common),
    {Worker, Ref} = spawn_monitor(fun() -> worker(State, Self) end),
    Opener ! {Self, Worker},
    keep(State#{worker => Worker, monitor => Ref}).

line({via, Token, Ms}, State) -> until(Ms, State#{client => self(), token => Token});
line(Client, State) ->
    Connection = case connection(Client) of
                     [Owner | _] -> erlang:monitor(process, Owner);
                     []          -> self() ! lost, none
                 end,
    until(?SILENCE_MS, State#{client => Client, token => none, connection := Connection}).

until(Ms, State) -> State#{until => erlang:monotonic_time(millisecond) + Ms}.

keep(#{monitor := Ref, connection := Connection, folders := Folders, until := Until} = State) ->
    receive
        beat                                  -> keep(until(?SILENCE_MS, State));
        {folder, Folder}                      -> keep(State#{folders := [Folder | Folders]});
        {via, From, Id, Leader, {T, Ms, What}} -> keep(asked({From, Id, Leader}, T, Ms, What, State));
        {strobe, _} = Answer                  -> keep(answered(Answer, State));
        {'DOWN', Ref, process, _, _}          -> clean(State);
        {'DOWN', Connection, process, _, _}   -> lost(State);
        {'DOWN', Other, process, _, _}        -> left_alone(Other, State);
        lost                                  -> lost(State)
    after max(0, Until - erlang:monotonic_time(millisecond)) -> lost(State)
    end.

lost(#{worker := Worker} = State) ->
    exit(Worker, kill),
    clean(State).

%% A run of the user's command asks. While it waits for the answer its group leader, often a process of the node that
%% the command runs, shows whether the command is still there.
asked({From, Id, Leader}, Token, Ms, What, #{token := Token, worker := Worker} = State) ->
    _ = What =:= none orelse (Worker ! What),
    pass(until(Ms, State#{asker := {From, Id, erlang:monitor(process, Leader), What}}));
asked({From, Id, _}, _, _, _, State) ->
    From ! {Id, [{strobe, {error, <<"another strobe is attached to this node: wait for its end">>}}]},
    State.

answered(Answer, #{answers := Answers} = State) -> pass(State#{answers := [Answer | Answers]}).

%% The answer to `stop' waits for the account of what is left.
pass(#{asker := {_, _, _, stop}, answers := [{strobe, Last} | _]} = State) when element(1, Last) =/= left -> State;
pass(#{asker := {From, Id, Watch, _}, answers := [_ | _] = Answers} = State) ->
    erlang:demonitor(Watch, [flush]),
    From ! {Id, lists:reverse(Answers)},
    State#{asker := none, answers := []};
pass(State) -> State.

left_alone(Watch, #{asker := {_, _, Watch, _}} = State) -> lost(State);
left_alone(_, State)                                    -> keep(State).

%% ---- the worker

worker(#{client := Client, before := Before}, Keeper) ->
    group_leader(Keeper, self()),
    Ref = erlang:monitor(process, Keeper),
    State = #{keeper => Keeper, monitor => Ref, client => Client, before => Before, parts => [], recording => none,
              recorder => none, folders => [], asker => none, answers => []},
    answer(State, {node, facts()}),
    work(State).

%% `recorder' is the module that was sent for the recording, strobe_attached with all that it calls.
work(#{monitor := Ref, parts := Parts, recorder := Recorder, recording := Recording} = State) ->
    receive
        {'DOWN', Ref, process, _, _} -> clean(State#{worker => none});
        beat                         -> answer(State, ok), work(State);
        {part, Part}                 -> answer(State, ok), work(State#{parts := [Part | Parts]});
        {record, Options}            -> work(record(maps:from_list(Options), State));
        stop when Recording =:= none -> answer(State, {recorded, <<>>});
        stop                         -> answered_with(map_get(ended, Recorder:ended(Recording)), State);
        halt when Recording =/= none -> answer(State, ok), work(State#{recording := Recorder:ended(Recording)});
        Request when Recording =/= none ->
            answered_with(Recorder:handle(Request, Recording), State),
            work(State)
    end.

answered_with(none, _)                -> ok;
answered_with({error, Reason}, State) -> answer(State, {error, text(Reason)});
answered_with(What, State)            -> answer(State, What).

%% A node connects to whom it sends. The program cannot be connected to: the attempt would only start OTP's resolver.
answer(#{client := Client}, What) -> erlang:send(Client, {strobe, What}, [noconnect]).

record(Options, #{parts := Parts, before := #{modules := Before}} = State) ->
    Sent = binary_to_term(iolist_to_binary(lists:reverse(Parts))),
    Modules = [M || {module, _, _} = M <- Sent],
    case replaced(Modules, Before) of
        {error, Reason} -> refused(Reason, State);
        ok ->
            case load(Modules, [F || {file, _, _} = F <- Sent], State) of
                {ok, Recorder, Loaded} -> record(Recorder, Options, Loaded);
                {error, Reason}        -> refused(Reason, State)
            end
    end.

record(Recorder, Options, State) ->
    case Recorder:record(Options, State) of
        {ok, Path, Recording, New} -> answer(New, {recording, unicode:characters_to_binary(Path)}),
                                      New#{recording := Recording, recorder := Recorder, parts := []};
        {error, Reason}            -> refused(Reason, State)
    end.

%% A node that strobe has recorded has modules of these names. They are unloaded for the time of this recording, if they
%% record nothing and can be loaded again from their files (put_back/2).
replaced(Sent, Before) ->
    Loaded = [{M, File} || {M, File} <- Before, {module, N, _} <- Sent, N =:= M],
    Gone = fun(File) -> not is_list(File) orelse element(1, file:read_file_info(File, [raw])) =:= error end,
    case {lists:any(fun({M, _}) -> M =:= strobe_nif andalso M:status() =/= closed end, Loaded),
          [M || {M, File} <- Loaded, Gone(File)]} of
        {true, _}     -> {error, recorded};
        {_, [M | _]}  -> {error, {loaded, M}};
        {false, []}   -> [unload(M) || {M, _} <- Loaded], ok
    end.

refused(Reason, State) -> answered_with({error, Reason}, State), State.

%% Loads what was sent, the recorder first. A library is mapped when it is loaded; its file can go then.
load(Modules, Files, State) ->
    Loaded = [{M, code:load_binary(M, ?SENT, Beam)} || {_, M, Beam} <- Modules],
    [{Recorder, _} | _] = Loaded,
    case [{error, {module, M, Why}} || {M, {error, Why}} <- Loaded] of
        [Error | _]         -> Error;
        [] when Files =:= [] -> {ok, Recorder, State};
        []                  -> place(code, fun(Home, New) -> load_libraries(Recorder, Files, Home, New) end, State)
    end.

load_libraries(Recorder, Files, Home, State) ->
    Priv = filename:join(Home, "priv"),
    Written = [file:make_dir(Priv) | [file:write_file(filename:join(Priv, F), Bytes) || {_, F, Bytes} <- Files]],
    Opened = case [Why || {error, Why} <- Written] of
                 [Why | _] -> {unfit, Why};
                 []        -> Recorder:open(Home)
             end,
    _ = file:del_dir_r(Home),
    case Opened of
        ok           -> {ok, Recorder, State};
        {error, Why1} -> {error, {module, Recorder, Why1}};
        Unfit        -> Unfit
    end.

%% ---- places

%% The processes and ports that serve the connection to the program.
-spec connection(pid()) -> [pid() | port()].
connection(Client) ->
    case net_kernel:node_info(node(Client), owner) of
        {ok, Owner} when is_pid(Owner) ->
            [Owner | case process_info(Owner, links) of {links, Links} -> [P || P <- Links, is_port(P)]; _ -> [] end];
        _ -> []
    end.

%% Places for folders of ours: rings are best in memory, files are not, and code needs a file system that may hold it.
%% Returns those that the mounts allow, and why the others are unfit. A release's own, by Elixir and by relx, come last.
roots(Use) ->
    Memory = ["/dev/shm"],
    Env = fun(Key) -> [R || R <- [os:getenv(Key, "")], R =/= ""] end,
    Disk = Env("TMPDIR") ++ ["/tmp", "/var/tmp"] ++ lists:flatmap(Env, ["HOME", "RELEASE_TMP", "RELEASE_ROOT_DIR"]),
    Order = case Use of files -> Disk ++ Memory; _ -> Memory ++ Disk end,
    Mounts = mounts(),
    Looked = [{R, [W || {Option, W} <- [{<<"ro">>, erofs} | [{<<"noexec">>, noexec} || Use =:= code]],
                        lists:member(Option, mount_options(unicode:characters_to_binary(R), Mounts))]}
              || R <- lists:uniq(Order)],
    {[R || {R, []} <- Looked], [{R, Why} || {R, [Why | _]} <- Looked]}.

mounts() ->
    case file:read_file("/proc/self/mounts") of
        {ok, Text} -> [M || Line <- binary:split(Text, <<"\n">>, [global]),
                            [_, Place, _, Options | _] <- [binary:split(Line, <<" ">>, [global])],
                            M <- [{Place, binary:split(Options, <<",">>, [global])}]];
        _ -> []
    end.

%% Of the mounts above a folder the deepest counts, and of several at one place the last.
mount_options(Folder, Mounts) ->
    Above = [{byte_size(Place), N, Options} || {N, {Place, Options}} <- lists:zip(lists:seq(1, length(Mounts)), Mounts),
                                               is_below(Folder, Place)],
    case Above of
        [] -> [];
        _  -> element(3, lists:max(Above))
    end.

is_below(_, <<"/">>) -> true;
is_below(Folder, Place) ->
    case Folder of
        <<Place:(byte_size(Place))/binary>>                 -> true;
        <<Place:(byte_size(Place))/binary, "/", _/bitstring>> -> true;
        _                                                   -> false
    end.

%% Calls `Try' with a new folder of our own in one place after another, until it does not return {unfit, Reason}. The
%% keeper hears of each folder before it is created.
-spec place(rings | files | code, fun((file:filename(), map()) -> {unfit, atom()} | Result), map()) ->
          Result | {error, term()}.
place(Use, Try, State) ->
    {Fit, Unfit} = roots(Use),
    place(Use, Fit, Unfit, Try, State).

place(Use, [], Unfit, _, _) -> {error, {place, Use, Unfit}};
place(Use, [Root | Rest], Unfit, Try, #{keeper := Keeper, folders := Folders} = State) ->
    Folder = filename:join(Root, lists:concat(["strobe-", os:getpid(), "-", integer_to_list(number(), 36)])),
    Keeper ! {folder, Folder},
    New = State#{folders := [Folder | Folders]},
    Tried = case file:make_dir(Folder) of
                ok           -> ok = file:change_mode(Folder, 8#700), Try(Folder, New);
                {error, Why} -> {unfit, Why}
            end,
    case Tried of
        {unfit, Reason} -> _ = file:del_dir_r(Folder), place(Use, Rest, Unfit ++ [{Root, Reason}], Try, New);
        Result          -> Result
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
     {runnable, least_runnable(?LOOKS)},
     {available, available(file:read_file("/proc/meminfo"))},
     {place, container()}, {no_code, no_code(roots(code))}, {libc, libc(file:read_file("/proc/self/maps"))}].

%% Empty: some folder may hold code.
no_code({[], Unfit}) -> reasons(Unfit);
no_code(_)           -> <<>>.

%% What memory the machine has left, in bytes; -1: unknown.
available({ok, Text}) ->
    case [N || <<"MemAvailable:", Rest/binary>> <- binary:split(Text, <<"\n">>, [global]),
               N <- binary:split(Rest, <<" ">>, [global, trim_all])] of
        [KiB | _] -> binary_to_integer(KiB) bsl 10;
        []        -> -1
    end;
available(_) -> -1.

%% The machine and the container, as the kernel names them.
container() ->
    Boot = case file:read_file("/proc/sys/kernel/random/boot_id") of {ok, Id} -> Id; _ -> <<>> end,
    Pids = case file:read_link("/proc/self/ns/pid") of {ok, Link} -> Link; _ -> "" end,
    unicode:characters_to_binary([hd(binary:split(Boot, <<"\n">>)), " ", Pids]).

libc({ok, Maps}) ->
    case binary:match(Maps, <<"/ld-musl">>) of nomatch -> <<"glibc">>; _ -> <<"musl">> end;
libc(_) -> <<>>.

%% The least of several looks: a queue that is long for a moment is no trouble.
least_runnable(1) -> erlang:statistics(total_run_queue_lengths);
least_runnable(N) ->
    Now = erlang:statistics(total_run_queue_lengths),
    receive after ?LOOK_MS -> min(Now, least_runnable(N - 1)) end.

text(recorded) ->
    <<"strobe records this node already: wait until that recording has ended">>;
text({loaded, Module}) ->
    printed("~ts is loaded in this node, from no file: call strobe:unload() there first", [Module]);
text({already_traced_by, Who}) ->
    printed("this node is traced by ~0tp already: stop that first (before OTP 27 a process has one tracer)", [Who]);
text({place, Use, Unfit}) ->
    printed("the node has no folder for ~ts (~ts): make room in one of them, or mount one writable~ts",
            [case Use of code -> "our libraries"; rings -> "the rings"; files -> "the trace" end, reasons(Unfit),
             case Use of code -> " and without noexec"; _ -> "" end]);
text({absent, Text}) ->
    printed("~ts; nothing was recorded", [Text]);
text(no_runtime_tools) ->
    <<"no tracer of strobe can be loaded into the node, and it has no runtime_tools, which has OTP's own trace port">>;
text({stream, Why}) ->
    printed("OTP's trace port cannot be used in the node: ~0tp", [Why]);
text({stream_file, Why}) ->
    printed("the node could not write the trace to its end: ~ts", [file:format_error(Why)]);
text({module, Module, Reason}) ->
    printed("the node does not load ~ts: ~0tp", [Module, Reason]);
text({drain, _, Why}) when Why =/= <<>> ->
    <<"the node could not record: ", Why/binary>>;
text(Reason) when Reason =:= noproc; Reason =:= killed ->
    <<"the process that recorded was killed: the trace ends there">>;
text(Reason) -> printed("the node could not record: ~0tp", [Reason]).

reasons(Unfit) -> unicode:characters_to_binary(lists:join(", ", [[Root, ": ", reason(Why)] || {Root, Why} <- Unfit])).

reason(noexec) -> "mounted noexec";
reason(Why)    -> file:format_error(Why).

printed(Format, Arguments) -> unicode:characters_to_binary(io_lib:format(Format, Arguments)).

%% ---- cleaning up: called by the keeper, or by the worker if the keeper was killed

clean(#{before := Before, folders := Folders0} = State) ->
    Keeper = maps:get(keeper, Before),
    Ended = fun() -> ours(Before, Keeper) =:= [] end,
    _ = within(?ENDING_MS, Ended) orelse kill(Before, Keeper),
    _ = code:delete(none), % the code server answers when it has done what a killed worker asked for
    Folders = folders(Folders0), % a worker may have gone on for a while after it was killed
    _ = [M:close() || M <- recorders(Before)],
    _ = within(?ENDING_MS, fun() -> not lists:any(fun has_rings/1, Folders) end),
    _ = [file:del_dir_r(F) || F <- Folders],
    _ = [put_back(M, maps:get(modules, Before)) || {M, _} <- modules() -- maps:get(modules, Before)],
    _ = [put_back(M, [Known]) || {M, _} = Known <- maps:get(modules, Before) -- modules()],
    After = state(),
    answer(State, {left, left(Before, After, Folders), maps:get(atoms, After) - maps:get(atoms, Before)}),
    pass_all(State),
    code:delete(?MODULE),
    %% A process without code of ours, so it survives the purge; the module timer may not be loaded.
    Pause = {fun prim_eval:'receive'/2, [fun erlang:is_atom/1, ?PURGED_MS]},
    Steps = [{fun code:purge/1, [?MODULE]}, Pause | [{fun erlang:garbage_collect/1, [P]} || P <- of_code()]],
    spawn(lists, zipwith, [fun erlang:apply/2 | tuple_to_list(lists:unzip(Steps))]).

%% The processes of OTP that purge modules, all among the first of a node. They look at each process, the second one
%% after code:purge/1 has returned, and their heaps would stay as large as that took.
of_code() ->
    [P || P <- lists:sublist(processes(), ?FIRST),
          {_, {M, start, 0}} <- [process_info(P, initial_call)],
          M =:= erts_code_purger orelse M =:= erts_literal_area_collector].

%% What was answered to the keeper, for a run of the command that waits.
pass_all(State) -> receive {strobe, _} = Answer -> pass_all(answered(Answer, State)) after 0 -> State end.

folders(Known) -> receive {folder, Folder} -> folders([Folder | Known]) after 0 -> Known end.

within(Ms, IsSo) when Ms =< 0 -> IsSo();
within(Ms, IsSo)              -> IsSo() orelse receive after ?POLL_MS -> within(Ms - ?POLL_MS, IsSo) end.

has_rings(Folder) ->
    case file:list_dir(Folder) of
        {ok, Names} -> lists:any(fun(Name) -> lists:suffix(".rings", Name) end, Names);
        _           -> false
    end.

%% Kills what has not ended by itself, and does the work of the session's guard, which may be among it.
kill(Before, Keeper) ->
    _ = [exit(P, kill) || P <- ours(Before, Keeper)],
    _ = within(?ENDING_MS, fun() -> ours(Before, Keeper) =:= [] end),
    _ = [M:kill() || M <- recorders(Before)],
    ok.

%% The module of the recording, if it is there and was not before.
recorders(#{modules := Before}) -> [M || {M, _} <- modules() -- Before, erlang:function_exported(M, record, 2)].

unload(Module) ->
    code:purge(Module),
    code:delete(Module),
    code:purge(Module).

%% Unloads a module that was sent, and loads the one that was there before it.
put_back(Module, Before) ->
    unload(Module),
    _ = [code:load_binary(M, File, Beam) || {M, File} <- Before, M =:= Module, {ok, Beam} <- [file:read_file(File)]].

ours(#{processes := Before}, Keeper) ->
    [P || P <- ordsets:subtract(ordsets:from_list(processes()), Before), P =/= self(),
          process_info(P, group_leader) =:= {group_leader, Keeper}].

%% ---- the node before and after

%% `keeper' is the first process that calls this; the state is passed on.
state() ->
    #{keeper => self(), processes => ordsets:from_list(processes()), ports => erlang:ports(), tables => ets:all(),
      names => registered(), modules => modules(), sessions => sessions(), flags => flags(),
      atoms => erlang:system_info(atom_count)}.

%% Modules of strobe with their files; strobe:unload/0 leaves the old code of one.
modules() -> [{M, File} || M <- erlang:loaded(), M =/= ?MODULE, lists:prefix("strobe", atom_to_list(M)),
                           erlang:module_loaded(M), {file, File} <- [code:is_loaded(M)]].

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
    [printed("module ~ts", [M]) || {M, _} <- New(modules)]
        ++ [printed("no module ~ts", [M]) || {M, _} <- maps:get(modules, Before) -- maps:get(modules, After)]
        ++ [printed("process ~w", [P]) || P <- Ours]
        ++ [printed("port ~w", [P]) || P <- New(ports), {connected, Owner} <- [erlang:port_info(P, connected)],
                                       lists:member(Owner, Ours)]
        ++ [printed("table ~0tp", [T]) || T <- New(tables), lists:member(ets:info(T, owner), Ours)]
        ++ [printed("name ~ts", [N]) || N <- New(names), lists:prefix("strobe", atom_to_list(N)), N =/= ?MODULE]
        ++ [printed("trace session ~0tp", [S]) || S <- New(sessions)]
        ++ [<<"trace flags">> || maps:get(flags, After) =/= maps:get(flags, Before)]
        ++ [printed("folder ~ts", [F]) || F <- Folders, file:list_dir(F) =/= {error, enoent}].
