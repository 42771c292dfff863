%% What a profile should say, told by the program itself: phases that run one after the other, each in a process of its
%% own,
%% which counts and measures what it does. known:main() prints a line of JSON for each and ends by init:stop().
-module(known).
-export([main/0, spinner/1, sleeper/0, drainer/1, poller/1, suspended/0, hibernated/1, awake/1, dirty/0, collector/0,
         writer/1, echoer/0,
         hoarder/1, teller/1, timed/0, child/0, client/1, updater/2]).

-define(PHASES, [spin, sleep, drain, poll, suspend, hibernate, dirty, collect, serial, write, port, hoard, tell, timers,
                 spawns, serve, update]).

main() ->
    spawn(fun() ->
        erlang:system_flag(scheduler_wall_time, true), % until this process ends
        {Schedulers, From} = {scheduler_threads(), now_ns()},
        {Cpu, _, ok} = on_cpu(Schedulers, fun() -> lists:foreach(fun run/1, ?PHASES) end),
        io:put_chars([json(#{phase => threads, from => From, to => now_ns(), cpu => Cpu}), "\n"]),
        init:stop()
    end).

run(Phase) ->
    Self = self(),
    {_, Ref} = spawn_monitor(fun() ->
        register(Phase, self()),
        {Active0, Collections0, From} = {active(), collections(), now_ns()},
        Told = phase(Phase),
        {To, Collections1, Active1} = {now_ns(), collections(), active()},
        Self ! {told, Told#{phase => Phase, from => From, to => To, collections => Collections1 - Collections0,
                            active => [B - A || {A, B} <- lists:zip(Active0, Active1)]}}
    end),
    receive {told, Told} -> ok end,
    receive {'DOWN', Ref, _, _, normal} -> ok end,
    io:put_chars([json(Told), "\n"]).

%% ---- the phases

phase(spin) -> % never waits
    {Cpu, _, Spinners} = on_cpu(scheduler_threads(), fun() ->
        Until = now_ns() + 300000000,
        all([{spinner, [Until]} || _ <- [1, 2, 3, 4]])
    end),
    #{spinners => Spinners, cpu => Cpu};
phase(sleep) ->
    one(sleeper, []);
phase(drain) -> % takes what there is, then waits with a timeout, as gen_server2 and many loops of C programs do
    Pid = spawn(?MODULE, drainer, [self()]),
    [begin timer:sleep(20), Pid ! {msg, I} end || I <- [1, 2]],
    receive {Pid, Told} -> Told end;
phase(poll) ->
    one(poller, [now_ns() + 150000000]);
phase(suspend) ->
    Pid = spawn(?MODULE, suspended, []),
    timer:sleep(20),
    true = erlang:suspend_process(Pid),
    From = now_ns(),
    timer:sleep(150),
    Suspended = now_ns() - From,
    true = erlang:resume_process(Pid),
    timer:sleep(20),
    exit(Pid, kill),
    #{pid => Pid, suspended => Suspended};
phase(hibernate) ->
    Pid = spawn(?MODULE, hibernated, [self()]),
    receive {Pid, hibernates} -> ok end,
    until(fun() -> process_info(Pid, current_function) =:= {current_function, {erlang, hibernate, 3}} end),
    From = now_ns(),
    timer:sleep(150),
    Slept = now_ns() - From,
    Pid ! wake_up,
    receive {Pid, awake} -> ok end,
    #{pid => Pid, slept => Slept};
phase(dirty) ->
    one(dirty, []);
phase(collect) ->
    one(collector, []);
phase(serial) -> % one alone, then two
    Schedulers = scheduler_threads(),
    {_, Queued, {Alone, BothTook, BothCpu, Both}} = on_cpu(Schedulers, fun() ->
        Alone = all([{spinner, [now_ns() + 120000000]}]),
        {Took, {Cpu, _, Both}} = took(fun() -> on_cpu(Schedulers, fun() ->
            all([{spinner, [Until]} || Until <- [now_ns() + 120000000], _ <- [1, 2]]) end) end),
        {Alone, Took, Cpu, Both}
    end),
    #{alone => Alone, both => Both, both_took => BothTook, both_cpu => BothCpu, queued => Queued};
phase(write) ->
    {module, _} = code:ensure_loaded(raw_file_io_list), % since OTP 26 the first process to need it reads its file
    Name = filename:join(os:getenv("TMPDIR", "/tmp"), "known." ++ os:getpid()),
    Told = one(writer, [Name]),
    ok = file:delete(Name),
    Told;
phase(port) ->
    one(echoer, []);
phase(hoard) -> % a mailbox that grows while its owner computes
    AllSent = atomics:new(1, []),
    Pid = spawn(?MODULE, hoarder, [AllSent]),
    [Pid ! {message, I} || I <- lists:seq(1, 2000)],
    Pid ! stop,
    ok = atomics:put(AllSent, 1, 1),
    true = ends(Pid),
    #{pid => Pid, sent => 2001};
phase(tell) ->
    Terms = [a, 1 bsl 80, {a, [1, 2, 3]}, "text", <<1, 2, 3>>, #{k => v}, 3.14],
    Pids = [spawn(?MODULE, teller, [N]) || N <- [50, 100, 150]],
    [[Pid ! lists:nth(1 + I rem length(Terms), Terms) || I <- lists:seq(1, N)]
     || {Pid, N} <- lists:zip(Pids, [50, 100, 150])],
    [ends(Pid) || Pid <- Pids],
    #{pids => Pids, counts => [50, 100, 150],
      words => [lists:sum([erts_debug:flat_size(lists:nth(1 + I rem length(Terms), Terms)) || I <- lists:seq(1, N)])
                || N <- [50, 100, 150]]};
phase(timers) ->
    one(timed, []);
phase(spawns) ->
    [{Pid, Ref} | _] = [spawn_monitor(?MODULE, child, []) || _ <- lists:seq(1, 1000)],
    [receive {'DOWN', _, _, _, normal} -> ok end || _ <- lists:seq(1, 1000)],
    #{pid => self(), first => Pid, ref => is_reference(Ref), children => 1000};
phase(serve) ->
    {ok, Server} = gen_event:start_link(),
    Clients = all([{client, [Server]} || _ <- [1, 2, 3]]),
    gen_event:stop(Server),
    #{server => Server, clients => Clients};
phase(update) -> % two contend for one counter
    Table = ets:new(t, [public]),
    ets:insert(Table, {n, 0}),
    Updaters = all([{updater, [Table, Until]} || Until <- [now_ns() + 100000000], _ <- [1, 2]]),
    [{n, N}] = ets:lookup(Table, n),
    N = lists:sum([maps:get(times, U) || U <- Updaters]),
    #{spinners => Updaters}.

%% ---- who does it

spinner(Until) -> spin_to(Until), #{}.

sleeper() ->
    [timer:sleep(60) || _ <- [1, 2, 3]],
    receive never -> ok after 120 -> ok end,
    #{asleep => 300000000, timeouts => 4}.

drainer(Parent) ->
    From = now_ns(),
    Timeouts = lists:sum([begin drained(), receive {msg, _} -> 0 after 70 -> 1 end end || _ <- [1, 2, 3, 4, 5]]),
    Parent ! {self(), #{pid => self(), asleep => Timeouts * 70000000, took => now_ns() - From}}.

drained() -> receive {msg, _} -> drained() after 0 -> ok end.

poller(Until) -> poller(Until, 0).
poller(Until, N) ->
    receive never -> ok after 0 -> ok end,
    erlang:yield(),
    case now_ns() < Until of
        true -> poller(Until, N + 1);
        false -> #{polls => N + 1}
    end.

suspended() -> suspended().

hibernated(Parent) ->
    Parent ! {self(), hibernates},
    erlang:hibernate(?MODULE, awake, [Parent]).
awake(Parent) -> % does not begin with a receive
    spin_to(now_ns() + 5000000),
    Parent ! {self(), awake}.

dirty() ->
    {Cpu, ok} = took(fun() -> ok = erts_debug:dirty_cpu(wait, 80) end),
    {Io, ok} = took(fun() -> ok = erts_debug:dirty_io(wait, 80) end),
    #{cpu => Cpu, io => Io, at_least => 80000000}.

collector() -> % a heap so large that it is collected on a dirty scheduler
    Live = [{I, I} || I <- lists:seq(1, 400000)],
    Times = [element(1, took(fun() -> erlang:garbage_collect(), ok end)) || _ <- [1, 2, 3]],
    #{live => length(Live), forced => 3, took => lists:sum(Times)}.

writer(Name) ->
    {Took, ok} = took(fun() ->
        {ok, F} = file:open(Name, [raw, write]),
        [ok = file:write(F, <<"0123456789">>) || _ <- lists:seq(1, 100)],
        ok = file:close(F)
    end),
    #{operations => 102, took => Took}.

echoer() ->
    Port = open_port({spawn, "cat"}, [binary, {packet, 2}]),
    [begin port_command(Port, <<I>>), receive {Port, {data, <<I>>}} -> ok end end || I <- lists:seq(1, 40)],
    port_close(Port),
    #{port => Port, answers => 40}.

%% Asking for the length of its own mailbox would fetch the messages.
hoarder(AllSent) ->
    until(fun() -> atomics:get(AllSent, 1) =:= 1 end),
    (fun Take() -> receive stop -> ok; {message, _} -> Take() end end)().

teller(0) -> ok;
teller(N) -> receive _ -> teller(N - 1) end.

timed() ->
    [begin erlang:send_after(5, self(), I), receive I -> ok end end || I <- lists:seq(1, 10)],
    [receive never -> ok after 5 -> ok end || _ <- lists:seq(1, 10)],
    [receive never -> ok after 0 -> ok end || _ <- lists:seq(1, 10)],
    #{messages => 10, asleep => 100000000, timeouts => 20}.

child() -> ok.

client(Server) ->
    [[] = gen_event:which_handlers(Server) || _ <- lists:seq(1, 100)],
    #{calls => 100}.

updater(Table, Until) -> updater(Table, Until, 0).
updater(Table, Until, N) ->
    case now_ns() < Until of
        true -> ets:update_counter(Table, n, 1), updater(Table, Until, N + 1);
        false -> #{times => N}
    end.

%% ---- means

%% Each in a process of its own; what it told, with who it was and how long it took.
all(Jobs) ->
    Self = self(),
    Pids = [spawn(fun() -> Self ! {self(), took(fun() -> apply(?MODULE, F, Args) end)} end) || {F, Args} <- Jobs],
    [receive {Pid, {Took, Told}} -> Told#{pid => Pid, took => maps:get(took, Told, Took)} end || Pid <- Pids].

one(F, Args) ->
    Self = self(),
    Pid = spawn(fun() -> Self ! {self(), took(fun() -> apply(?MODULE, F, Args) end)} end),
    receive {Pid, {Took, Told}} -> Told#{pid => Pid, took => maps:get(took, Told, Took)} end.

took(F) ->
    From = now_ns(),
    Value = F(),
    {now_ns() - From, Value}.

spin_to(Until) ->
    case now_ns() < Until of
        true -> spin_to(Until);
        false -> ok
    end.

until(F) -> F() orelse begin erlang:yield(), until(F) end.

ends(Pid) ->
    Ref = monitor(process, Pid),
    receive {'DOWN', Ref, _, _, _} -> true end.

now_ns() -> erlang:monotonic_time(nanosecond).

%% By scheduler: normal ones, those of dirty CPU work, those of dirty IO.
active() ->
    Unit = erlang:convert_time_unit(1, second, native),
    [A * 1000000000 div Unit || {_, A, _} <- lists:sort(erlang:statistics(scheduler_wall_time_all))].

%% How long these threads were on a CPU during F, and how long they were ready to run but had none: both by the
%% operating system.
on_cpu(Threads, F) ->
    {Cpu0, Queued0} = times(Threads),
    Value = F(),
    {Cpu1, Queued1} = times(Threads),
    {Cpu1 - Cpu0, Queued1 - Queued0, Value}.

scheduler_threads() -> % normal ones
    Task = "/proc/self/task/",
    {ok, Tids} = file:list_dir(Task),
    [Task ++ Tid || Tid <- Tids, {ok, Name} <- [file:read_file(Task ++ Tid ++ "/comm")],
                    re:run(Name, "^([0-9]+_sched|erts_sched)") =/= nomatch].

times(Threads) ->
    lists:foldl(fun(Thread, {Cpu, Queued}) ->
        {ok, Stat} = file:read_file(Thread ++ "/schedstat"),
        [C, Q | _] = binary:split(Stat, <<" ">>, [global]),
        {Cpu + binary_to_integer(C), Queued + binary_to_integer(Q)}
    end, {0, 0}, Threads).

collections() -> element(1, erlang:statistics(garbage_collection)).

json(M) when is_map(M) -> [${, lists:join($,, [[text(atom_to_list(K)), $:, json(V)] || {K, V} <- maps:to_list(M)]), $}];
json(L) when is_list(L) -> [$[, lists:join($,, [json(X) || X <- L]), $]];
json(N) when is_integer(N) -> integer_to_list(N);
json(P) when is_pid(P) -> text(pid_to_list(P));
json(P) when is_port(P) -> text(erlang:port_to_list(P));
json(A) when is_atom(A) -> text(atom_to_list(A)).
text(S) -> [$", S, $"].
