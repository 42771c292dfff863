#!/usr/bin/env escript
%%! +S 2 -kernel logger_level error
%% Stack samples: whose stacks they are, that nobody who waits is woken, that nothing is left behind.
-mode(compile).

main(_) ->
    Root = filename:dirname(filename:dirname(filename:dirname(filename:absname(escript:script_name())))),
    put(strobe, os:getenv("STROBE", filename:join(Root, "build/strobe"))),
    code:add_patha(filename:join(filename:dirname(get(strobe)), "erlang/strobe/ebin")),
    Dir = string:trim(os:cmd("mktemp -d")),
    ok = file:set_cwd(Dir),
    [run(Name, Test) || {Name, Test} <- tests()],
    file:set_cwd("/"),
    os:cmd("rm -rf " ++ Dir),
    halt().

run(Name, Test) ->
    try Test() of
        ok -> io:format("ok samples: ~s~n", [Name])
    catch _:Reason:Stack -> io:format("not ok samples: ~s: ~0P ~0P~n", [Name, Reason, 30, hd(Stack), 12])
    after
        catch strobe:stop_profile()
    end.

tests() ->
    [{"the stack of a busy process, by the state of all", fun() -> busy([sample]) end},
     {"the stack of a busy process, by the tracer's own knowledge", fun() -> busy([procs, running, sample]) end},
     {"only of the processes asked for", fun chosen/0},
     {"a process that waits is never woken", fun waiting/0},
     {"nothing is left behind, nor when the owner is killed", fun nothing_left/0}].

%% Its stack is known at any moment.
spinner() -> spawn_link(fun() -> 0 = outer(1 bsl 60) end).
outer(N) -> inner(N) + 1.
inner(0) -> 0;
inner(N) -> inner(N - 1).

%% Records for longer and longer until `Enough` finds what it looks for.
until(Options, Enough) -> until(Options, Enough, 200).
until(Options, Enough, Ms) ->
    {ok, _, _} = strobe:profile("s.sbt", fun() -> timer:sleep(Ms) end, Options),
    case Enough() of
        {ok, Found} -> Found;
        no when Ms < 20000 -> until(Options, Enough, Ms * 2);
        no -> error(never_found)
    end.

lines(Pattern) ->
    [L || L <- string:lexemes(os:cmd(get(strobe) ++ " dump s.sbt"), "\n"), re:run(L, Pattern) =/= nomatch].
some([]) -> no;
some(Found) -> {ok, Found}.

ask(Sql) -> string:trim(os:cmd(get(strobe) ++ " query s.sbt \"" ++ Sql ++ "\" --format csv")).

busy(Classes) ->
    Pid = spinner(),
    %% the whole stack: the loop, what it will return to, and the fun around both
    until([{trace, Classes}], fun() -> some(lines(pid_to_list(Pid) ++ " .*stack mfa=.*inner/1 depth=0 ")) end),
    unlink(Pid), exit(Pid, kill),
    Found = ask("select stack from stack join process on process.id = stack.process where pid = '" ++ pid_to_list(Pid)
                ++ "'"),
    {match, _} = re:run(Found, "spinner.*;.*:outer/1;.*:inner/1"),
    true = string:find(os:cmd(get(strobe) ++ " report s.sbt stacks --format csv"), "inner/1") =/= nomatch,
    ok.

chosen() ->
    [One, Other] = [spinner(), spinner()],
    until([{trace, [sample]}, {processes, [One]}], fun() -> some(lines(pid_to_list(One) ++ " .*stack ")) end),
    [] = lines(pid_to_list(Other) ++ " .*stack "),
    [begin unlink(P), exit(P, kill) end || P <- [One, Other]],
    ok.

waiting() ->
    Busy = spinner(),
    Waits = spawn_link(fun() -> receive never -> ok end end),
    wait_until(fun() -> erlang:process_info(Waits, status) =:= {status, waiting} end),
    until([{trace, [running, sample]}], fun() -> some(lines(pid_to_list(Busy) ++ " .*stack ")) end),
    [] = lines(pid_to_list(Waits) ++ " .* (in|out) "),
    unlink(Busy), exit(Busy, kill),
    ok.

%% A flag is read by setting it, which must not happen while the guard puts it back: so its process has to end first.
nothing_left() ->
    Before = flags(),
    There = processes(),
    All_ended = fun() -> processes() -- There =:= [] end,
    {ok, _, _} = strobe:profile("s.sbt", fun() -> timer:sleep(100) end, [{trace, [all, sample]}]),
    wait_until(All_ended),
    Before = flags(),
    {ok, Owner} = strobe:profile("s.sbt", [{trace, [all, sample]}]),
    false = flags() =:= Before,
    exit(Owner, kill),
    wait_until(All_ended),
    Before = flags(),
    ok.

flags() ->
    Depth = erlang:system_flag(backtrace_depth, 8),
    erlang:system_flag(backtrace_depth, Depth),
    Accounting = erlang:system_flag(microstate_accounting, false),
    erlang:system_flag(microstate_accounting, Accounting),
    {Depth, Accounting}.

wait_until(F) -> wait_until(F, 6000). % a minute: the drain may have to wait for a busy machine
wait_until(_, 0) -> error(never_happened);
wait_until(F, N) ->
    case F() of
        true -> ok;
        false -> timer:sleep(10), wait_until(F, N - 1)
    end.
