#!/usr/bin/env escript
%% Load for RabbitMQ, by its own client, which ERL_LIBS names: amqp.escript PORT. Four pairs publish a message to a
%% queue of theirs, fetch it, and rest a millisecond, until there is a file `enough' or five minutes have passed.
%% Prints how many messages came back.
-mode(compile).
-include_lib("amqp_client/include/amqp_client.hrl").

main([Port]) ->
    {ok, _} = application:ensure_all_started(amqp_client),
    Ends = erlang:monotonic_time(millisecond) + 300000,
    {ok, Connection} = amqp_connection:start(#amqp_params_network{host = "127.0.0.1", port = list_to_integer(Port)}),
    Self = self(),
    Pids = [spawn_link(fun() -> Self ! {self(), pair(Connection, Ends)} end) || _ <- lists:seq(1, 4)],
    Counts = [receive {Pid, N} -> N end || Pid <- Pids],
    ok = amqp_connection:close(Connection),
    io:format("~b~n", [lists:sum(Counts)]).

pair(Connection, Ends) ->
    {ok, Channel} = amqp_connection:open_channel(Connection),
    #'queue.declare_ok'{queue = Queue} = amqp_channel:call(Channel, #'queue.declare'{exclusive = true}),
    #'basic.consume_ok'{} = amqp_channel:subscribe(Channel, #'basic.consume'{queue = Queue, no_ack = true}, self()),
    receive #'basic.consume_ok'{} -> ok end,
    round(Channel, #'basic.publish'{routing_key = Queue}, Ends, 0).

round(Channel, Publish, Ends, N) ->
    ok = amqp_channel:cast(Channel, Publish, #amqp_msg{payload = <<N:64>>}),
    receive {#'basic.deliver'{}, #amqp_msg{payload = <<N:64>>}} -> ok end,
    receive after 1 -> ok end,
    case erlang:monotonic_time(millisecond) < Ends andalso not filelib:is_file("enough") of
        true  -> round(Channel, Publish, Ends, N + 1);
        false -> N + 1
    end.
