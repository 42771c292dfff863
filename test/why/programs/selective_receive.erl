%% collector takes 1,500 acknowledgements one by one while 30,000 events are in its mailbox. fixed: they go elsewhere.
-module(selective_receive).
-export([main/1]).

main(Args) ->
    Echo = spawn_link(fun echo/0),
    {Col, Ref} = spawn_monitor(fun() -> register(collector, self()), receive go -> ok end, collect(Echo, 1500) end),
    Sink = case Args of ["fixed"] -> spawn_link(fun drain/0); _ -> Col end,
    [Sink ! {event, N} || N <- lists:seq(1, 30000)],
    Col ! go,
    receive {'DOWN', Ref, _, _, _} -> ok end.

echo() -> receive {seq, From, N} -> From ! {ack, N}, echo() end.
drain() -> receive {event, _} -> drain() end.
collect(_, 0) -> ok;
collect(Echo, N) -> Echo ! {seq, self(), N}, receive {ack, N} -> collect(Echo, N - 1) end.
