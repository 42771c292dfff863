%% A supervisor stops five children in turn, which trap exits and take no notice of its signal until they are killed.
%% fixed: they stop at the signal.
-module(slow_stop).
-behaviour(supervisor).
-export([main/1, init/1, start_link/1, feed/2]).

main(Args) ->
    {ok, Sup} = supervisor:start_link(?MODULE, Args =:= ["fixed"]),
    Stop = fun({Id, Pid, _, _}) ->
        Pid ! {item, self()},
        receive done -> ok = supervisor:terminate_child(Sup, Id) end
    end,
    lists:foreach(Stop, supervisor:which_children(Sup)).

init(Stops) ->
    {ok, {#{}, [#{id => N, start => {?MODULE, start_link, [Stops]}, shutdown => 300} || N <- lists:seq(1, 5)]}}.

start_link(Stops) -> proc_lib:start_link(?MODULE, feed, [self(), Stops]).

feed(Parent, Stops) ->
    process_flag(trap_exit, true),
    proc_lib:init_ack({ok, self()}),
    loop(Parent, Stops).

loop(Parent, Stops) ->
    receive
        {item, From} ->
            From ! lists:foldl(fun(I, _) -> _ = erlang:phash2(I), done end, done, lists:seq(1, 100000)),
            loop(Parent, Stops);
        {'EXIT', Parent, Reason} when Stops -> exit(Reason);
        {'EXIT', _, _} -> loop(Parent, Stops)
    end.
