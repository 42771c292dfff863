#!/usr/bin/env escript
%%! +S 2
%% A trace that fprof wrote, analysed by fprof and by strobe: each function was called as often, and took as long, alone
%% and with what it called. fprof's own wrapper around the program has returned before the program is called, which
%% fprof does not see.
-mode(compile).

main(_) ->
    Root = filename:dirname(filename:dirname(filename:dirname(filename:absname(escript:script_name())))),
    put(strobe, os:getenv("STROBE", filename:join(Root, "build/strobe"))),
    Dir = string:trim(os:cmd("mktemp -d")),
    ok = file:set_cwd(Dir),
    {ok, same} = compile:file(filename:join([Root, "test/calls", "same"])),
    code:add_patha("."),
    [run(F) || F <- [recursion, tails, exceptions, funs, comprehensions, forms]],
    file:set_cwd("/"),
    os:cmd("rm -rf " ++ Dir),
    halt().

run(F) ->
    same:F(), %% all it needs is loaded now
    ok = fprof:trace([start, {file, "f.trace"}, {procs, [self()]}]),
    same:F(),
    ok = fprof:trace(stop),
    ok = fprof:profile([{file, "f.trace"}]),
    ok = fprof:analyse([totals, no_callers, {dest, "f.analysis"}]),
    compare(F, fprofs(), ours()).

compare(F, [_, _ | _] = Theirs, Theirs) -> io:format("ok calls as fprof: ~s~n", [F]);
compare(F, Theirs, Ours) ->
    Bad = [{ours, X} || X <- lists:sublist(Ours -- Theirs, 6)] ++ [{fprof, X} || X <- lists:sublist(Theirs -- Ours, 6)],
    io:format("not ok calls as fprof: ~s: ~0p~n", [F, Bad]).

%% {Function, Count, Acc, Own}, in microseconds; of all processes and of the one there is
fprofs() ->
    {ok, Terms} = file:consult("f.analysis"),
    lists:usort([{name(MFA), N, micro(Acc), micro(Own)} || {{_, _, _} = MFA, N, Acc, Own} <- Terms, is_whole(MFA),
                 N > 0]).

is_whole({M, F, _}) -> {M, F} =/= {fprof, just_call}.
name({M, F, A}) -> unicode:characters_to_list(io_lib:format("~w:~tw/~w", [M, F, A])).
micro(Ms) -> round(Ms * 1000).

ours() ->
    Sql = "SELECT mfa, calls, acc_ns / 1000, own_ns / 1000 FROM function WHERE calls > 0 AND mfa LIKE '%:%'",
    Out = os:cmd(get(strobe) ++ " analyze f.trace -o f.sbp >/dev/null && " ++ get(strobe) ++ " query f.sbp \"" ++ Sql ++
                     "\" --format tsv"),
    [_ | Lines] = string:lexemes(Out, "\n"),
    Rows = [string:split(L, "\t", all) || L <- Lines],
    lists:sort([{F, list_to_integer(N), list_to_integer(Acc), list_to_integer(Own)} ||
                   [F, N, Acc, Own] <- Rows, not lists:prefix("fprof:just_call", F)]).
