%% Healthy: a request each 10 ms that a server answers at once.
-module(healthy_idle).
-export([main/1]).

main(_) ->
    Server = spawn_link(fun() -> register(shop, self()), serve() end),
    [begin timer:sleep(10), Ref = make_ref(), Server ! {self(), Ref, N}, receive {Ref, _} -> ok end end
     || N <- lists:seq(1, 100)].

serve() -> receive {From, Ref, N} -> From ! {Ref, lists:sum(lists:seq(1, N * 10))}, serve() end.
