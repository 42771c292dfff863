#!/usr/bin/env escript
%%! +S 2 -kernel logger_level error
%% The lengths of mailboxes that a recording samples, against a program that knows them.
-mode(compile).
-define(LEFT, 5000).

main(_) ->
    Root = filename:dirname(filename:dirname(filename:dirname(filename:absname(escript:script_name())))),
    put(strobe, os:getenv("STROBE", filename:join(Root, "build/strobe"))),
    code:add_patha(filename:join(filename:dirname(get(strobe)), "erlang/strobe/ebin")),
    Dir = string:trim(os:cmd("mktemp -d")),
    ok = file:set_cwd(Dir),
    [run(Name, Test) || {Name, Test} <- [{"what a receive leaves in the mailbox is counted", fun left/0},
                                         {"who never runs again is counted as well", fun asleep/0},
                                         {"without messages nobody is asked", fun not_recorded/0},
                                         {"nothing is left behind, nor when the owner is killed", fun nothing_left/0}]],
    file:set_cwd("/"),
    os:cmd("rm -rf " ++ Dir),
    halt().

run(Name, Test) ->
    try Test() of
        ok -> io:format("ok mailbox: ~s~n", [Name])
    catch _:Reason:Stack -> io:format("not ok mailbox: ~s: ~0P ~0P~n", [Name, Reason, 30, hd(Stack), 12])
    end.

%% ?LEFT events stay in the mailbox, while acknowledgements are taken one by one until the sampler has looked: at the
%% end the mailbox holds all events, and one acknowledgement at most beside them.
left() ->
    Fun = fun() ->
        Self = self(),
        Echo = spawn_link(fun Loop() -> receive {N, From} -> From ! {ack, N}, Loop() end end),
        Pid = spawn_link(fun() -> receive go -> ok end, acks(Echo, erlang:monotonic_time(millisecond) + 1000),
                             Self ! done, receive never -> ok end end),
        [Pid ! {event, N} || N <- lists:seq(1, ?LEFT)],
        Pid ! go,
        receive done -> ok end,
        {message_queue_len, ?LEFT} = process_info(Pid, message_queue_len),
        [begin unlink(P), exit(P, kill) end || P <- [Pid, Echo]],
        Pid
    end,
    {ok, Pid, _} = strobe:profile("t.sbt", Fun, []),
    [Peak] = numbers("SELECT peak_mailbox FROM process WHERE pid = '" ++ pid_to_list(Pid) ++ "'"),
    {Peak, true} = {Peak, Peak >= ?LEFT andalso Peak =< ?LEFT + 1},
    ok.

acks(Echo, Until) ->
    Echo ! {1, self()},
    receive {ack, 1} -> ok end,
    erlang:monotonic_time(millisecond) > Until orelse acks(Echo, Until).

asleep() ->
    Fun = fun() ->
        Pid = spawn_link(fun() -> receive never -> ok end end),
        [Pid ! {event, N} || N <- lists:seq(1, ?LEFT)],
        timer:sleep(500),
        unlink(Pid), exit(Pid, kill),
        Pid
    end,
    {ok, Pid, _} = strobe:profile("t.sbt", Fun, []),
    [?LEFT] = numbers("SELECT peak_mailbox FROM process WHERE pid = '" ++ pid_to_list(Pid) ++ "'"),
    ok.

not_recorded() ->
    {ok, _, _} = strobe:profile("t.sbt", fun() -> timer:sleep(100) end, [{trace, [procs, running, vm]}]),
    [0] = numbers("SELECT count(peak_mailbox) FROM process"),
    ok.

nothing_left() ->
    There = processes(),
    {ok, _, _} = strobe:profile("t.sbt", fun() -> timer:sleep(100) end, []),
    wait_until(fun() -> processes() -- There =:= [] end),
    {ok, Owner} = strobe:profile("t.sbt", []),
    true = length(processes() -- There) > 5,
    exit(Owner, kill),
    wait_until(fun() -> processes() -- There =:= [] end).

numbers(Sql) ->
    [list_to_integer(L) || L <- tl(string:lexemes(os:cmd(get(strobe) ++ " query t.sbt \"" ++ Sql ++ "\" --format tsv"),
                                                  "\n"))].

wait_until(F) -> wait_until(F, 1000).
wait_until(_, 0) -> error(never_happened);
wait_until(F, N) ->
    case F() of
        true -> ok;
        false -> timer:sleep(10), wait_until(F, N - 1)
    end.
