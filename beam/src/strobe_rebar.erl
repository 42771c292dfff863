%% @doc `rebar3 strobe': record an expression, a test run or a shell of the project.
%%
%% ```
%% {project_plugins, [strobe]}.
%%
%% rebar3 strobe --eval 'my_app:job()'
%% rebar3 strobe ct --output slow.sbt -- --suite=slow_SUITE
%% rebar3 strobe eunit
%% rebar3 strobe report slow.sbt waits -- --limit 20
%% rebar3 strobe serve slow.sbt
%% '''
-module(strobe_rebar).

-export([init/1, do/1, format_error/1]).

-define(TRACE, "strobe.sbt").
-define(OPTIONS,
        [{eval, $e, "eval", string, "an expression to record, after one run to warm up"},
         {start, undefined, "start", {boolean, true}, "start the project's applications first, for --eval"},
         {warmup, undefined, "warmup", {boolean, true}, "run the expression once before: --warmup=false leaves it out"},
         {output, $o, "output", {string, ?TRACE}, "where the trace goes"},
         {module, $m, "module", string, "trace the calls of these modules too, by commas"},
         {command, undefined, undefined, string,
          "ct, eunit or shell: what to record instead of an expression; report or serve FILE: show a trace"}]).

%% @doc Called by rebar3 when it loads the plugin.
-spec init(term()) -> {ok, term()}.
init(State) ->
    strobe_program:in_rebar3(),
    Provider = providers:create([{name, strobe}, {module, ?MODULE}, {bare, true}, {deps, [compile]},
                                 {example, "rebar3 strobe --eval 'my_app:job()'"}, {opts, ?OPTIONS},
                                 {short_desc, "Record an expression, ct, eunit or shell with strobe"},
                                 {desc, "Records all that happens meanwhile; rebar3 strobe report FILE shows it."}]),
    {ok, rebar_state:add_provider(State, Provider)}.

-spec do(term()) -> {ok, term()} | {error, term()}.
do(State) ->
    {Given, Rest} = rebar_state:command_parsed_args(State),
    Output = proplists:get_value(output, Given),
    case {proplists:get_value(eval, Given), proplists:get_value(command, Given)} of
        {undefined, undefined} -> failed(nothing_to_record);
        {undefined, "report"}  -> shown(fun report/1, operands(Given, Rest), State);
        {undefined, "serve"}   -> shown(fun serve/1, operands(Given, Rest), State);
        {undefined, Command}   -> strobe_program:stay(), record(Output, Given, command(Command, Rest, State), State);
        {Text, undefined}      -> rebar_paths:set_paths([deps, plugins], State), evaluate(Text, Output, Given, State);
        {_, _}                 -> failed(both)
    end.

%% rebar3 takes the first word after the command as the name of a task.
operands(Given, Rest) -> [Word || {task, Word} <- Given] ++ [A || A <- Rest, A =/= "--"].

shown(Show, Arguments, State) ->
    case Show(Arguments) of
        ok           -> {ok, State};
        {error, Why} -> failed({shown, Why})
    end.

report([])               -> report([?TRACE]);
report([File | Further]) -> strobe:report(File, Further).

serve([])    -> serve([?TRACE]);
serve(Files) ->
    case strobe:analyze(Files) of
        {ok, _} -> serve_until_interrupted(strobe:start_webserver());
        Error   -> Error
    end.

serve_until_interrupted({ok, _}) -> receive after infinity -> ok end;
serve_until_interrupted(Error)   -> Error.

evaluate(Text, Output, Given, State) ->
    case {parse(Text), started(proplists:get_value(start, Given), State)} of
        {{ok, Expressions}, ok} ->
            Run = fun() -> {value, Value, _} = erl_eval:exprs(Expressions, []), {ok, Value} end,
            try
                _ = proplists:get_value(warmup, Given) andalso Run(),
                record(Output, Given, Run, State)
            catch
                Class:Reason:Stack -> failed({raised, Class, Reason, Stack})
            end;
        {{error, Why}, _} -> failed({syntax, Why});
        {_, {error, Why}} -> failed({not_started, Why})
    end.

%% As `rebar3 shell' does, with the configuration that the node has.
started(false, _) -> ok;
started(true, State) ->
    Apps = [binary_to_atom(rebar_app_info:name(A), utf8) || A <- rebar_state:project_apps(State)],
    case [{App, Why} || App <- Apps, {error, Why} <- [application:ensure_all_started(App)]] of
        []      -> ok;
        [E | _] -> {error, E}
    end.

parse(Text) ->
    Whole = case lists:suffix(".", string:trim(Text)) of true -> Text; false -> Text ++ "." end,
    case erl_scan:string(Whole) of
        {ok, Tokens, _} ->
            case erl_parse:parse_exprs(Tokens) of
                {error, {_, Module, Why}} -> {error, Module:format_error(Why)};
                Parsed                    -> Parsed
            end;
        {error, {_, Module, Why}, _} -> {error, Module:format_error(Why)}
    end.

command(Name, Rest, State) when Name =:= "ct"; Name =:= "eunit"; Name =:= "shell" ->
    fun() -> rebar_core:process_command(rebar_state:command_args(State, Rest), list_to_atom(Name)) end;
command(Name, _, _) ->
    fun() -> {error, {unknown_command, Name}} end.

record(Output, Given, Run, State) ->
    Watching = strobe_tests:open([list_to_atom(C) || {command, C} <- Given, lists:member(C, ["eunit", "ct"])]),
    case strobe:profile(Output, options(Given)) of
        {ok, _} ->
            _ = [strobe_nif:hide(P) || P <- Watching],
            strobe_tests:go(Watching),
            {Result, Stopped} = try {Run(), strobe:stop_profile()} catch C:R:S -> strobe:stop_profile(),
                                    erlang:raise(C, R, S) end,
            _ = [exit(P, kill) || P <- Watching],
            _ = [rebar_api:warn("strobe: ~ts", [Line]) || {ok, #{missing := Lines}} <- [Stopped], Line <- Lines],
            _ = strobe:report(Output, ["--brief"]),
            rebar_api:console("strobe: wrote ~ts; look at it with: ~ts ~ts",
                              [Output, strobe_program:command("report"), Output]),
            case Result of
                {error, {unknown_command, _} = Why} -> failed(Why);
                {error, _} = Error                  -> Error;
                _                                   -> {ok, State}
            end;
        {error, Why} ->
            failed(Why)
    end.

options(Given) ->
    [{quiet, true}, {reload, true} | [{modules, string:lexemes(Text, ",")} || {module, Text} <- Given]].

failed(Why) -> {error, {?MODULE, Why}}.

-spec format_error(term()) -> iolist().
format_error(nothing_to_record)       -> "nothing to record: give --eval EXPRESSION, or ct, eunit or shell";
format_error(both)                    -> "either --eval or a command, not both";
format_error({syntax, Why})           -> ["--eval: ", Why];
format_error({unknown_command, Name}) -> io_lib:format("~ts can't be recorded: ct, eunit or shell can", [Name]);
format_error({shown, no_strobe_program})     -> "the program strobe was not found";
format_error({shown, Why})                   -> io_lib:format("~ts", [Why]);
format_error({raised, Class, Reason, Stack}) -> io_lib:format("--eval: ~ts ~0tp in ~0tp", [Class, Reason, Stack]);
format_error({not_started, {App, Why}}) ->
    io_lib:format("could not start ~ts: ~0tp; --start=false does without", [App, Why]);
format_error(Why)                     -> io_lib:format("could not record: ~0tp", [Why]).
