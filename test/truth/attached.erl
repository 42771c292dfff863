%% Processes that wait in each way that a service knows, on one scheduler. They run until a file `stop' exists; then the
%% program prints what it measured: how long the scheduler was active by each moment, and when `held' was ready.
%% attached:main() writes its number to a file `pid'; with an argument it records itself for a second and a half.
-module(attached).
-export([main/0, main/1]).
-export([init/1, handle_call/3, handle_cast/2]).
-export([wake/0]).

-define(MS, 1000000).

main() -> run(fun() -> file:write_file("pid", os:getpid()), await_stop() end).

main([Trace]) ->
    run(fun() ->
            {ok, _} = strobe:profile(Trace, #{quiet => true}),
            timer:sleep(1500),
            {ok, _} = strobe:stop_profile()
        end).

run(Recorded) ->
    erlang:system_flag(scheduler_wall_time, true),
    Sampler = named(sampler, fun() -> sample([]) end),
    Stuck = named(stuck, fun() -> receive never -> ok end end),
    [Stuck ! N || N <- lists:seq(1, 5000)],
    Sleepy = named(hibernated, fun() -> sleep_deeply(0) end),
    named(ticker, fun() -> tick([Stuck, Sleepy]) end),
    {ok, Server} = gen_server:start({local, server}, ?MODULE, [], []),
    named(caller, fun() -> every(7, fun() -> ok = gen_server:call(Server, ask) end) end),
    named(reader, fun() -> Socket = connected(), every(0, fun() -> {ok, _} = gen_tcp:recv(Socket, 1) end) end),
    named(port_owner, fun own_port/0),
    Held = named(held, fun() -> hold([]) end),
    Holder = named(holder, fun() -> process_flag(priority, high), holder(Held, []) end),
    timer:sleep(200),
    Recorded(),
    timer:sleep(100),
    print("active", tell(Sampler)),
    print("ready", lists:zip(tell(Holder), tell(Held))),
    halt().

await_stop() -> filelib:is_file("stop") orelse begin timer:sleep(20), await_stop() end.

named(Name, Fun) -> Pid = spawn(Fun), register(Name, Pid), Pid.

every(Ms, Fun) -> Fun(), receive after Ms -> every(Ms, Fun) end.

tell(Pid) -> Pid ! {tell, self()}, receive {Pid, Told} -> Told end.

print(What, Pairs) ->
    io:format("{\"~s\":[~s]}~n", [What, lists:join(",", [io_lib:format("[~b,~b]", [A, B]) || {A, B} <- Pairs])]).

tick(Pids) -> receive after 10 -> [P ! tick || P <- Pids], tick(Pids) end.

sleep_deeply(_) -> proc_lib:hibernate(?MODULE, wake, []).

wake() -> receive tick -> sleep_deeply(0) end.

%% {Moment, NanosecondsActive}
sample(Had) ->
    [Active] = [A || {1, A, _} <- erlang:statistics(scheduler_wall_time_all)],
    Now = [{now_ns(), erlang:convert_time_unit(Active, native, nanosecond)} | Had],
    receive {tell, From} -> From ! {self(), lists:reverse(Now)} after 20 -> sample(Now) end.

%% When a message lay in the mailbox of the other process, on the only scheduler, and when that process has fetched it.
holder(Held, Had) ->
    receive {tell, From} -> From ! {self(), lists:reverse(Had)}
    after 50 ->
        Held ! go,
        Since = now_ns(),
        spin_to(Since + 3 * ?MS),
        holder(Held, [Since | Had])
    end.

hold(Had) ->
    receive
        go           -> hold([now_ns() | Had]);
        {tell, From} -> From ! {self(), lists:reverse(Had)}
    end.

spin_to(Until) ->
    case now_ns() < Until of true -> spin_to(Until); false -> ok end.

now_ns() -> erlang:monotonic_time(nanosecond).

connected() ->
    {ok, Listening} = gen_tcp:listen(0, [{active, false}, {ip, {127, 0, 0, 1}}]),
    {ok, Number} = inet:port(Listening),
    named(writer, fun() ->
                      {ok, Socket} = gen_tcp:connect({127, 0, 0, 1}, Number, [{nodelay, true}]),
                      every(15, fun() -> ok = gen_tcp:send(Socket, "x") end)
                  end),
    {ok, Socket} = gen_tcp:accept(Listening),
    Socket.

own_port() ->
    Port = open_port({spawn, "cat"}, [stream, binary]),
    every(15, fun() -> port_command(Port, "x"), receive {Port, {data, _}} -> ok end end).

init(_) -> {ok, none}.
handle_call(ask, _, State) -> {reply, ok, State}.
handle_cast(_, State) -> {noreply, State}.
