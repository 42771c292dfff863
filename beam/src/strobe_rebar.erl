%% @doc `rebar3 strobe': record an expression, a test run or a shell of the project.
%%
%% ```
%% {project_plugins, [strobe]}.
%%
%% rebar3 strobe --eval 'my_app:job()'
%% rebar3 strobe ct --output slow.sbt -- --suite=slow_SUITE
%% rebar3 strobe eunit
%% '''
-module(strobe_rebar).

-export([init/1, do/1, format_error/1]).

-define(OPTIONS,
        [{eval, $e, "eval", string, "an expression to record, after one run to warm up"},
         {warmup, undefined, "warmup", {boolean, true}, "run the expression once before: --warmup=false leaves it out"},
         {output, $o, "output", {string, "strobe.sbt"}, "where the trace goes"},
         {module, $m, "module", string, "trace the calls of these modules too, by commas"},
         {command, undefined, undefined, string, "ct, eunit or shell: what to record instead of an expression"}]).

%% @doc Called by rebar3 when it loads the plugin.
-spec init(term()) -> {ok, term()}.
init(State) ->
    Provider = providers:create([{name, strobe}, {module, ?MODULE}, {bare, true}, {deps, [compile]},
                                 {example, "rebar3 strobe --eval 'my_app:job()'"}, {opts, ?OPTIONS},
                                 {short_desc, "Record an expression, ct, eunit or shell with strobe"},
                                 {desc, "Records everything that happens meanwhile: strobe report FILE shows it."}]),
    {ok, rebar_state:add_provider(State, Provider)}.

-spec do(term()) -> {ok, term()} | {error, term()}.
do(State) ->
    {Given, Rest} = rebar_state:command_parsed_args(State),
    Output = proplists:get_value(output, Given),
    case {proplists:get_value(eval, Given), proplists:get_value(command, Given)} of
        {undefined, undefined} -> failed(nothing_to_record);
        {undefined, Command}   -> strobe_program:stay(), record(Output, Given, command(Command, Rest, State), State);
        {Text, undefined}      -> rebar_paths:set_paths([deps, plugins], State), evaluate(Text, Output, Given, State);
        {_, _}                 -> failed(both)
    end.

evaluate(Text, Output, Given, State) ->
    case parse(Text) of
        {ok, Expressions} ->
            Run = fun() -> {value, Value, _} = erl_eval:exprs(Expressions, []), {ok, Value} end,
            _ = proplists:get_value(warmup, Given) andalso Run(),
            record(Output, Given, Run, State);
        {error, Why} ->
            failed({syntax, Why})
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
    case strobe:profile(Output, options(Given)) of
        {ok, _} ->
            {Result, Stopped} = try {Run(), strobe:stop_profile()} catch C:R:S -> strobe:stop_profile(),
                                    erlang:raise(C, R, S) end,
            _ = [rebar_api:warn("strobe: ~ts", [Line]) || {ok, #{missing := Lines}} <- [Stopped], Line <- Lines],
            rebar_api:console("strobe: wrote ~ts; look at it with: ~ts report ~ts",
                              [Output, strobe_program:command(), Output]),
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
format_error(Why)                     -> io_lib:format("could not record: ~0tp", [Why]).
