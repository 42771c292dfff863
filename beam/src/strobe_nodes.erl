%% @doc Records other nodes while this one records: `strobe attach' runs for each of them, into a trace of its own with
%% the node's name, t.shop@here.sbt beside t.sbt. A node that refuses or dies is named, and the others go on.
-module(strobe_nodes).

-export([chosen/1, percept2/4, start/3, apart/0, stop/1]).

%% Ends the program when a line comes, or when our end of its input is closed, for whatever reason.
-define(LEASH, "exec 3<&0; { read -r _ <&3; kill $$; } > /dev/null 2>&1 & exec \"$0\" \"$@\" 3<&-").
-define(ROW, 4096).

-record(member, {node :: node(), trace :: file:filename(), port :: port() | none, code = 0 :: integer(),
                 text = [] :: [string()], begun = false :: boolean(),
                 quiet = false :: boolean()}).

%% @doc Returns the nodes that `{nodes, Nodes}' means: a name, a list of them, or `all', to which this one is connected.
-spec chosen(term()) -> [node()].
chosen(all)                     -> nodes();
chosen(Node) when is_atom(Node) -> chosen([Node]);
chosen([_ | _] = Nodes) ->
    _ = [throw({no_node, N}) || N <- Nodes, not is_atom(N) orelse not lists:member($@, atom_to_list(N))],
    lists:usort(Nodes) -- [node()];
chosen(Other) -> throw({no_node, Other}).

%% @doc Converts the arguments of Percept2's start/4 and start/5 to a file and the options of strobe:profile/2: the
%% flags are those of erlang:trace/3, and the options those of ttb. Throws for what is not known.
-spec percept2([node()] | node(), all, [atom()], [{file, term()} | {timer, pos_integer()} | {force, boolean()}]) ->
          {file:filename(), [tuple()]}.
percept2(Nodes, Processes, Flags, Options) ->
    Classes = lists:usort(lists:append([classes(F) || F <- list(Flags)])),
    Given = maps:from_list([option(O) || O <- list(Options)]),
    {maps:get(file, Given, "strobe.sbt"),
     [{nodes, Nodes}, {processes, Processes}, {trace, case Classes of [] -> [procs]; _ -> Classes end}]
         ++ maps:to_list(maps:remove(file, Given))}.

list(Many) when is_list(Many) -> Many;
list(One)                     -> [One]. % as ttb takes it

classes(all)                                 -> [all];
classes(F) when F =:= send; F =:= 'receive'  -> [messages];
classes(F) when F =:= running; F =:= exiting -> [running];
classes(garbage_collection)                  -> [gc];
classes(F) when F =:= procs; F =:= ports     -> [F];
classes(F) ->
    lists:member(F, [timestamp, cpu_timestamp, scheduler_id, arity, silent, set_on_spawn, set_on_first_spawn,
                     set_on_link, set_on_first_link]) orelse throw({unknown_flag, F}),
    [].

option({file, {local, File}})           -> option({file, File});
option({file, File}) when is_list(File) -> {file, File};
option({timer, Ms})                     -> {duration, Ms};
option({force, _} = Force)              -> Force; % of strobe:profile/2
option(Other)                           -> throw({unknown_option, Other}).

%% @doc Returns when each node records or has refused. `Options' are those of strobe_options:read/1.
-spec start([node()], file:filename_all(), map()) -> ok | {error, term()}.
start([], _, _) -> ok;
start(Nodes, File, Options) ->
    case strobe_program:find() of
        {ok, Program} -> start(Program, Nodes, unicode:characters_to_list(File), Options);
        Error         -> Error
    end.

start(Program, Nodes, File, #{caller := Caller} = Options) ->
    Asker = self(),
    {Owner, Ref} = spawn_monitor(fun() -> own(Asker, Caller, Program, Nodes, File, Options) end),
    receive
        {Owner, Answer}                -> erlang:demonitor(Ref, [flush]), Answer;
        {'DOWN', Ref, process, _, Why} -> {error, Why}
    end.

%% @doc Returns what serves this in the node, which is no part of the program that is recorded.
-spec apart() -> [pid() | port()].
apart() ->
    case whereis(?MODULE) of
        undefined -> [];
        Owner     -> [Owner | [P || {links, Links} <- [process_info(Owner, links)], P <- Links, is_port(P)]]
    end.

%% @doc Ends the recordings. Adds to the summary of this node's what became of each node, all traces, and the profile
%% that they were analysed into.
-spec stop({ok, map()} | {error, term()}) -> {ok, map()} | {error, term()}.
stop(Result) ->
    case whereis(?MODULE) of
        undefined -> Result;
        Owner ->
            Ref = erlang:monitor(process, Owner),
            Owner ! {stop, self(), Ref},
            receive
                {Ref, Members}               -> erlang:demonitor(Ref, [flush]), summary(Result, Members);
                {'DOWN', Ref, process, _, _} -> Result
            end
    end.

summary({ok, Summary}, Members) ->
    Traces = [maps:get(trace, Summary) || is_map_key(trace, Summary)] ++ [T || {_, #{trace := T}} <- Members],
    Known = Summary#{nodes => maps:from_list(Members), traces => Traces},
    case strobe_web:analyze(Traces) of
        {ok, #{profile := Profile}} -> {ok, Known#{profile => Profile}};
        {error, Why}                -> {ok, Known#{not_analysed => Why}}
    end;
summary(Error, _) -> Error.

%% ---- the owner: holds a port for each node

own(Asker, Caller, Program, Nodes, File, Options) ->
    try register(?MODULE, self()) of
        true ->
            Watched = erlang:monitor(process, Caller),
            Given = arguments(Options),
            Members = begun([(open(Program, N, File, Given))#member{quiet = maps:get(quiet, Options, false)}
                             || N <- Nodes]),
            Asker ! {self(), ok},
            keep(Watched, Members)
    catch error:badarg -> Asker ! {self(), {error, {already_started, whereis(?MODULE)}}}
    end.

open(Program, Node, File, Given) ->
    Trace = trace(File, Node),
    _ = file:rename(Trace, Trace ++ ".old"), % of an earlier recording
    Cookie = [{"RELEASE_COOKIE", atom_to_list(C)} || C <- [erlang:get_cookie()], C =/= nocookie],
    Args = ["-c", ?LEASH, Program, "attach", atom_to_list(Node), "-o", Trace, "--report", "never" | Given],
    Port = open_port({spawn_executable, os:find_executable("sh")},
                     [{args, Args}, {env, Cookie}, {line, ?ROW}, exit_status, stderr_to_stdout, use_stdio, hide]),
    #member{node = Node, trace = Trace, port = Port}.

%% As `strobe attach' names the traces of several nodes.
trace(File, Node) ->
    Stem = case filename:extension(File) of ".sbt" -> filename:rootname(File); _ -> File end,
    filename:absname(Stem ++ "." ++ [case C of $/ -> $_; _ -> C end || C <- atom_to_list(Node)] ++ ".sbt").

%% Without a limit of its own a recording of `strobe attach' ends after ten seconds.
arguments(Options) ->
    Number = fun(Key) -> case Options of #{Key := N} when is_integer(N) -> integer_to_list(N); _ -> "0" end end,
    ["--trace", lists:join($,, [atom_to_list(C) || C <- maps:get(trace, Options)]),
     "--limit-events", Number(limit_events), "--limit-bytes", Number(limit_bytes),
     "--duration", case Number(duration) of "0" -> "0"; Ms -> Ms ++ "ms" end]
        ++ lists:append([[Flag, atom_to_list(Name)] || {Key, Flag} <- [{modules, "--module"}, {apps, "--app"}],
                                                       Name <- maps:get(Key, Options, [])])
        ++ lists:append([[Flag, Number(Key)] || {Key, Flag} <- [{buffer, "--buffer"}, {level, "--level"}],
                                                is_map_key(Key, Options)])
        ++ ["--force" || maps:get(force, Options, false)].

begun(Members) ->
    case lists:all(fun(#member{begun = Begun, port = Port}) -> Begun orelse Port =:= none end, Members) of
        true  -> Members;
        false -> receive {Port, What} when is_port(Port) -> begun(heard(Port, What, Members)) end
    end.

keep(Watched, Members) ->
    receive
        {stop, From, Ref} ->
            _ = [port_command(P, "\n") || #member{port = P} <- Members, P =/= none],
            unregister(?MODULE),
            From ! {Ref, [outcome(M) || M <- ended(Members)]};
        {'DOWN', Watched, process, _, _} -> ok; % its ports end with this process
        {Port, What} when is_port(Port)  -> keep(Watched, heard(Port, What, Members))
    end.

ended(Members) ->
    case [P || #member{port = P} <- Members, P =/= none] of
        [] -> Members;
        _  -> receive {Port, What} when is_port(Port) -> ended(heard(Port, What, Members)) end
    end.

heard(Port, What, Members) ->
    case lists:keyfind(Port, #member.port, Members) of
        #member{} = Member -> lists:keyreplace(Port, #member.port, Members, heard(What, Member));
        false              -> Members
    end.

heard({data, {_, "strobe: recording " ++ _}}, Member)   -> Member#member{begun = true};
heard({data, {_, Line}}, #member{text = Text} = Member) -> Member#member{text = [Line | Text]};
heard({exit_status, Code}, Member)                      -> noted(Member#member{port = none, code = Code});
heard(_, Member)                                        -> Member.

noted(#member{code = Code, quiet = Quiet, node = Node} = Member) ->
    Code =:= 0 orelse Quiet
        orelse strobe_names:print_notes([io_lib:format("~ts was not recorded as it should be: ~ts",
                                                       [Node, why(Member)])]),
    Member.

%% The last line of a program that failed is its error.
why(#member{code = Code, text = []}) -> "ended with " ++ integer_to_list(Code);
why(#member{text = [Last | _]}) ->
    case unicode:characters_to_list(list_to_binary(Last)) of
        "strobe: " ++ Error -> Error;
        Error               -> Error
    end.

outcome(#member{node = Node, trace = Trace, code = Code} = Member) ->
    {Node, maps:from_list([{trace, Trace} || filelib:is_regular(Trace)] ++ [{error, why(Member)} || Code =/= 0])}.
