%% A connection dies 3 ms after its start; its supervisor starts it again, 200 times. fixed: it tries again itself.
-module(restarts).
-behaviour(supervisor).
-export([main/1, init/1, start_conn/2, conn/3]).

main(Args) ->
    logger:set_primary_config(level, none),
    {ok, Sup} = supervisor:start_link({local, conn_sup}, ?MODULE, [self(), Args]),
    receive connected -> unlink(Sup) end.

init([Main, Args]) ->
    Tries = counters:new(1, []),
    {ok, {#{intensity => 1000, period => 1},
          [#{id => conn, start => {?MODULE, start_conn, [{Main, Tries}, Args]}}]}}.
start_conn(To, Args) -> proc_lib:start_link(?MODULE, conn, [self(), To, Args]).

conn(Parent, To, Args) ->
    proc_lib:init_ack(Parent, {ok, self()}),
    try_it(To, Args).

try_it({Main, Tries} = To, Args) ->
    timer:sleep(3),
    counters:add(Tries, 1, 1),
    case {counters:get(Tries, 1) > 200, Args} of
        {true, _} -> Main ! connected, receive stop -> ok end;
        {false, []} -> exit(econnrefused);
        {false, _} -> try_it(To, Args)
    end.
