#!/usr/bin/env escript
%%! +S 2
%% A thousand captures in one node, one after the other, with everything on: each is whole, and nothing is left behind.
-mode(compile).

main(_) ->
    Root = filename:dirname(filename:dirname(
            filename:dirname(filename:dirname(filename:absname(escript:script_name()))))),
    code:add_patha(filename:join(filename:dirname(os:getenv("STROBE", filename:join(Root, "build/strobe"))),
                                 "erlang/strobe/ebin")),
    Dir = string:trim(os:cmd("mktemp -d")),
    ok = file:set_cwd(Dir),
    ok = file:write_file("work.erl",
                         "-module(work). -export([fib/1]).\nfib(N) when N < 2 -> N;\nfib(N) -> fib(N - 1) + fib(N - "
                         "2).\n"),
    {ok, work} = compile:file("work"),
    code:add_patha("."),
    try captures(1000) of
        ok -> io:format("ok captures: a thousand leave nothing~n")
    catch _:Reason -> io:format("not ok captures: ~0P~n", [Reason, 30])
    end,
    file:set_cwd("/"),
    os:cmd("rm -rf " ++ Dir),
    halt().

captures(N) ->
    capture(), % what is loaded and allocated once
    There = {processes(), erlang:ports(), maps()},
    [capture() || _ <- lists:seq(1, N)],
    wait_until(fun() -> {processes(), erlang:ports(), maps()} =:= There end, 1000),
    [] = filelib:wildcard("/dev/shm/strobe-" ++ os:getpid() ++ "-*"),
    ok.

capture() ->
    {ok, 610, #{lost := 0}} = strobe:profile("m.sbt", fun() -> work:fib(15) end,
                                             [{trace, [all, sample]}, {modules, [work]}, {filter, true}]),
    ok.

%% What is mapped from files: the rings of a capture would be.
maps() ->
    {ok, Text} = file:read_file("/proc/self/maps"),
    length([L || L <- binary:split(Text, <<"\n">>, [global]), binary:match(L, <<".rings">>) =/= nomatch]).

wait_until(_, 0) -> error(something_is_left);
wait_until(F, N) -> F() orelse begin timer:sleep(10), wait_until(F, N - 1) end.
