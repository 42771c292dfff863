%% The face of strobe in Erlang: recording, marks, analysis and counters.
%%
%%     {ok, Value, Summary} = strobe:profile("t.sbt", fun() -> work() end, []).
%%     {ok, _} = strobe:profile("t.sbt", []), ..., {ok, Summary} = strobe:stop_profile().
-module(strobe).
-export([load/0, unload/0, profile/2, profile/3, stop_profile/0, mark/1, filter/2, help/0]).
-export([start/4, start/5, stop/0, flight/1, snapshot/1]).
-export([analyze/1, analyze/4, stop_db/0, report/1, report/2]).
-export([pmap/2, pmap/3, pforeach/2]).
-export([start_webserver/0, start_webserver/1, stop_webserver/0, stop_webserver/1]).
-export([spawn/1, spawn/2, spawn/3, spawn/4, spawn_link/1, spawn_link/2, spawn_link/3, spawn_link/4]).
-export([spawn_monitor/1, spawn_monitor/3, spawn_opt/2, spawn_opt/3, spawn_opt/4, spawn_opt/5]).
-export([init/1]).
-compile({no_auto_import, [spawn/1, spawn/2, spawn/3, spawn/4, spawn_link/1, spawn_link/2, spawn_link/3, spawn_link/4,
                           spawn_monitor/1, spawn_monitor/3, spawn_opt/2, spawn_opt/3, spawn_opt/4, spawn_opt/5]}).
-export([count/1, count/2, time/1, time/2, memory/1, memory/2]).
-export([measure_memory/1, measure_memory/2, sample/3, sample/4, sample/5]).
-export_type([option/0, file/0]).

-type class() :: all | procs | running | messages | gc | ports | vm | calls | sample | marks | migration | schedulers.
-type option() :: {trace, [class()]}
                | {processes, all | new | existing | descendants | who() | [who()]}
                | {modules, module() | [module()]} | {apps, app() | [app()]}
                | {functions, function_name() | [function_name()]} | {reload, boolean()}
                | {buffer, pos_integer()} | {budget, EventsOfAFunction :: pos_integer() | infinity}
                | {governor, boolean()}
                | {duration, Milliseconds :: pos_integer() | string() | binary()}
                | {limit_events, pos_integer()} | {limit_bytes, pos_integer() | infinity} | {level, 0..19}
                | {filter, MatchSpec :: term()} % of all events, from the first event on, as filter(all, MatchSpec)
                | {drain, program | process} % what writes the file; default: a process if no program can be started
                | {nodes, all | node() | [node()]} | {force, boolean()} % these record as well: strobe_nodes
                | {quiet, boolean()} | percept2().
%% The forms with wrap are those of Percept2: see strobe_wrap.
-type file() :: file:filename_all() | {file:filename(), wrap, Suffix :: string(), Size :: pos_integer()}
              | {file:filename(), wrap, Suffix :: string(), Size :: pos_integer(), Files :: pos_integer()}.
-type who() :: pid() | atom() | string() | mfa() | {app, atom()}.
-type app() :: atom() | {app, atom()}.
-type function_name() :: mfa() | {module(), atom()} | {module(), atom(), '_'} | fun() | string() | binary().
-type percept2() :: procs_basic | procs | ports_basic | ports | schedulers | running | message | migration
                  | garbage_collection | exclusive | all | {callgraph, [module() | mfa()]}.

-define(SESSION, strobe_session).

%% Records while the function runs. If the function raises an exception, the trace is complete all the same.
-spec profile(file(), {module(), atom(), list()} | fun(() -> Value), [option()] | map()) ->
          {ok, Value, Summary :: map()} | {error, {already_started, pid()} | term()}.
profile(File, Entry, Options) ->
    case begun(File, Options, self()) of
        {ok, _, Given} ->
            Value = try call(Entry)
                    catch Class:Reason:Stack -> _ = stop_profile(), erlang:raise(Class, Reason, Stack)
                    end,
            case stop_profile() of
                {ok, Summary} -> note_missing(maps:get(missing, Summary, []), Given), {ok, Value, Summary};
                Error -> Error
            end;
        Error -> Error
    end.

%% Prints the names that were asked for and do not exist.
note_missing(_, #{quiet := true}) -> ok;
note_missing(Lines, _)            -> strobe_names:print_notes(Lines).

call({M, F, A}) -> apply(M, F, A);
call(Fun) -> Fun().

%% Loads all modules of strobe. The shell of a release in embedded mode, which loads no module by its name, needs this
%% once, after code:load_abs("FOLDER/ebin/strobe").
-spec load() -> ok.
load() ->
    Ebin = filename:dirname(filename:absname(code:which(?MODULE))),
    Here = fun(M) -> erlang:module_loaded(M) orelse {module, M} =:= code:load_abs(filename:join(Ebin, M)) end,
    true = Here(strobe_program),
    [true = Here(M) || M <- strobe_program:modules()],
    ok.

%% Ends the recording and the web server, and removes all modules of strobe from the node.
-spec unload() -> ok.
unload() ->
    Modules = strobe_program:modules(),
    _ = stop_profile(),
    _ = whereis(strobe_web) =:= undefined orelse stop_webserver(),
    _ = [begin code:purge(M), code:delete(M), code:purge(M) end || M <- Modules, M =/= ?MODULE],
    _ = code:delete(?MODULE), % this function is part of it, so its code stays until it is loaded again
    ok.

%% Records until stop_profile/0, a limit, or the end of the calling process, and prints that unless {quiet, true}. In
%% Erlang's shell, where a mistake ends the process that calls, it is the end of the shell instead. A node makes one
%% recording at a time.
-spec profile(file(), [option()] | map()) -> {ok, pid()} | {error, {already_started, pid()} | term()}.
profile(File, Options) ->
    case begun(File, Options, strobe_options:caller()) of
        {ok, Owner, #{quiet := true}} -> {ok, Owner};
        {ok, Owner, Given} ->
            io:put_chars(strobe_options:announcement(File, Given)),
            note_missing(strobe_session:missing(Owner), Given),
            {ok, Owner};
        Error -> Error
    end.

begun(File, Options, Caller) ->
    try options(File, Options, Caller) of
        {wrap, Spec, Given} ->
            case strobe_wrap:start(Spec, Given) of
                {ok, Owner} -> {ok, Owner, Given};
                Error -> Error
            end;
        {ok, Given} ->
            case session(File, Given) of
                {ok, Owner} -> {ok, Owner, Given};
                Error -> Error
            end
    catch throw:Reason -> {error, Reason}
    end.

%% The other nodes record before this one does, and until it has ended.
session(File, #{nodes := [_ | _] = Nodes} = Given) ->
    case strobe_nodes:start(Nodes, File, Given) of
        ok ->
            case session(File, (maps:remove(nodes, Given))#{apart => strobe_nodes:apart()}) of
                {ok, Owner} -> {ok, Owner};
                Error -> strobe_nodes:stop(Error)
            end;
        Error -> forget(Given), Error
    end;
session(_, Given) ->
    case strobe_session:start(Given) of
        {ok, Owner} -> {ok, Owner};
        Error -> forget(Given), Error
    end.

forget(#{rings := Rings}) -> file:delete(Rings), file:del_dir(filename:dirname(Rings)).

%% Records into memory, of which the last seconds are kept, until stop_profile/0 or the end of the node. snapshot/1,
%% `strobe snapshot', a trigger, or the death of the node writes them as a trace. Options: `window' ("60s"), `file'
%% ("flight.sbt", for flight.1.sbt and so on), `keep' (10 traces), `limit_bytes' (128 MiB of memory), `triggers', a list
%% of texts as `strobe record --when' takes them, and those of profile/2 about what is recorded.
-spec flight(#{atom() => term()} | [{atom(), term()}]) -> {ok, pid()} | {error, term()}.
flight(Options) ->
    try flight_options(Options) of
        #{nodes := _} -> {error, {not_with_flight, nodes}};
        Given         -> session(none, Given)
    catch throw:Reason -> {error, Reason}
    end.

flight_options(Options) ->
    {File, Arguments, Session, Others} = strobe_flight:options(Options),
    {ok, #{drain := {Trace, _, _}} = Given} = options(File, Others, self()),
    maps:merge(maps:remove(caller, Given), Session#{drain => {Trace, program, Arguments}}).

%% Has the flight recorder of this node write its trace, with the text as a mark; returns its path.
-spec snapshot(unicode:chardata()) -> {ok, file:filename()} | {error, term()}.
snapshot(Why) ->
    try strobe_flight:snapshot(Why)
    catch error:undef -> {error, no_flight_recorder}
    end.

-spec stop_profile() -> {ok, Summary :: map()} | {error, term()}.
stop_profile() ->
    case whereis(?SESSION) of
        undefined -> {error, not_started};
        Owner -> with_nodes(strobe_session:stop(Owner))
    end.

with_nodes(Result) ->
    case whereis(strobe_nodes) of
        undefined -> Result;
        _ -> strobe_nodes:stop(Result)
    end.

%% Percept2's recording of several nodes: this one and `Nodes', or all that it is connected to. Flags are those of
%% erlang:trace/3; options are ttb's `file' ("strobe.sbt") and `timer', or `force'. With an entry function it ends with
%% that.
-spec start([node()] | node(), all, [atom()], [term()]) -> ok | {error, term()}.
start(Nodes, Processes, Flags, Options) ->
    try strobe_nodes:percept2(Nodes, Processes, Flags, Options) of
        {File, Given} -> case profile(File, Given) of {ok, _} -> ok; Error -> Error end
    catch throw:Reason -> {error, Reason}
    end.

-spec start([node()] | node(), {module(), atom(), list()}, all, [atom()], [term()]) ->
          {ok, Value :: term(), Summary :: map()} | {error, term()}.
start(Nodes, Entry, Processes, Flags, Options) ->
    try strobe_nodes:percept2(Nodes, Processes, Flags, Options) of
        {File, Given} -> profile(File, Entry, Given)
    catch throw:Reason -> {error, Reason}
    end.

-spec stop() -> {ok, Summary :: map()} | {error, term()}.
stop() -> stop_profile().

%% Writes a text into the trace, if there is one, at this moment. A term that is no text is written as ~tp writes it, up
%% to 1000 characters. No argument makes the caller fail.
-spec mark(unicode:chardata() | term()) -> ok.
mark(Text) ->
    try strobe_nif:emit(mark, self(), text(Text), none, none)
    catch error:undef -> ok
    end.

text(Term) ->
    try unicode:characters_to_binary(Term) of
        Text when is_binary(Text) -> Text;
        _ -> formatted(Term)
    catch error:_ -> formatted(Term)
    end.

formatted(Term) -> unicode:characters_to_binary(io_lib:format("~0tp", [Term], [{chars_limit, 1000}])).

%% ---- as in erlang, but of many processes with one entry only some have their calls recorded: strobe_spawn

spawn(Fun) -> strobe_spawn:started(Fun, fun() -> erlang:spawn(Fun) end).
spawn(Node, Fun) -> on(Node, Fun, fun() -> erlang:spawn(Node, Fun) end).
spawn(M, F, A) -> strobe_spawn:started({M, F, length(A)}, fun() -> erlang:spawn(M, F, A) end).
spawn(Node, M, F, A) -> on(Node, {M, F, length(A)}, fun() -> erlang:spawn(Node, M, F, A) end).

spawn_link(Fun) -> strobe_spawn:started(Fun, fun() -> erlang:spawn_link(Fun) end).
spawn_link(Node, Fun) -> on(Node, Fun, fun() -> erlang:spawn_link(Node, Fun) end).
spawn_link(M, F, A) -> strobe_spawn:started({M, F, length(A)}, fun() -> erlang:spawn_link(M, F, A) end).
spawn_link(Node, M, F, A) -> on(Node, {M, F, length(A)}, fun() -> erlang:spawn_link(Node, M, F, A) end).

spawn_monitor(Fun) -> strobe_spawn:started(Fun, fun() -> erlang:spawn_monitor(Fun) end).
spawn_monitor(M, F, A) -> strobe_spawn:started({M, F, length(A)}, fun() -> erlang:spawn_monitor(M, F, A) end).

spawn_opt(Fun, Opts) -> strobe_spawn:started(Fun, fun() -> erlang:spawn_opt(Fun, Opts) end).
spawn_opt(Node, Fun, Opts) -> on(Node, Fun, fun() -> erlang:spawn_opt(Node, Fun, Opts) end).
spawn_opt(M, F, A, Opts) -> strobe_spawn:started({M, F, length(A)}, fun() -> erlang:spawn_opt(M, F, A, Opts) end).
spawn_opt(Node, M, F, A, Opts) -> on(Node, {M, F, length(A)}, fun() -> erlang:spawn_opt(Node, M, F, A, Opts) end).

on(Node, Key, Spawn) when Node =:= node() -> strobe_spawn:started(Key, Spawn);
on(_, _, Spawn) -> Spawn().

%% From now on records only those events of these processes that match the specification, until the end of this
%% recording; see strobe_filter. `true` records all, `false` none. A later filter of a process replaces an earlier
%% one.
-spec filter(all | new | existing | pid() | [pid()], MatchSpec :: term()) -> ok | {error, term()}.
filter(PidSpec, MatchSpec) ->
    case {strobe_filter:check_scope(PidSpec), strobe_filter:compile(MatchSpec), whereis(?SESSION)} of
        {{error, Text}, _, _} -> {error, {bad_filter, Text}};
        {_, {error, Text}, _} -> {error, {bad_filter, Text}};
        {ok, {ok, _}, undefined} -> {error, not_started};
        {ok, {ok, Program}, Owner} -> strobe_session:filter(Owner, {PidSpec, Program})
    end.

-spec help() -> ok.
help() -> io:put_chars(strobe_help:text()).

%% ---- implemented elsewhere: see strobe_web, strobe_parallel, strobe_memory, strobe_sampling

-spec analyze(file:filename() | [file:filename()]) -> {ok, map()} | {error, term()}.
analyze(Files) -> strobe_web:analyze(Files).

-spec analyze(file:filename(), string(), non_neg_integer(), non_neg_integer()) -> {ok, map()} | {error, term()}.
analyze(Base, Suffix, From, To) -> strobe_web:analyze(Base, Suffix, From, To).

%% Ends the web server, and forgets what was analysed; the profile's file stays.
-spec stop_db() -> ok.
stop_db() -> strobe_web:forget().

-spec pmap(fun((A) -> B), [A]) -> [B].
pmap(Fun, List) -> strobe_parallel:pmap(Fun, List).

-spec pmap(fun((A) -> B), [A], Elements :: pos_integer()) -> [B].
pmap(Fun, List, Elements) -> strobe_parallel:pmap(Fun, List, Elements).

-spec pforeach(fun((A) -> term()), [A]) -> ok.
pforeach(Fun, List) -> strobe_parallel:pforeach(Fun, List).

%% Prints the summary of a trace or profile, or with ["waits", "--limit", "20"] what that report says.
-spec report(file:filename_all()) -> ok | {error, term()}.
report(File) -> report(File, []).

-spec report(file:filename_all(), [string() | binary()]) -> ok | {error, term()}.
report(File, Arguments) -> strobe_web:report(File, Arguments).

-spec start_webserver() -> {ok, map()} | {error, term()}.
start_webserver() -> strobe_web:start().

-spec start_webserver(inet:port_number()) -> {ok, map()} | {error, term()}.
start_webserver(Port) -> strobe_web:start(Port).

-spec stop_webserver() -> ok | {error, not_started}.
stop_webserver() -> strobe_web:stop().

-spec stop_webserver(inet:port_number()) -> ok | {error, not_started}.
stop_webserver(Port) -> strobe_web:stop(Port).

%% Returns calls, own time or words allocated (from OTP 26 on) by function, from breakpoint counters; makes no trace.
-spec count(fun(() -> Value)) -> {ok, Value, [strobe_counting:row()]} | {error, term()}.
count(Fun) -> count(Fun, []).

-spec count(fun(() -> Value), [strobe_counting:option()]) -> {ok, Value, [strobe_counting:row()]} | {error, term()}.
count(Fun, Options) -> strobe_counting:run(call_count, Fun, Options).

-spec time(fun(() -> Value)) -> {ok, Value, [strobe_counting:row()]} | {error, term()}.
time(Fun) -> time(Fun, []).

-spec time(fun(() -> Value), [strobe_counting:option()]) -> {ok, Value, [strobe_counting:row()]} | {error, term()}.
time(Fun, Options) -> strobe_counting:run(call_time, Fun, Options).

-spec memory(fun(() -> Value)) -> {ok, Value, [strobe_counting:row()]} | {error, term()}.
memory(Fun) -> memory(Fun, []).

-spec memory(fun(() -> Value), [strobe_counting:option()]) -> {ok, Value, [strobe_counting:row()]} | {error, term()}.
memory(Fun, Options) -> strobe_counting:run(call_memory, Fun, Options).

-spec measure_memory(fun(() -> term())) -> {ok, strobe_memory:usage()} | {error, term()}.
measure_memory(Fun) -> strobe_memory:measure(Fun).

-spec measure_memory(fun(() -> term()), [{warmup, non_neg_integer()}]) -> {ok, strobe_memory:usage()} | {error, term()}.
measure_memory(Fun, Options) -> strobe_memory:measure(Fun, Options).

%% Called by rebar3, which asks a plugin's module of this name for its commands.
-spec init(term()) -> {ok, term()}.
init(State) -> strobe_rebar:init(State).

sample(Items, Span, Folder) -> strobe_sampling:start(Items, Span, Folder).
sample(Items, Span, Folder, EveryMs) -> strobe_sampling:start(Items, Span, Folder, EveryMs).
sample(Items, Span, Folder, EveryMs, Filter) -> strobe_sampling:start(Items, Span, Folder, EveryMs, Filter).

%% ---- the options of a recording

options(File, Options, Caller) when is_tuple(File) ->
    Given = strobe_options:read(Options),
    is_map_key(filters, Given) andalso throw(wrap_files_take_no_filter),
    is_map_key(nodes, Given) andalso throw(wrap_files_take_no_nodes),
    _ = [throw(wrap_files_take_no_limit) || is_map_key(limit_events, Given) orelse is_limit(Options)],
    Spec = strobe_wrap:spec(File),
    can_create(element(1, Spec)),
    {wrap, Spec, Given#{name => ?SESSION, caller => Caller, limit_bytes => infinity}};
options(File, Options, Caller) ->
    Given = strobe_options:read(Options),
    Trace = filename:absname(File),
    can_create(Trace),
    {ok, Dir} = folder(),
    {ok, Given#{rings => filename:join(Dir, os:getpid() ++ ".rings"), caller => Caller, name => ?SESSION,
                bytes => maps:get(buffer, Given, 64 bsl 20),
                drain => {Trace, maps:get(drain, Given, either), limits(Given)}}}.

is_limit(#{limit_bytes := _}) -> true;
is_limit(Options)             -> is_list(Options) andalso lists:keymember(limit_bytes, 1, Options).

%% Fails before the program runs where the trace cannot be created when it has run.
can_create(Trace) ->
    Folder = filename:dirname(Trace),
    filelib:is_dir(Trace) andalso throw({cannot_create, Trace, eisdir}),
    case file:read_file_info(Folder) of % {file_info, Size, Type, Access, ...}
        {ok, Info} when element(3, Info) =/= directory -> throw({cannot_create, Trace, enotdir});
        {ok, Info} when element(4, Info) =:= write; element(4, Info) =:= read_write -> ok;
        {ok, _}         -> throw({cannot_create, Trace, eacces});
        {error, Reason} -> throw({cannot_create, Trace, Reason})
    end.

limits(Given) ->
    lists:append([[Flag, integer_to_list(maps:get(Key, Given) * Factor)]
                  || {Key, Flag, Factor} <- [{duration, "--max-ns", 1000000}, {limit_events, "--max-events", 1},
                                             {limit_bytes, "--max-bytes", 1}, {level, "--level", 1}],
                     is_integer(maps:get(Key, Given, none))]).

%% Creates a folder for the rings, in memory if there is a file system in memory.
folder() ->
    Roots = [R || R <- ["/dev/shm", os:getenv("TMPDIR", "/tmp"), "/tmp"], filelib:is_dir(R)],
    folder(Roots, io_lib:format("strobe-~s-~.36b", [os:getpid(), erlang:unique_integer([positive]) bsl 20 +
                                                        erlang:phash2(make_ref(), 1 bsl 20)])).

folder([], _) -> throw(no_folder_for_rings);
folder([Root | Rest], Name) ->
    Dir = filename:join(Root, lists:flatten(Name)),
    case file:make_dir(Dir) of
        ok -> ok = file:change_mode(Dir, 8#700), {ok, Dir};
        _ -> folder(Rest, Name)
    end.
