%% Healthy: a program that has nothing to do for a second.
-module(healthy_sleep).
-export([main/1]).

main(_) -> P = spawn_link(fun() -> receive stop -> ok end end), timer:sleep(1000), P ! stop.
