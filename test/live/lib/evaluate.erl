%% A run of a release's rpc: evaluates the last argument in a node and prints the value.
%%     erl -noshell -sname ... -s evaluate in NODE -extra EXPRESSION
-module(evaluate).
-export([in/1]).

in([Node]) ->
    {ok, Tokens, _} = erl_scan:string(lists:last(init:get_plain_arguments())),
    {ok, Forms} = erl_parse:parse_exprs(Tokens),
    {value, Value, _} = rpc:call(Node, erl_eval, exprs, [Forms, []]),
    io:format("~p~n", [Value]),
    halt().
