%% A program to record: a process that counts what it sends, and writes the count into the trace. A file that appears in
%% its folder makes it do something out of the ordinary.
-module(shop).
-export([start/0]).

start() ->
    Sink = spawn(fun() -> register(sink, self()), sink() end),
    spawn(fun() -> register(stock, self()), stock() end),
    spawn(fun() -> register(counter, self()), count(Sink, pause(), 0) end),
    spawn(fun() -> register(waiter, self()), wait() end),
    spawn(fun() -> obey() end),
    ok = file:write_file("pid.new", os:getpid()),
    ok = file:rename("pid.new", "pid").

sink() -> receive _ -> sink() end.

stock() -> receive {'$gen_call', From, Ms} -> receive after Ms -> gen:reply(From, ok) end, stock() end.

wait() -> receive empty -> empty(), wait() end.

empty() -> receive _ -> empty() after 0 -> ok end.

%% The mark N is written right after message N. After twenty it rests for the `pause' of the command line.
count(Sink, Pause, N) ->
    Sink ! N,
    _ = N rem 50 =:= 0 andalso mark(integer_to_binary(N + 1)),
    _ = N rem 20 =:= 0 andalso receive after Pause -> ok end,
    count(Sink, Pause, N + 1).

pause() -> case init:get_argument(pause) of {ok, [[Ms]]} -> list_to_integer(Ms); error -> 1 end. % in ms

mark(Text) -> try apply(strobe, mark, [Text]) catch error:undef -> ok end.

obey() ->
    _ = [begin ok = file:delete(atom_to_list(What)), spawn(fun() -> does(What) end) end
         || What <- [mailbox, empty, hog, call, log, memory, queue, burst, sizes, die],
            filelib:is_file(atom_to_list(What))],
    receive after 10 -> obey() end.

does(mailbox) -> [waiter ! N || N <- lists:seq(1, 3000)];
does(hog)     -> block(400);
does(call)    -> gen_server:call(stock, 900);
does(log)     -> logger:error("the shop is ~p", [closed]);
does(memory)  -> Held = binary:copy(<<0>>, 300 bsl 20), receive never -> Held end;
does(queue)   -> queue();
does(burst)   -> burst();
does(sizes)   -> sizes();
does(empty)   -> waiter ! empty;
does(die)     -> erlang:halt("the shop burned down", [{flush, false}]).

%% More processes than schedulers run until a file `calm' appears. Their priority is low, so that all else goes on.
queue() ->
    Busy = [spawn_opt(fun spin/0, [{priority, low}]) || _ <- lists:seq(1, 200)],
    calm(),
    [exit(P, kill) || P <- Busy].

calm() ->
    case file:delete("calm") of
        ok -> ok;
        _  -> receive after 10 -> calm() end
    end.

spin() -> lists:seq(1, 1000), spin().

%% No mailbox gets long.
burst() ->
    Echo = spawn(fun echo/0),
    [begin Echo ! {self(), N}, receive N -> ok end end || N <- lists:seq(1, 100000)],
    exit(Echo, kill).

echo() -> receive {From, N} -> From ! N end, echo().

sizes() ->
    [erlang:garbage_collect(P) || P <- processes()],
    ok = file:write_file("sizes.new", io_lib:format("~b ~b ~b~n",
        [erlang:memory(total), erlang:system_info(atom_count), erlang:system_info(process_count)])),
    ok = file:rename("sizes.new", "has_sizes").

%% The process keeps its scheduler, and all others wait.
block(Ms) ->
    erts_debug:set_internal_state(available_internal_state, true),
    erts_debug:set_internal_state(block, Ms).
