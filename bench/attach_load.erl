%% The node of bench/attach.sh: 20,000 processes, of which clients ask others at a bounded rate. Commands come line by
%% line on standard input; each is answered by a line.
%%     measure MS      the requests of so many ms: CPU time of the node in us, and the latency of each in ns
%%     trace, untrace  the same flags as `strobe attach --trace procs,running,gc`, to a process that forgets the events
%%     ring N, calls N messages between two processes, calls of a traced function: CPU time of the node in us
-module(attach_load).
-export([start/0, quiet/0, leaf/1]).

-define(WORKERS, 20000).
-define(CLIENTS, 60).
-define(PAUSE_MS, 20).

start() ->
    Workers = list_to_tuple([spawn(fun work/0) || _ <- lists:seq(1, ?WORKERS)]),
    Clients = [spawn(fun() -> client(Workers, none, []) end) || _ <- lists:seq(1, ?CLIENTS)],
    io:format("ready~n"),
    commands(Clients, none).

%% For work of a fixed size, beside which nothing runs.
quiet() -> io:format("ready~n"), commands([], none).

commands(Clients, Tracer) ->
    case string:lexemes([C || C <- [io:get_line("")], C =/= eof], " \n") of
        ["measure", Ms] -> measure(Clients, list_to_integer(Ms)), commands(Clients, Tracer);
        ["trace"]       -> commands(Clients, trace());
        ["untrace"]     -> exit(Tracer, kill), io:format("ok~n"), commands(Clients, none);
        ["ring", N]     -> fixed(fun() -> ring(list_to_integer(N)) end), commands(Clients, Tracer);
        ["calls", N]    -> fixed(fun() -> calls(list_to_integer(N)) end), commands(Clients, Tracer);
        _               -> halt()
    end.

%% ---- requests

work() -> receive {From, Ref, N} -> From ! {Ref, lists:sum(lists:seq(1, N))}, work() end.

%% A client keeps the latencies only while it measures.
client(Workers, Mode, Seen) ->
    receive
        begins        -> client(Workers, on, []);
        {ends, From}  -> From ! {self(), Seen}, client(Workers, none, [])
    after rand:uniform(2 * ?PAUSE_MS) - 1 ->
        Took = request(element(rand:uniform(?WORKERS), Workers)),
        client(Workers, Mode, case Mode of on -> [Took | Seen]; none -> [] end)
    end.

request(Worker) ->
    Ref = make_ref(),
    Began = erlang:monotonic_time(nanosecond),
    Worker ! {self(), Ref, 500},
    receive {Ref, _} -> erlang:monotonic_time(nanosecond) - Began end.

measure(Clients, Ms) ->
    Cpu = cpu_us(),
    [C ! begins || C <- Clients],
    receive after Ms -> ok end,
    [C ! {ends, self()} || C <- Clients],
    All = lists:append([receive {C, Seen} -> Seen end || C <- Clients]),
    Spent = cpu_us() - Cpu,
    io:put_chars([lists:join($\s, [integer_to_list(N) || N <- [Spent | All]]), $\n]).

%% What the kernel accounted to the threads of the node.
cpu_us() -> lists:sum([ns(T) || T <- filelib:wildcard("/proc/self/task/*/schedstat")]) div 1000.

ns(File) ->
    case file:read_file(File) of
        {ok, Text} -> binary_to_integer(hd(binary:split(Text, <<" ">>)));
        _          -> 0
    end.

%% ---- the rival

trace() ->
    Self = self(),
    Tracer = spawn_opt(fun() ->
                           erlang:trace(all, true, [procs, running, garbage_collection, monotonic_timestamp]),
                           erlang:trace(Self, false, [all]),
                           Self ! traces, forget()
                       end, [{priority, high}]),
    receive traces -> ok end,
    io:format("ok~n"),
    Tracer.

forget() -> receive _ -> forget() end.

%% ---- work of a fixed size

fixed(Work) ->
    Cpu = cpu_us(),
    {Pid, Ref} = spawn_monitor(Work),
    receive {'DOWN', Ref, process, Pid, normal} -> ok end,
    io:format("~b~n", [cpu_us() - Cpu]).

ring(N) ->
    Echo = spawn_link(fun Echo() -> receive {From, M} -> From ! M, Echo() end end),
    [begin Echo ! {self(), M}, receive M -> ok end end || M <- lists:seq(1, N)],
    unlink(Echo),
    exit(Echo, kill).

calls(0) -> ok;
calls(N) -> ?MODULE:leaf(N), calls(N - 1).

leaf(N) -> N.
