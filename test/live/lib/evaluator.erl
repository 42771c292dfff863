%% Evaluates expressions in a node to attach to, as a release's rpc and eval do: for a file `expr' it writes `value',
%% what the evaluation printed or its value, as the file `how' asks for it:
%%     value    an Erlang expression; its value with ~p, after what it printed on the node itself
%%     print    an Erlang expression; what it printed, between lines of the command's own
%%     elixir   an Elixir expression; what it printed
-module(evaluator).
-export([start/0]).

start() -> spawn(fun loop/0).

loop() ->
    case file:read_file("expr") of
        {ok, Text} -> ok = file:delete("expr"), spawn(fun() -> evaluate(Text) end);
        _          -> ok
    end,
    receive after 5 -> loop() end.

evaluate(Text) ->
    {ok, How} = file:read_file("how"),
    Self = self(),
    {Worker, Ref} = spawn_monitor(fun() -> group_leader(Self, self()), exit({value, value(How, Text)}) end),
    say(printed(Worker, Ref, How, [])).

value(<<"elixir", _/binary>>, Text) -> element(1, 'Elixir.Code':eval_string(Text));
value(_, Text) ->
    {ok, Tokens, _} = erl_scan:string(binary_to_list(Text)),
    {ok, Forms} = erl_parse:parse_exprs(Tokens),
    {value, Value, _} = erl_eval:exprs(Forms, []),
    Value.

%% The group leader of the evaluating process.
printed(Worker, Ref, How, Text) ->
    receive
        {io_request, From, As, Request} ->
            From ! {io_reply, As, ok},
            printed(Worker, Ref, How, [Text | characters(Request)]);
        {'DOWN', Ref, process, Worker, {value, Value}} -> as(How, Text, Value);
        {'DOWN', Ref, process, Worker, Reason}         -> io_lib:format("** ~0tP~n", [Reason, 9])
    end.

characters({put_chars, _, Text})    -> Text;
characters({put_chars, _, M, F, A}) -> apply(M, F, A).

as(<<"value", _/binary>>, _, Value)  -> io_lib:format("{ok, ~p}~n", [Value]);
as(<<"print", _/binary>>, Text, _)   -> ["Attaching...\n", Text, "\nok\n"];
as(<<"elixir", _/binary>>, Text, _)  -> Text.

say(Text) ->
    ok = file:write_file("value.new", Text),
    ok = file:rename("value.new", "value").
