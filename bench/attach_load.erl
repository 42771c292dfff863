%% The node of bench/attach.sh: a service on TCP, whose requests ask some of 20,000 processes (bench/requests.c makes
%% them). Commands come line by line on standard input; each is answered by a line.
%%     cpu             CPU time of the node in us
%%     trace, untrace  the same flags as `strobe attach --trace procs,running,gc`, to a process that forgets the events
%%     ring N, calls N messages between two processes, calls of a traced function: CPU time of the node in us
-module(attach_load).
-export([start/0, quiet/0, leaf/1]).

-define(WORKERS, 20000).
-define(ASKED, 2).

%% Prints the port of the service.
start() ->
    Workers = list_to_tuple([spawn(fun work/0) || _ <- lists:seq(1, ?WORKERS)]),
    % lists: OTP 25.2 crashes when `running' is traced, by whatever tracer, of such a service with binaries
    {ok, Listen} = gen_tcp:listen(0, [list, {packet, 4}, {active, false}, {nodelay, true}, {ip, {127, 0, 0, 1}},
                                      {backlog, 1024}]),
    {ok, Port} = inet:port(Listen),
    spawn(fun() -> accept(Listen, Workers) end),
    io:format("~b~n", [Port]),
    commands(none).

%% For work of a fixed size, beside which nothing runs.
quiet() -> io:format("ready~n"), commands(none).

commands(Tracer) ->
    case string:lexemes([C || C <- [io:get_line("")], C =/= eof], " \n") of
        ["cpu"]      -> io:format("~b~n", [cpu_us()]), commands(Tracer);
        ["trace"]    -> commands(trace());
        ["untrace"]  -> exit(Tracer, kill), io:format("ok~n"), commands(none);
        ["ring", N]  -> fixed(fun() -> ring(list_to_integer(N)) end), commands(Tracer);
        ["calls", N] -> fixed(fun() -> calls(list_to_integer(N)) end), commands(Tracer);
        _            -> halt()
    end.

%% ---- requests: numbers are read, some processes are asked about them, and a table is written

work() -> receive {From, Ref, Numbers} -> From ! {Ref, lists:sum([N * N || N <- Numbers])}, work() end.

accept(Listen, Workers) ->
    {ok, Socket} = gen_tcp:accept(Listen),
    spawn(fun() -> accept(Listen, Workers) end),
    serve(Socket, Workers).

serve(Socket, Workers) ->
    case gen_tcp:recv(Socket, 0) of
        {ok, Text} ->
            Numbers = [list_to_integer(N) || N <- string:lexemes(Text, ",")],
            Sums = [ask(element(1 + N rem ?WORKERS, Workers), Numbers) || N <- lists:sublist(Numbers, ?ASKED)],
            ok = gen_tcp:send(Socket, [row(N, Sums) || N <- Numbers]),
            serve(Socket, Workers);
        {error, closed} -> ok
    end.

row(N, Sums) -> io_lib:format("~8b ~-12s ~.2f~n", [N, integer_to_list(N, 16), hd(Sums) / N]).

ask(Worker, Numbers) ->
    Ref = monitor(process, Worker),
    Worker ! {self(), Ref, Numbers},
    receive {Ref, Sum} -> demonitor(Ref, [flush]), Sum end.

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
