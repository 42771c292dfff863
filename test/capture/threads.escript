#!/usr/bin/env escript
%%! +S 2 -kernel logger_level error
%% What the operating system says of the VM's threads, against what this VM reads of itself before, at the beginning, at
%% the end and after: the recording lies between the outer two, and covers what lies between the inner two.
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
        ok -> io:format("ok threads: ~s~n", [Name])
    catch _:Reason:Stack -> io:format("not ok threads: ~s: ~0P ~0P~n", [Name, Reason, 30, hd(Stack), 12])
    end.

tests() ->
    [{"a busy VM, read by a program", fun() -> busy(program) end},
     {"a busy VM, read by a process of its own", fun() -> busy(process) end},
     {"on one core beside another program", fun beside/0},
     {"which CPUs a node may use", fun cpus/0}].

%% #{Tid => [CpuNs, QueueNs, Voluntary, Involuntary]}
threads() ->
    {ok, Tids} = file:list_dir("/proc/self/task"),
    maps:from_list([{list_to_integer(T), Values} || T <- Tids, {ok, Values} <- [of_thread("/proc/self/task/" ++ T)]]).

of_thread(Folder) ->
    case {file:read_file(Folder ++ "/schedstat"), file:read_file(Folder ++ "/status")} of
        {{ok, Stat}, {ok, Status}} ->
            [Cpu, Queue | _] = string:lexemes(string:trim(Stat), " "),
            Switches = [binary_to_integer(hd(tl(string:lexemes(L, "\t "))))
                        || L <- string:lexemes(Status, "\n"), string:find(L, "_ctxt_switches:") =/= nomatch],
            {ok, [binary_to_integer(Cpu), binary_to_integer(Queue) | Switches]};
        _ -> gone
    end.

%% Two processes compute for a second and a half.
work() ->
    Until = erlang:monotonic_time(millisecond) + 1500,
    Self = self(),
    Pids = [spawn_link(fun() -> spin(Until), Self ! {done, self()} end) || _ <- [1, 2]],
    [receive {done, Pid} -> ok end || Pid <- Pids].

spin(Until) ->
    _ = lists:foldl(fun(X, A) -> (A * 31 + X) rem 1000003 end, 1, lists:seq(1, 1000)),
    erlang:monotonic_time(millisecond) >= Until orelse spin(Until).

recorded() ->
    Text = os:cmd(get(strobe)
                  ++ " query t.sbt \"SELECT tid, start, kind, cpu_ns, queue_ns, voluntary, involuntary FROM thread\" "
                     "--format tsv"),
    [{list_to_integer(Tid), list_to_integer(Start), Kind, [list_to_integer(V) || V <- Values]}
     || L <- tl(string:lexemes(Text, "\n")), [Tid, Start, Kind | Values] <- [string:split(L, "\t", all)]].

busy(Drain) ->
    Before = threads(),
    {ok, {First, Last}, _} = strobe:profile("t.sbt", fun() -> A = threads(), work(), {A, threads()} end,
                                            [{drain, Drain}]),
    After = threads(),
    Rows = recorded(),
    %% both schedulers are there, by their kind, and worked
    2 = length([Tid || {Tid, _, "normal", [Cpu | _]} <- Rows, Cpu > 0]),
    [between(Row, Before, First, Last, After) || {Tid, _, _, _} = Row <- Rows, is_map_key(Tid, Before),
     is_map_key(Tid, After)],
    ok.

%% The kernel brings a running thread's time up to date at its tick: 10 ms at most, of each reading. At the beginning
%% the first reading may be late: what the thread can have done until then is not in the sum.
-define(TICKS, 20000000).

between({Tid, Start, _, Values}, Before, First, Last, After) ->
    Slack = [?TICKS, ?TICKS, 0, 0],
    Most = lists:zipwith3(fun(A, B, S) -> B - A + S end, maps:get(Tid, Before), maps:get(Tid, After), Slack),
    {Tid, Values, most, Most, true} = {Tid, Values, most, Most,
                                       lists:all(fun({V, M}) -> V =< M end, lists:zip(Values, Most))},
    [Cpu, Queue | _] = Values,
    [Cpu0, Queue0 | _] = maps:get(Tid, First, maps:get(Tid, Before)),
    [Cpu1, Queue1 | _] = maps:get(Tid, Last, maps:get(Tid, After)),
    {Tid, true} = {Tid, Cpu >= Cpu1 - Cpu0 - Start - ?TICKS},
    {Tid, true} = {Tid, Queue >= Queue1 - Queue0 - Start - ?TICKS}.

%% This VM and another program share a core: schedulers wait for the CPU, and the sums still agree.
beside() ->
    All = affinity("-p " ++ os:getpid()),
    Port = open_port({spawn_executable, "/bin/sh"},
                     [{args, ["-c", "taskset -c 0 sh -c 'while :; do :; done' & echo $!; cat >/dev/null; kill $!"]},
                      binary]),
    receive {Port, {data, _}} -> ok end,
    affinity("-a -p 1 " ++ os:getpid()),
    Result = try busy(program) after affinity("-a -p " ++ All ++ " " ++ os:getpid()), port_close(Port) end,
    %% three that want one core: a scheduler waits at least a tenth of the time
    [true = Queue > 150000000 || {_, _, "normal", [_, Queue | _]} <- recorded()],
    ["1"] = tl(string:lexemes(os:cmd(get(strobe) ++ " query t.sbt \"SELECT cores FROM node\" --format tsv"), "\n")),
    Result.

affinity(Arguments) -> lists:last(string:lexemes(os:cmd("taskset " ++ Arguments), " \n")).

cpus() ->
    os:cmd(get(strobe) ++ " record -o c.sbt -- taskset -c 0 erl -noshell +S 3 -eval 'timer:sleep(300), halt().'"),
    "schedulers\tschedulers_online\tcores\n3\t1\t1\n" =
        os:cmd(get(strobe) ++ " query c.sbt \"SELECT schedulers, schedulers_online, cores FROM node\" --format tsv"),
    ok.
