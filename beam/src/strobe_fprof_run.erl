%% @doc Profiles and analyses with the program strobe, with fprof's results and messages.
-module(strobe_fprof_run).

-export([folder/0, keep/2, save/2, is_trace/1, profile/3, trace_and_profile/3, analyse/4]).

-type target() :: none | pid() | {file:filename(), replace | append}.

%% @doc Creates a folder for files that are kept between profile and analyse.
-spec folder() -> file:filename().
folder() ->
    Parent = case os:getenv("TMPDIR") of false -> "/tmp"; "" -> "/tmp"; Dir -> Dir end,
    Folder = filename:join(Parent, lists:concat(
            ["strobe-fprof-", os:getpid(), "-", erlang:unique_integer([positive])])),
    ok = file:make_dir(Folder),
    ok = file:change_mode(Folder, 8#700),
    Folder.

%% @doc Links the trace file under a second name, or copies it where links are not possible.
-spec keep(file:filename(), file:filename()) -> ok | {error, term()}.
keep(File, Kept) ->
    case file:open(File, [read, raw]) of
        {ok, Device} ->
            ok = file:close(Device),
            case file:make_link(filename:absname(File), Kept) of
                ok -> ok;
                _  -> copy(File, Kept)
            end;
        {error, Reason} ->
            ok = file:write_file(Kept, <<>>),
            {error, {client_cannot_open, {error, Reason}}}
    end.

%% @doc Copies it under another name; errors are those of ets:tab2file/2.
-spec save(file:filename(), file:filename()) -> ok | {error, term()}.
save(Kept, File) ->
    case file:copy(Kept, File) of
        {ok, _}         -> ok;
        {error, Reason} -> {error, {file_error, File, Reason}}
    end.

%% @doc Checks that strobe saved it; errors are those of ets:file2tab/1.
-spec is_trace(file:filename()) -> ok | {error, term()}.
is_trace(File) ->
    case file:open(File, [read, raw, binary]) of
        {ok, Device} ->
            First = file:read(Device, 1),
            ok = file:close(Device),
            case First of
                {ok, <<Op>>} when Op > 0 -> {error, {read_error, {not_a_log_file, File}}};
                _                        -> ok
            end;
        {error, Reason} ->
            {error, {read_error, {file_error, File, Reason}}}
    end.

copy(File, Kept) ->
    case file:copy(File, Kept) of
        {ok, _} -> ok;
        Error   -> Error
    end.

%% @doc Reads the trace. Returns what fprof:profile/1 returns.
-spec profile(file:filename(), pid(), target()) -> ok | {error, term()}.
profile(Kept, Leader, Dump) ->
    [To, Analysis, Messages] = [filename:rootname(Kept) ++ Ending || Ending <- [".dump", ".analysis", ".messages"]],
    case may_write(Dump) of
        ok ->
            Result = answer(strobe_program:run(["fprof", Kept, "-o", Analysis, "--messages", Messages]
                                               ++ dump_flags(Dump, To))),
            Dump =:= Leader orelse put_file(Leader, Messages),
            _ = is_pid(Dump) andalso put_file(Dump, To),
            case Result of {error, empty_trace} -> ok; _ -> Result end;
        Error ->
            Error
    end.

dump_flags(none, _)              -> [];
dump_flags({File, replace}, _)   -> ["--dump", filename:absname(File)];
dump_flags({File, append}, _)    -> ["--dump", filename:absname(File), "--append"];
dump_flags(Pid, To) when is_pid(Pid) -> ["--dump", To].

%% @doc Acts as the tracer: writes the events as a trace file has them, and profiles that at the stop.
-spec trace_and_profile(file:filename(), pid(), target()) -> ok | {error, term()}.
trace_and_profile(Kept, Leader, Dump) ->
    {ok, Device} = file:open(Kept, [write, raw, binary, {delayed_write, 1 bsl 20, 1000}]),
    write_trace(Device),
    ok = file:close(Device),
    profile(Kept, Leader, Dump).

write_trace(Device) ->
    receive
        strobe_fprof_stop -> ok;
        Event ->
            Term = term_to_binary(Event),
            ok = file:write(Device, [<<0, (byte_size(Term)):32>>, Term]),
            write_trace(Device)
    end.

%% @doc Writes the analysis. Returns what fprof:analyse/1 returns.
-spec analyse(file:filename(), pid(), target(), [string()]) -> ok | {error, term()}.
analyse(Kept, Leader, Target, Flags) ->
    To = filename:rootname(Kept) ++ ".analysis",
    case may_write(Target) of
        ok ->
            io:put_chars(Leader, "Processing data...\n"),
            case answer(strobe_program:run(["fprof", Kept] ++ to(Target, To) ++ Flags)) of
                {error, empty_trace} = Empty        -> Empty;
                {error, no_strobe_program} = Nobody -> Nobody;
                _ ->
                    io:put_chars(Leader, "Creating output...\n"),
                    _ = is_pid(Target) andalso put_file(Target, To),
                    io:put_chars(Leader, "Done!\n")
            end;
        Error ->
            Error
    end.

to({File, replace}, _) -> ["-o", filename:absname(File)];
to({File, append}, _)  -> ["-o", filename:absname(File), "--append"];
to(_, To)              -> ["-o", To].

%% Opens the file first, as fprof does.
may_write({File, How}) ->
    case file:open(File, [case How of replace -> write; append -> append end, raw]) of
        {ok, Device} -> file:close(Device);
        Error        -> Error
    end;
may_write(_) ->
    ok.

put_file(Device, File) ->
    case file:read_file(File) of
        {ok, Text} -> io:put_chars(Device, unicode:characters_to_list(Text));
        _          -> ok
    end.

%% ---- the program prints `fprof returns TERM' if fprof does not return ok

answer({0, _})             -> ok;
answer({error, _} = Error) -> Error;
answer({_, Text}) ->
    case re:run(Text, "fprof returns (.*?)(?:, at byte \\d+)?: (?:the analysis holds|nothing could be|trace calls of)",
                [{capture, all_but_first, list}, unicode, dotall]) of
        {match, [Term]} -> parsed(Term);
        nomatch         -> {error, string:trim(Text)}
    end.

%% Pids are not part of Erlang's syntax: tagged strings replace them while the text is parsed.
parsed(Text) ->
    Quoted = re:replace(Text, "<[0-9]+\\.[0-9]+\\.[0-9]+>", "{'$pid',\"&\"}", [global, {return, list}, unicode]),
    try
        {ok, Tokens, _} = erl_scan:string(Quoted ++ "."),
        {ok, Term} = erl_parse:parse_term(Tokens),
        with_pids(Term)
    catch
        error:_ -> {error, Text}
    end.

with_pids({'$pid', Text})             -> list_to_pid(Text);
with_pids(T) when is_tuple(T)         -> list_to_tuple(with_pids(tuple_to_list(T)));
with_pids([Head | Tail])              -> [with_pids(Head) | with_pids(Tail)];
with_pids(Other)                      -> Other.
