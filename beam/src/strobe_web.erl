%% @doc Analyses traces and shows profiles with the program strobe; the functions are those of Percept2.
%%
%% The web server shows what was analysed last. The program that serves is a child of this process: it ends with it,
%% with the node, and with stop/0.
-module(strobe_web).
-behaviour(gen_server).

-export([analyze/1, analyze/4, forget/0, report/2, start/0, start/1, stop/0, stop/1]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

-define(FIRST_LINE_MS, 15000).
%% Ends the program when our end of its input is closed, for whatever reason.
-define(LEASH, "\"$0\" \"$@\" & served=$!; cat > /dev/null; kill $served 2> /dev/null; wait $served").

-record(state, {profile = none :: none | file:filename(), port :: undefined | port(), at = #{} :: map()}).

%% @doc Analyse one or several traces: of several nodes, or the files of one.
-spec analyze(file:filename() | [file:filename()]) -> {ok, map()} | {error, term()}.
analyze([First | _] = Files) when is_list(First) ->
    Profile = filename:rootname(filename:absname(First)) ++ ".sbp",
    case strobe_program:run(["analyze"] ++ [filename:absname(F) || F <- Files] ++ ["-o", Profile]) of
        {0, _}             -> ok = call({profile, Profile}), {ok, #{profile => Profile}};
        {error, Reason}    -> io:put_chars(strobe_program:missing()), {error, Reason};
        {_, Text}          -> {error, string:trim(Text)}
    end;
analyze(File) when is_list(File), File =/= [] -> analyze([File]);
analyze(File) when is_binary(File)            -> analyze([unicode:characters_to_list(File)]);
analyze(_)                                    -> {error, no_trace_named}.

%% @doc Returns the files Base ++ N ++ Suffix with N from `From' to `To'; a set that has wrapped lacks one of them.
-spec analyze(file:filename(), string(), non_neg_integer(), non_neg_integer()) -> {ok, map()} | {error, term()}.
analyze(Base, Suffix, From, To) when From =< To ->
    Names = [Base ++ integer_to_list(N) ++ Suffix || N <- lists:seq(From, To)],
    case [Name || Name <- Names, filelib:is_regular(Name)] of
        []    -> analyze(Names);
        Files -> analyze(Files)
    end;
analyze(_, _, _, _) ->
    {error, no_trace_named}.

%% @doc Print what `strobe report FILE ARGUMENTS' prints.
-spec report(file:filename_all(), [string() | binary()]) -> ok | {error, term()}.
report(File, Arguments) ->
    case strobe_program:run(["report", File | Arguments]) of
        {0, Text}       -> io:put_chars(Text);
        {error, Reason} -> io:put_chars(strobe_program:missing()), {error, Reason};
        {_, Text}       -> {error, string:trim(Text)}
    end.

%% @doc Show what was analysed last, on any free port.
-spec start() -> {ok, #{url := string(), port := inet:port_number()}} | {error, term()}.
start() -> start(0).

-spec start(inet:port_number()) -> {ok, #{url := string(), port := inet:port_number()}} | {error, term()}.
start(Port) when is_integer(Port), Port >= 0, Port < 65536 ->
    case call({start, Port}) of
        {ok, #{url := Url}} = Started ->
            io:format("strobe: ~ts~nstrobe: strobe:stop_webserver() ends it~n", [Url]),
            Started;
        Error ->
            Error
    end;
start(_) ->
    {error, bad_port}.

-spec stop() -> ok | {error, not_started}.
stop() -> call(stop).

-spec stop(inet:port_number()) -> ok | {error, not_started}.
stop(Port) -> call({stop, Port}).

-spec forget() -> ok.
forget() -> call(forget).

call(Request) ->
    Server = case gen_server:start({local, ?MODULE}, ?MODULE, [], []) of
                 {ok, Pid}                       -> Pid;
                 {error, {already_started, Pid}} -> Pid
             end,
    gen_server:call(Server, Request, infinity).

%% @private
init([]) -> {ok, #state{}}.

%% @private
handle_call({profile, Profile}, _, State) ->
    {reply, ok, State#state{profile = Profile}};
handle_call({start, _}, _, #state{profile = none} = State) ->
    {reply, {error, nothing_analyzed}, State};
handle_call({start, _}, _, #state{port = Port, at = At} = State) when Port =/= undefined ->
    {reply, {error, {already_started, At}}, State};
handle_call({start, Number}, _, #state{profile = Profile} = State) ->
    case serve(Profile, Number) of
        {ok, Port, At} -> {reply, {ok, At}, State#state{port = Port, at = At}};
        Error          -> {reply, Error, State}
    end;
handle_call(forget, _, State) ->
    {reply, ok, (ended(State))#state{profile = none}};
handle_call(stop, _, #state{port = undefined} = State) ->
    {reply, {error, not_started}, State};
handle_call(stop, _, State) ->
    {reply, ok, ended(State)};
handle_call({stop, Number}, _, #state{at = #{port := Number}} = State) ->
    {reply, ok, ended(State)};
handle_call({stop, _}, _, State) ->
    {reply, {error, not_started}, State}.

%% @private
handle_cast(_, State) -> {noreply, State}.

%% @private
handle_info({Port, {exit_status, _}}, #state{port = Port} = State) ->
    {noreply, State#state{port = undefined, at = #{}}};
handle_info(_, State) ->
    {noreply, State}.

ended(#state{port = undefined} = State) -> State;
ended(#state{port = Port} = State) ->
    true = port_close(Port),
    State#state{port = undefined, at = #{}}.

serve(Profile, Number) ->
    case strobe_program:find() of
        {ok, Program} ->
            Args = ["-c", ?LEASH, Program, "serve", Profile, "--no-open", "--port", integer_to_list(Number)],
            Port = open_port({spawn_executable, os:find_executable("sh")},
                             [{args, Args}, {line, 4096}, exit_status, stderr_to_stdout, use_stdio, hide]),
            await_url(Port);
        Error ->
            Error
    end.

await_url(Port) ->
    receive
        {Port, {data, {eol, Line}}} ->
            case re:run(Line, "(http://[0-9.]+:([0-9]+)/\\S*)", [{capture, all_but_first, list}]) of
                {match, [Url, Number]} -> {ok, Port, #{url => Url, port => list_to_integer(Number)}};
                nomatch                -> failed(Port, string:prefix(Line, "strobe: "), Line)
            end;
        {Port, {exit_status, Code}} -> {error, {exit_status, Code}}
    after ?FIRST_LINE_MS ->
        port_close(Port),
        {error, no_answer}
    end.

failed(Port, nomatch, _) -> await_url(Port);
failed(Port, What, _)    -> port_close(Port), {error, What}.
