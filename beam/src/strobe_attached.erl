%% A recording of a node that `strobe attach' has reached: what strobe_attach asks for, when it has loaded this module.
%% It goes there as one module with all that it calls (beam/tools/attach.escript), since each module that leaves a node
%% makes the code server look through all processes.
-module(strobe_attached).
-export([open/1, record/2, handle/2, ended/1, close/0, kill/0]).

-define(POLL_MS, 10).
-define(ENDING_MS, 700).
-define(FETCH_MS, 50).
-define(ROOM, 1 bsl 16). % bytes

%% Loads the libraries, which are in the folder priv of this one.
-spec open(file:filename()) -> ok | {unfit, noexec} | {error, term()}.
open(Home) ->
    {ok, Sent} = file:list_dir(filename:join(Home, "priv")),
    Loaded = [strobe_nif:load(Home) | [strobe_drain_nif:load(Home) || lists:member("strobe_drain_nif.so", Sent)]],
    case [Why || {error, Why} <- Loaded] of
        []                       -> ok;
        [{load_failed, Text} | _] -> failed(Text);
        [Why | _]                -> {error, Why}
    end.

%% The kernel denies it on a file system without code also where the mounts do not tell.
failed(Text) ->
    case binary:match(unicode:characters_to_binary(Text), <<"failed to map segment">>) of
        nomatch -> {error, Text};
        _       -> {unfit, noexec}
    end.

%% Begins a recording. `State' is that of the worker of strobe_attach, to which it adds the folders it creates. Returns
%% the path of the rings, or of the trace that the node writes.
-spec record(map(), map()) -> {ok, file:filename(), Recording :: map(), map()} | {error, term()}.
record(Options, State) ->
    case absent(Options) of
        []    -> begin_(Options, State);
        Lines -> {error, {absent, lists:join("; ", Lines)}}
    end.

%% A line for each name of a module or application that this node does not have.
absent(Options) ->
    Modules = names(maps:get(modules, Options, <<>>)),
    Apps = [strobe_names:app(A) || A <- parts(maps:get(apps, Options, <<>>))],
    _ = [code:ensure_loaded(M) || Name <- Modules, M <- strobe_names:modules(Name)],
    _ = [application:load(A) || A <- Apps],
    strobe_names:missing(here, [{Asked, strobe_names:nearest(Asked, erlang:loaded(), none)}
                                || Asked <- [{module, M} || M <- Modules] ++ [{app, A} || A <- Apps],
                                   not strobe_names:is_there(Asked)]).

begin_(#{stream := _} = Options, State) ->
    in_file("trace.otp", fun(File, New) -> stream(File, Options, New) end, State);
begin_(#{drain := Arguments} = Options, State) -> % the program cannot read the rings, so the node writes the trace
    in_file("trace.sbt", fun(Trace, New) ->
                             Drain = {Trace, process, [binary_to_list(A) || A <- Arguments]},
                             session(Options#{drain := Drain}, [], Trace, New)
                         end, State);
begin_(Options, State) -> session(Options, viewed(Options, State), none, State).

%% Calls `Start' with the path of a file in a folder that has some room.
in_file(Name, Start, State) ->
    strobe_attach:place(files, fun(Folder, New) ->
                                   File = filename:join(Folder, Name),
                                   case file:write_file(File, binary:copy(<<0>>, ?ROOM)) of
                                       ok           -> ok = file:delete(File), Start(File, New);
                                       {error, Why} -> {unfit, Why}
                                   end
                               end, State).

%% The processes that serve a live table, the one that takes its questions first.
viewed(#{watched := <<"rings">>}, #{keeper := Keeper, client := Client})  -> [strobe_view:start(Keeper, Client)];
viewed(#{watched := <<"pieces">>}, #{keeper := Keeper, client := Client}) ->
    tuple_to_list(strobe_windows:start(Keeper, Client));
viewed(_, _) -> [].

%% In a container the file system in memory is often too small for the rings.
session(Options, View, Trace, State) ->
    strobe_attach:place(rings, fun(Folder, New) -> session(Options, View, Trace, Folder, New) end, State).

session(Options, View, Trace, Folder, State) ->
    Rings = filename:join(Folder, os:getpid() ++ ".rings"),
    case strobe_session:start_loaded(session_options(Options, Rings, View, State)) of
        {ok, Session} ->
            _ = [hd(View) ! {recorded, Session, Rings} || length(View) > 1],
            {ok, case Trace of none -> Rings; _ -> Trace end,
             #{by => session, session => Session, rings => Rings, trace => Trace, view => View}, State};
        {error, {Step, Why}} when Step =:= create; Step =:= reserve -> {unfit, Why};
        Error -> Error
    end.

session_options(#{trace := Trace} = Options, Rings, View, #{keeper := Keeper, client := Client}) ->
    Given = maps:merge(maps:with([duration, drain, bytes, code], Options), flight(Options)),
    Given#{described => View =:= [], memory => is_map_key(memory, Options) orelse knows_memory(),
           rings => Rings, trace => names(Trace), caller => self(), careful => true,
           modules => names(maps:get(modules, Options, <<>>)),
           apps => [strobe_names:app(A) || A <- parts(maps:get(apps, Options, <<>>))],
           apart => [Keeper, self()] ++ View ++ strobe_attach:connection(Client)}.

%% The first question about its memory makes more than 300 atoms in a VM, names of its allocators, which stay. Most
%% nodes have been asked before: they have one that no module has, unlike those that tools for memory know.
knows_memory() ->
    try binary_to_existing_atom(<<"entrance_removed">>, utf8) of _ -> true catch error:badarg -> false end.

flight(Options) ->
    maps:map(fun(flight, _) -> true;
                (log, Level) -> binary_to_atom(Level, utf8)
             end, maps:with([flight, log], Options)).

names(Text) -> [binary_to_atom(A, utf8) || A <- parts(Text)].

parts(Text) -> binary:split(Text, <<",">>, [global, trim_all]).

%% Where no library can be loaded, OTP's own trace port records.
stream(File, #{stream := {Events, Bytes}, trace := Trace} = Options, State) ->
    Common = session_options(maps:without([modules, apps], Options), none, [], State),
    case strobe_stream:start(Common#{trace => strobe_session:recorded(names(Trace)), file => File, events => Events,
                                     bytes => Bytes, modules => called(Options)}) of
        {ok, Session} -> {ok, File, #{by => stream, session => Session, trace => File, view => []}, State};
        Error         -> Error
    end.

called(Options) ->
    names(maps:get(modules, Options, <<>>))
        ++ [M || A <- names(maps:get(apps, Options, <<>>)), {ok, Ms} <- [application:get_key(A, modules)], M <- Ms].

%% ---- requests: returns the answer; none: it comes from elsewhere

-spec handle(tuple(), map()) -> tuple() | none.
handle({fetch, At, Most, Ms}, Recording) -> fetch(At, Most, Ms, Recording);
handle({tracing, IsOn}, #{session := Session}) ->
    case strobe_session:tracing(Session, IsOn) of
        ok    -> {traced, <<>>};
        Error -> Error
    end;
handle(Question, #{view := [View | _]}) -> View ! Question, none;
handle(_, _)                            -> none.

lines(Lines) -> unicode:characters_to_binary(lists:join($\n, Lines)).

%% A piece of the trace from byte `At', and whether it is the last one. Waits a while for bytes, but not when the keeper
%% has ended.
fetch(At, Most, Ms, #{trace := Trace} = Recording) ->
    Over = is_whole(Recording),
    case read(Trace, At, Most) of
        <<>> when not Over, Ms > 0 ->
            receive {'DOWN', _, process, _, _} = Down -> self() ! Down, fetch(At, Most, 0, Recording)
            after ?FETCH_MS                           -> fetch(At, Most, Ms - ?FETCH_MS, Recording)
            end;
        Piece -> {fetched, Piece, Over andalso byte_size(Piece) < Most}
    end.

%% The drain removes the rings when the trace is complete. One that failed, as on a full disk, leaves them.
is_whole(#{ended := _})                       -> true;
is_whole(#{by := stream, session := Session}) -> strobe_stream:is_over(Session);
is_whole(#{rings := Rings, session := Session}) ->
    file:read_file_info(Rings, [raw]) =:= {error, enoent} orelse (is_ending() andalso strobe_session:is_over(Session)).

is_ending() -> case strobe_nif:status() of {0, _, _} -> false; _ -> true end.

read(Trace, At, Most) ->
    case file:open(Trace, [read, raw, binary]) of
        {ok, File} ->
            Read = file:pread(File, At, Most),
            ok = file:close(File),
            case Read of {ok, Piece} -> Piece; _ -> <<>> end;
        _ -> <<>>
    end.

%% ---- the end

%% Ends the session; its result is in the key `ended'.
-spec ended(map()) -> map().
ended(#{ended := _} = Recording) -> Recording;
ended(#{session := Session, by := By, view := View} = Recording) ->
    _ = [begin unlink(P), exit(P, kill) end || P <- View],
    length(View) > 1 andalso file:delete(map_get(rings, Recording)), % nobody else reads them
    Recording#{ended => case stop(By, Session) of
                            {ok, Summary} -> {recorded, lines(maps:get(missing, Summary, []))};
                            Error         -> Error
                        end}.

stop(stream, Session)  -> strobe_stream:stop(Session);
stop(session, Session) -> strobe_session:stop(Session).

%% Ends the tracing of a session that was killed together with its guard.
-spec kill() -> ok.
kill() -> strobe_otp:clear(strobe_otp:orphan()).

%% Closes the rings of such a session.
-spec close() -> ok.
close() ->
    try
        strobe_nif:halt_(),
        wait(?ENDING_MS),
        strobe_nif:close(true),
        ok
    catch error:_ -> ok
    end.

wait(Ms) -> Ms =< 0 orelse strobe_nif:quiet() orelse receive after ?POLL_MS -> wait(Ms - ?POLL_MS) end.
