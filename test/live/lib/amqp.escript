#!/usr/bin/env escript
%% Load for RabbitMQ, by its own client, which ERL_LIBS names: amqp.escript PORT [QUEUE...]. Pairs publish a message to
%% a queue of theirs, fetch it, and rest a millisecond, until there is a file `enough' or five minutes have passed: four
%% with a queue that goes with them, or one with each QUEUE, which the nodes of a cluster replicate. The first message
%% that came back makes a file `busy'. Prints how many came back.
-mode(compile).
-include_lib("amqp_client/include/amqp_client.hrl").

main([Port | Queues]) ->
    {ok, _} = application:ensure_all_started(amqp_client),
    Ends = erlang:monotonic_time(millisecond) + 300000,
    {ok, Connection} = amqp_connection:start(#amqp_params_network{host = "127.0.0.1", port = list_to_integer(Port)}),
    Self = self(),
    Own = [#'queue.declare'{exclusive = true} || [] <- [Queues], _ <- lists:seq(1, 4)],
    Replicated = [#'queue.declare'{queue = list_to_binary(Q), durable = true,
                                   arguments = [{<<"x-queue-type">>, longstr, <<"quorum">>}]} || Q <- Queues],
    Pids = [spawn_link(fun() -> Self ! {self(), pair(Connection, Q, Ends)} end) || Q <- Own ++ Replicated],
    Counts = [receive {Pid, N} -> N end || Pid <- Pids],
    ok = amqp_connection:close(Connection),
    io:format("~b~n", [lists:sum(Counts)]).

pair(Connection, Declare, Ends) ->
    {ok, Channel} = amqp_connection:open_channel(Connection),
    #'queue.declare_ok'{queue = Queue} = amqp_channel:call(Channel, Declare),
    #'basic.consume_ok'{} = amqp_channel:subscribe(Channel, #'basic.consume'{queue = Queue, no_ack = true}, self()),
    receive #'basic.consume_ok'{} -> ok end,
    round(Channel, #'basic.publish'{routing_key = Queue}, Ends, 0).

round(Channel, Publish, Ends, N) ->
    ok = amqp_channel:cast(Channel, Publish, #amqp_msg{payload = <<N:64>>}),
    receive {#'basic.deliver'{}, #amqp_msg{payload = <<N:64>>}} -> ok end,
    _ = N > 0 orelse file:write_file("busy", ""),
    receive after 1 -> ok end,
    case erlang:monotonic_time(millisecond) < Ends andalso not filelib:is_file("enough") of
        true  -> round(Channel, Publish, Ends, N + 1);
        false -> N + 1
    end.
