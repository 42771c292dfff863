%% Programs of which one part can be made faster: edited:main([Program, Times]). Prints the CPU time of its schedulers.
-module(edited).
-export([main/1, record/3, worker/1]).

main([Program, Times]) ->
    Before = cpu(),
    run(list_to_atom(Program), list_to_integer(Times)),
    io:format("cpu ~p~n", [cpu() - Before]).

%% Writes a trace of the program without the start of the VM.
record(Program, Times, Trace) ->
    ok = code:ensure_modules_loaded([strobe, lists]),
    {ok, _} = strobe:profile(Trace, #{quiet => true, buffer => 256 bsl 20}),
    run(Program, Times),
    {ok, _} = strobe:stop_profile().

cpu() ->
    Files = filelib:wildcard("/proc/self/task/*/comm"),
    lists:sum([time(filename:dirname(F)) || F <- Files, is_scheduler(F)]).

is_scheduler(File) ->
    {ok, Name} = file:read_file(File),
    re:run(Name, "^([0-9]+_scheduler|[0-9]+_sched)") =/= nomatch.

time(Folder) ->
    {ok, Text} = file:read_file(filename:join(Folder, "schedstat")),
    binary_to_integer(hd(binary:split(Text, <<" ">>))).

%% three stages; the second is the slowest
run(pipe, Times) ->
    Self = self(),
    Last = spawn(fun() -> stage(400, 60000, Self) end),
    Slow = spawn(fun() -> register(slow, self()), stage(400, 120000 div Times, Last) end),
    spawn(fun() -> [begin burn(40000, 1), Slow ! N end || N <- lists:seq(1, 400)] end),
    [receive N -> ok end || N <- lists:seq(1, 400)];
%% a serial phase, then 8 equal workers
run(amdahl, Times) ->
    register(slow, self()),
    burn(60000000 div Times, 1),
    wait([spawn_monitor(fun() -> burn(10000000, 1) end) || _ <- lists:seq(1, 8)]);
%% 8 clients and a server
run(server, Times) ->
    Server = spawn(fun() -> register(slow, self()), serve(50000 div Times) end),
    wait([spawn_monitor(fun() -> ask(Server, 150) end) || _ <- lists:seq(1, 8)]);
%% a computation, and then a request to a server that timers disturb meanwhile
run(disturbed, Times) ->
    register(slow, self()),
    Server = spawn(fun() -> self() ! tick, disturbed() end),
    burn(60000000 div Times, 1),
    Server ! {self(), done},
    receive done -> burn(20000000 div Times, 1) end;
%% a producer and a consumer, with a message for each item or for a hundred
run(free, Times) ->
    Self = self(),
    Consumer = spawn(fun() -> register(consumer, self()), consume(120000), Self ! done end),
    spawn(fun() -> register(producer, self()), produce(Consumer, 120000, if Times > 1 -> 100; true -> 1 end, []) end),
    receive done -> ok end;
%% 4 processes that spend two thirds of their time in one function
run(function, Times) ->
    wait([spawn_monitor(fun() -> [begin cold(), hot(Times) end || _ <- lists:seq(1, 100)] end)
          || _ <- lists:seq(1, 4)]);
%% 6 workers of one function beside 6 of another one, all of which report to the first process
run(entry, Times) ->
    Slow = [spawn_monitor(?MODULE, worker, [8000000 div Times]) || _ <- lists:seq(1, 6)],
    wait(Slow ++ [spawn_monitor(fun() -> burn(4000000, 1) end) || _ <- lists:seq(1, 6)]);
%% programs whose function edited:hot/2 has to be found by samples: a loop
run(by_loop, Times) ->
    [begin hot(800000, Times), cold(400000) end || _ <- lists:seq(1, 400)];
%% 4 processes that do different amounts of other work
run(by_parallel, Times) ->
    wait([spawn_monitor(fun() -> [begin hot(600000, Times), cold(500000 + I * 50000) end || _ <- lists:seq(1, 100)] end)
          || I <- lists:seq(1, 4)]);
%% 400 processes, of which few have a sample each
run(by_short, Times) ->
    [wait([spawn_monitor(fun() -> hot(600000, Times), cold(550000) end) || _ <- lists:seq(1, 4)])
     || _ <- lists:seq(1, 100)];
%% three stages; the second has the function
run(by_pipe, Times) ->
    Self = self(),
    Last = spawn(fun() -> stage(1000, 60000, Self) end),
    Slow = spawn(fun() -> hot_stage(1000, Times, Last) end),
    spawn(fun() -> [begin burn(100000, 1), Slow ! N end || N <- lists:seq(1, 1000)] end),
    [receive N -> ok end || N <- lists:seq(1, 1000)];
%% beside a longer process, so that it gains nothing on two cores
run(by_beside, Times) ->
    wait([spawn_monitor(fun() -> [hot(400000, Times) || _ <- lists:seq(1, 500)] end),
          spawn_monitor(fun() -> [cold(900000) || _ <- lists:seq(1, 500)] end)]);
%% before and after work of others, in two parts of a process
run(by_phases, Times) ->
    [hot(800000, Times) || _ <- lists:seq(1, 150)],
    Others = [spawn_monitor(fun() -> [cold(400000) || _ <- lists:seq(1, 300)] end) || _ <- [1, 2]],
    [cold(400000) || _ <- lists:seq(1, 150)],
    wait(Others),
    [hot(800000, Times) || _ <- lists:seq(1, 50)];
%% a cheaper algorithm, in a function that spends its time in C
run(by_algorithm, Times) ->
    L = lists:seq(1, 2000),
    [begin cold(1500000), distinct(L, Times) end || _ <- lists:seq(1, 250)];
%% 8 clients and as many servers as Times says, which are most of the work
run(split, Times) ->
    Servers = list_to_tuple([spawn(fun() -> name(N), serve(120000) end) || N <- lists:seq(1, Times)]),
    wait([spawn_monitor(fun() -> ask(element(1 + N rem Times, Servers), 60) end) || N <- lists:seq(1, 8)]).

cold() -> edited_work:burn(60000, 1).

hot(Times) -> edited_work:burn(120000 div Times, 1).

hot(Work, Times) -> edited_work:burn(Work div Times, 1) + 1.

cold(Work) -> edited_work:burn(Work, 1) + 1.

hot_stage(0, _, _) -> ok;
hot_stage(N, Times, To) -> receive Item -> hot(400000, Times), cold(60000), To ! Item end, hot_stage(N - 1, Times, To).

distinct(L, 1) -> slow_distinct(L, []);
distinct(L, _) -> lists:usort(L).

slow_distinct([], Found) -> Found;
slow_distinct([H | T], Found) ->
    case lists:member(H, Found) of
        true -> slow_distinct(T, Found);
        false -> slow_distinct(T, [H | Found])
    end.

worker(Work) -> burn(Work, 1).

name(1) -> register(slow, self());
name(_) -> ok.

wait(Workers) -> [receive {'DOWN', Ref, _, _, _} -> ok end || {_, Ref} <- Workers].

stage(0, _, _) -> ok;
stage(N, Work, To) -> receive Item -> burn(Work, 1), To ! Item end, stage(N - 1, Work, To).

serve(Work) -> receive {From, Ref} -> burn(Work, 1), From ! Ref end, serve(Work).

produce(_, 0, _, []) -> ok;
produce(To, N, Batch, Items) when length(Items) =:= Batch; N =:= 0 -> To ! Items, produce(To, N, Batch, []);
produce(To, N, Batch, Items) -> burn(100, 1), produce(To, N - 1, Batch, [N | Items]).

consume(0) -> ok;
consume(N) -> receive Items -> [burn(100, 1) || _ <- Items], consume(N - length(Items)) end.

disturbed() ->
    receive
        tick -> erlang:send_after(20, self(), tick), disturbed();
        {From, What} -> From ! What, disturbed()
    end.

ask(_, 0) -> ok;
ask(Server, N) ->
    Ref = make_ref(),
    burn(30000, 1),
    Server ! {self(), Ref},
    receive Ref -> ask(Server, N - 1) end.

burn(0, X) -> X;
burn(N, X) -> burn(N - 1, (X * 7 + N) rem 1000003).
