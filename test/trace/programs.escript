%% escript test/trace/programs.escript DIR PROGRAM.FLAGS...
%% Runs small real programs while everything in this VM is traced by OTP's own file port: DIR/PROGRAM.FLAGS each, or the
%% files DIR/PROGRAM.wrap.N.trc of a wrap set.
-mode(compile).
-export([init/1, start_child/1]).

main([Dir | Names]) ->
    logger:set_primary_config(level, none),
    [begin
         [Program, Flags] = [list_to_atom(A) || A <- string:lexemes(Name, ".")],
         prepare(Program),
         traced(filename:join(Dir, Name), Flags, fun() -> program(Program) end)
     end || Name <- Names],
    halt(0).

%% ---- kinds of tracing: flags of erlang:trace and of erlang:system_profile

flags(all) -> {[ports, procs, running, exiting, garbage_collection, send, 'receive', scheduler_id, timestamp],
               [runnable_ports, runnable_procs, exclusive, scheduler, timestamp]};
flags(wrap) -> flags(all);
flags(plain) -> {[ports, procs, running, running_ports, exiting, garbage_collection, send, 'receive', scheduler_id, timestamp], []};
flags(mono) -> {[procs, running, running_procs, garbage_collection, send, 'receive', scheduler_id, monotonic_timestamp], []};
flags(strict) -> {[procs, running, exiting, send, 'receive', strict_monotonic_timestamp],
                  [runnable_procs, scheduler, strict_monotonic_timestamp]};
flags(calls) -> {[procs, running, send, 'receive', garbage_collection, scheduler_id, call, return_to, arity, timestamp], []};
flags(running) -> {[procs, running, exiting, timestamp], [runnable_procs, exclusive, timestamp]};
flags(profile) -> {[procs, timestamp], [runnable_procs, exclusive, timestamp]};
flags(messages) -> {[procs, send, 'receive', timestamp], []};
flags(gc) -> {[procs, garbage_collection, timestamp], []};
flags(procs) -> {[procs, timestamp], []}.

traced(File, Kind, Program) ->
    {Trace, Profile} = flags(Kind),
    Port = (dbg:trace_port(file, case Kind of wrap -> {File ++ ".", wrap, ".trc", 60000, 40}; _ -> File end))(),
    [erlang:trace_pattern({M, '_', '_'}, [{'_', [], [{message, {{cp, {caller}}}}]}], [local])
     || Kind =:= calls, M <- [gen_server, gen_event, supervisor]],
    erlang:trace(all, true, [{tracer, Port}, set_on_spawn | Trace]),
    Profile =/= [] andalso erlang:system_profile(Port, Profile),
    {Pid, Ref} = spawn_monitor(Program),
    receive {'DOWN', Ref, _, Pid, Why} -> normal = Why end,
    Profile =/= [] andalso erlang:system_profile(undefined, []),
    erlang:trace(all, false, [all]),
    erlang:trace_pattern({'_', '_', '_'}, false, [local]),
    Delivered = erlang:trace_delivered(all),
    receive {trace_delivered, _, Delivered} -> ok end,
    unlink(Port),
    port_close(Port).

prepare(mnesia) -> application:load(mnesia), application:set_env(mnesia, schema_location, ram);
prepare(ssl) -> {ok, _} = application:ensure_all_started(ssl);
prepare(dirty) -> {ok, _} = application:ensure_all_started(crypto);
prepare(_) -> ok.

%% ---- programs

program(compile) ->
    wait_for([spawn_monitor(fun() -> compile_module(I) end) || I <- lists:seq(1, 3)]);
program(xref) ->
    {ok, _} = xref:start(x),
    {ok, _} = xref:add_directory(x, filename:join(code:lib_dir(runtime_tools), "ebin"), [{warnings, false}]),
    {ok, _} = xref:analyze(x, locals_not_used),
    xref:stop(x);
program(ssl) ->
    Chain = #{root => [{key, {namedCurve, secp256r1}}], intermediates => [], peer => [{key, {namedCurve, secp256r1}}]},
    #{server_config := S, client_config := C} = public_key:pkix_test_data(#{server_chain => Chain, client_chain => Chain}),
    {ok, L} = ssl:listen(0, [{active, false} | S]),
    {ok, {_, Port}} = ssl:sockname(L),
    Server = spawn_monitor(fun() -> [echo_ssl(L) || _ <- [1, 2]] end),
    [begin
         {ok, K} = ssl:connect("localhost", Port, [{active, false}, {verify, verify_none} | C], 5000),
         ok = ssl:send(K, <<"hello">>),
         {ok, _} = ssl:recv(K, 0),
         ssl:close(K)
     end || _ <- [1, 2]],
    wait_for([Server]);
program(mnesia) ->
    ok = mnesia:start(),
    {atomic, ok} = mnesia:create_table(t, [{ram_copies, [node()]}]),
    wait_for([spawn_monitor(fun() -> [{atomic, ok} = mnesia:transaction(fun count_up/0) || _ <- lists:seq(1, 20)] end)
              || _ <- lists:seq(1, 5)]),
    mnesia:stop();
program(servers) -> % many ask one, by its name; an event manager; who hibernates; who sleeps with mail
    {ok, Bus} = gen_event:start_link({local, 'my bus'}),
    Server = spawn_link(fun() -> server(0) end),
    register(srv, Server),
    wait_for([spawn_monitor(fun() -> [ask(srv, lists:seq(1, I)) || _ <- lists:seq(1, 20)], gen_event:notify('my bus', x) end)
              || I <- lists:seq(1, 12)]),
    Parent = self(),
    Sleeper = spawn_link(fun() -> timer:sleep(3), receive late -> Parent ! woken end end),
    [begin timer:sleep(1), Sleeper ! early end || _ <- [1, 2]],
    Sleeper ! late,
    receive woken -> ok end,
    Hibernator = spawn_link(fun() -> hibernator(Parent) end),
    [begin Hibernator ! ping, receive pong -> ok end end || _ <- lists:seq(1, 5)],
    gen_event:stop(Bus),
    [begin unlink(P), exit(P, kill) end || P <- [Server, Hibernator]];
program(tree) -> % supervisors that restart, links, monitors, kills, aliases, the dead
    process_flag(trap_exit, true),
    {ok, Sup} = supervisor:start_link({local, my_sup}, ?MODULE, []),
    [crash(I) || I <- lists:seq(1, 9)],
    unlink(Sup),
    exit(Sup, shutdown),
    chain(30),
    receive {'EXIT', _, end_of_chain} -> ok end,
    Many = [spawn_link(fun() -> receive stop -> ok after 5 -> exit(late) end end) || _ <- lists:seq(1, 20)],
    [P ! stop || P <- Many, erlang:phash2(P, 2) =:= 0],
    [receive {'EXIT', P, _} -> ok end || P <- Many],
    {Killed, Ref} = spawn_monitor(fun() -> receive after infinity -> ok end end),
    exit(Killed, kill),
    wait_for([{Killed, Ref}]),
    Killed ! to_the_dead,
    Request = spawn_request(fun() -> ok end, [monitor]),
    receive {spawn_reply, Request, ok, P} -> wait_for([{P, Request}]) end,
    Alias = alias([reply]),
    spawn(fun() -> Alias ! {Alias, hi}, Alias ! {Alias, again} end),
    receive {Alias, hi} -> ok end;
program(ports) ->
    Cat = open_port({spawn, "cat"}, [binary]),
    [begin Cat ! {self(), {command, <<"hello\n">>}}, receive {Cat, {data, _}} -> ok end end || _ <- lists:seq(1, 10)],
    port_close(Cat),
    "hello\n" = os:cmd("echo hello"),
    {ok, L} = gen_tcp:listen(0, [binary, {active, true}]),
    {ok, Number} = inet:port(L),
    Server = spawn_monitor(fun() -> {ok, S} = gen_tcp:accept(L), echo_tcp(S) end),
    {ok, C} = gen_tcp:connect("localhost", Number, [binary, {active, false}]),
    [begin ok = gen_tcp:send(C, <<"x">>), {ok, _} = gen_tcp:recv(C, 1) end || _ <- lists:seq(1, 15)],
    gen_tcp:close(C),
    wait_for([Server]);
program(dirty) ->
    wait_for([spawn_monitor(fun() ->
                  [crypto:pbkdf2_hmac(sha256, <<"p">>, <<"s">>, 2000, 32) || _ <- lists:seq(1, 5)],
                  [crypto:generate_key(ecdh, secp256r1) || _ <- lists:seq(1, 5)],
                  crypto:hash(sha256, binary:copy(<<"abc">>, 100000)),
                  [erlang:garbage_collect() || _ <- [1, 2, 3]]
              end) || _ <- lists:seq(1, 4)]);
program(big) -> % all to all
    Parent = self(),
    N = 12,
    Ps = [spawn_link(fun() -> receive All -> [P ! {ping, self()} || P <- All], pings(N, N), Parent ! {done, self()} end end)
          || _ <- lists:seq(1, N)],
    [P ! Ps || P <- Ps],
    [receive {done, P} -> ok end || P <- Ps];
program(suspend) -> % suspended, of low priority, yielding, polling, timing out
    P = spawn_link(fun() -> spin(0) end),
    [begin erlang:suspend_process(P), timer:sleep(1), erlang:resume_process(P), timer:sleep(1) end || _ <- [1, 2]],
    Q = spawn_opt(fun() -> spin(0) end, [{priority, low}, link]),
    [receive after 0 -> ok end || _ <- lists:seq(1, 50)],
    [erlang:yield() || _ <- lists:seq(1, 50)],
    [receive never -> ok after 1 -> ok end || _ <- lists:seq(1, 5)],
    [begin unlink(X), exit(X, kill) end || X <- [P, Q]],
    ets:new(x, [named_table, public]),
    [ets:insert(x, {I, I}) || I <- lists:seq(1, 20000)],
    ets:delete(x);
program(spawns) ->
    fan(3, 6).

wait_for(Monitored) ->
    [receive {'DOWN', Ref, _, _, _} -> ok end || {_, Ref} <- Monitored].

compile_module(I) ->
    Function = "f~b(X) -> case X of {a, Y} when Y > ~b -> f~b(Y); [H | T] -> [f~b(H) | T]; _ -> X * ~b end.\n",
    Text = [io_lib:format("-module(m~b).\n-export([f0/1]).\n", [I]) |
            [io_lib:format(Function, [J, J, J * 7 rem 6, J * 5 rem 6, J]) || J <- lists:seq(0, 5)]],
    {ok, Tokens, _} = erl_scan:string(lists:flatten(Text)),
    {ok, M, Binary} = compile:forms(forms(Tokens), [binary]),
    {module, M} = code:load_binary(M, "m", Binary),
    M:f0(I).

forms([]) -> [];
forms(Tokens) ->
    {Form, [Dot | Rest]} = lists:splitwith(fun(T) -> element(1, T) =/= dot end, Tokens),
    {ok, Parsed} = erl_parse:parse_form(Form ++ [Dot]),
    [Parsed | forms(Rest)].

count_up() ->
    N = case mnesia:read(t, 1, write) of [{t, 1, V}] -> V; [] -> 0 end,
    mnesia:write({t, 1, N + 1}).

echo_ssl(L) ->
    {ok, T} = ssl:transport_accept(L),
    {ok, K} = ssl:handshake(T),
    {ok, D} = ssl:recv(K, 0),
    ssl:send(K, D),
    ssl:close(K).

echo_tcp(S) ->
    receive {tcp, S, D} -> gen_tcp:send(S, D), echo_tcp(S); {tcp_closed, S} -> ok end.

server(N) ->
    receive {From, Ref, L} -> From ! {Ref, N}, server(N + length(L)) after 50 -> server(N) end.

ask(Server, What) ->
    Ref = make_ref(),
    Server ! {self(), Ref, What},
    receive {Ref, N} -> N end.

hibernator(Parent) ->
    receive ping -> Parent ! pong end,
    erlang:hibernate(erlang, apply, [fun hibernator/1, [Parent]]).

init([]) ->
    Child = fun(I) -> {I, {?MODULE, start_child, [I]}, permanent, 10, worker, []} end,
    {ok, {{one_for_all, 100, 1}, [Child(I) || I <- lists:seq(1, 4)]}}.

start_child(I) ->
    {ok, spawn_link(fun() -> process_flag(trap_exit, I =:= 2), child() end)}.

child() ->
    receive crash -> exit(crashed); {'EXIT', _, Why} -> exit(Why); _ -> child() end.

crash(I) ->
    Kids = [P || {_, P, _, _} <- supervisor:which_children(my_sup), is_pid(P)],
    Kid = lists:nth(I rem length(Kids) + 1, Kids),
    Ref = monitor(process, Kid),
    case I rem 3 of 0 -> exit(Kid, kill); 1 -> Kid ! crash; 2 -> exit(Kid, bad) end,
    wait_for([{Kid, Ref}]),
    timer:sleep(1).

chain(0) -> timer:sleep(1), exit(end_of_chain);
chain(N) ->
    spawn_link(fun() ->
        process_flag(trap_exit, N rem 2 =:= 0),
        chain(N - 1),
        receive {'EXIT', _, Why} -> exit(Why) after 1000 -> ok end
    end).

pings(0, 0) -> ok;
pings(N, M) -> receive {ping, P} -> P ! pong, pings(N - 1, M); pong -> pings(N, M - 1) end.

spin(N) -> spin(N + 1).

fan(0, _) -> ok;
fan(Depth, Width) -> wait_for([spawn_monitor(fun() -> fan(Depth - 1, Width - 1) end) || _ <- lists:seq(1, Width)]).
